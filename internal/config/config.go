// Package config reads .mcp-lint.json: it validates every key, knows the place
// of every key, and names the nearest valid name for a wrong one.
package config

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Names are the files looked for in a folder, in order; the second is the
// second seed's spelling.
func Names() []string { return []string{".mcp-lint.json", "mcp-lint.config.json"} }

// DefaultLock is the lock file's path when the config gives none.
const DefaultLock = "mcp-lint.lock"

// Config is a validated configuration.
type Config struct {
	// File is the name used in messages and locations, "" for defaults.
	File   string
	Linter linter.Config
	// SuppressAt are the places of Linter.Suppress in the file.
	SuppressAt []snapshot.Location

	FailOn     severity.Level
	LockFailOn severity.Level
	MinScore   float64 // quality score below which a run fails
	FailUnder  float64 // token score below which a run fails
	LockIgnore []string
	// Lock is a path with slashes, relative to the folder that is checked.
	Lock string
	// Servers is nil when the file has no key "servers": they are discovered.
	Servers []launch.Server
}

// Default is the configuration without a file, for a preset; "" stands for
// recommended. The snapshot preset keeps its program's gate: a score of 70 and
// no threshold on findings.
func Default(preset linter.Preset) *Config {
	c := &Config{
		Linter:     linter.Config{Preset: preset},
		FailOn:     severity.Error,
		LockFailOn: severity.Warning,
		Lock:       DefaultLock,
	}
	if preset == "" {
		c.Linter.Preset = linter.Recommended
	}
	if preset == linter.SnapshotPreset {
		c.FailOn, c.MinScore = severity.Off, 70
	}
	return c
}

// DefaultShort is the configuration without a file for the short form of the
// command line, which is the second seed's: its rules unless others are asked
// for, and its gate (a score of 70, no threshold on findings) for all of them.
func DefaultShort(preset linter.Preset) *Config {
	gate := Default(linter.SnapshotPreset)
	if preset == "" {
		return gate
	}
	c := Default(preset)
	c.FailOn, c.MinScore = gate.FailOn, gate.MinScore
	return c
}

// Known is what names in the file may stand for.
type Known struct {
	Rules   []string
	Options []string
	Clients []string
}

// Parse reads a configuration file. override, when not empty, replaces the
// file's preset ("extends") before defaults are taken. The error is a
// *jsonc.Error for the first fault.
func Parse(file string, data []byte, known Known, override linter.Preset) (*Config, error) {
	return parse(file, data, known, override, Default)
}

// ParseShort is Parse for the short form of the command line: what the file
// leaves out is as in [DefaultShort].
func ParseShort(file string, data []byte, known Known, override linter.Preset) (*Config, error) {
	return parse(file, data, known, override, DefaultShort)
}

// parse reads a file; defaults gives what holds for the preset in force.
func parse(file string, data []byte, known Known, override linter.Preset, defaults func(linter.Preset) *Config) (*Config, error) {
	root, err := jsonc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	members, err := root.Object()
	if err != nil {
		return nil, err
	}
	preset, err := readPreset(root.Get("extends"))
	if err != nil {
		return nil, err
	}
	if override != "" {
		preset = override
	}
	c := defaults(preset)
	c.File = file
	readers := c.readers(known)
	for _, m := range members {
		read, ok := readers[m.Name]
		if !ok {
			return nil, m.UnknownKey(slices.Collect(maps.Keys(readers)))
		}
		if err := read(m.Value); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// RepositoryPath reports whether p is a path with slashes that stays inside the
// folder it is relative to.
func RepositoryPath(p string) bool {
	clean := path.Clean(p)
	return p != "" && !path.IsAbs(p) && !strings.ContainsAny(p, "\\\x00:") &&
		clean != "." && clean != ".." && !strings.HasPrefix(clean, "../")
}
