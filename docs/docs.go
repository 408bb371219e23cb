// Package docs holds what the documentation publishes for machines.
package docs

import _ "embed"

//go:embed mcp-lint.schema.json
var configSchema string

// ConfigSchema is the JSON Schema of .mcp-lint.json. It is the one place where
// the options of rules are described.
func ConfigSchema() string { return configSchema }
