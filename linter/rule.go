package linter

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Preset is a named set of rules and severities.
type Preset string

// The presets.
const (
	// Recommended is the default: the merged catalogue, one finding per fault.
	Recommended Preset = "recommended"
	// SnapshotPreset gives exactly the findings of the second seed's program.
	SnapshotPreset Preset = "snapshot"
	// Agents gives exactly the findings of the first seed's program.
	Agents Preset = "agents"
)

// Presets lists the presets, the default first.
func Presets() []Preset { return []Preset{Recommended, SnapshotPreset, Agents} }

// Severities gives a rule's severity per preset. The zero value of a field
// (Off) means that the rule is not part of that preset.
type Severities struct {
	Recommended, Snapshot, Agents severity.Level
}

// Rule is one check with everything that documentation, SARIF and help say
// about it: nothing about a rule is written down twice.
type Rule struct {
	// ID is category/name in lower-case kebab case; it never changes.
	ID string
	// Codes are the first seed's codes (S1…), where the rule has one.
	Codes []string
	// Title is one line without a final stop; Why says what goes wrong for a
	// reader who does not know the rule.
	Title, Why string
	// Bad and Good are examples: a tool definition each (a JSON object), or a
	// whole snapshot where the rule needs more than one tool (with "options" beside
	// the lists, it is tried under these), or a piece of configuration for a rule
	// about the configuration. Tests run both.
	Bad, Good string
	Severity  Severities
	// Security marks rules whose SARIF entry carries security-severity (0–10);
	// 0 means that it is no security rule.
	SecuritySeverity float64
	// Options names the keys of the config's options that the rule reads.
	Options []string
	Since   string
	// References are URLs of the specifications or reports behind the rule.
	References []string
	// Clients makes the rule one about clients: what they do with what it
	// reports. The configuration's clients narrow them, and without any left the
	// rule is off. Its findings count nothing in the quality score, which would
	// otherwise depend on who reads it; they fail a run by their severity.
	Clients []ClientFact
	// Last marks rules that judge the configuration by what the other rules
	// found: they run after all others and never change a score.
	Last bool
	// Effective is set by [Linter.Rules]: the severity under the preset and the
	// configuration, Off for a rule that does not run.
	Effective severity.Level
	// CheckTool is called for every tool in document order, then Check once for
	// the whole snapshot. Both report through the pass and must not keep it.
	// What concerns single tools belongs into CheckTool: all rules then see a
	// tool while it is in the processor's cache. A rule whose findings come from
	// elsewhere (the launch command, probes) has neither: see [Observation].
	CheckTool func(*Pass, *Entity)
	Check     func(*Pass)
}

// observed tells a rule whose findings come from elsewhere.
func (r *Rule) observed() bool { return r.CheckTool == nil && r.Check == nil }

// Category is the part of the ID before the slash.
func (r *Rule) Category() string {
	category, _, _ := strings.Cut(r.ID, "/")
	return category
}

// For returns the severity under a preset.
func (s Severities) For(p Preset) severity.Level {
	switch p {
	case SnapshotPreset:
		return s.Snapshot
	case Agents:
		return s.Agents
	default:
		return s.Recommended
	}
}
