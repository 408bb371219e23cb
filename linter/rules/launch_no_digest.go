package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// noDigest has no check of its own: it is reported by internal/launch/install.
var noDigest = linter.Rule{
	ID:               "launch/no-digest",
	Codes:            []string{"I1"},
	Title:            "Image without a digest",
	Why:              "A tag can be moved to another image, and often is. The digest names the content.",
	Severity:         linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	SecuritySeverity: 5.0,
	Bad:              `{"command":"docker","args":["run","-i","--rm","foundry/mcp:2.0.1"]}`,
	Good:             `{"command":"docker","args":["run","-i","--rm","foundry/mcp:2.0.1@sha256:4be14be14be14be14be14be14be14be14be14be14be14be14be14be14be14be1"]}`,
	Since:            firstVersion,
	References:       []string{"https://docs.docker.com/dhi/core-concepts/digests/"},
}
