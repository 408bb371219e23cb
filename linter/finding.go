package linter

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Finding is one judgement of one rule. Its JSON form is part of the published
// report format.
type Finding struct {
	Rule     string         `json:"rule"`
	Codes    []string       `json:"codes"`
	Severity severity.Level `json:"severity"`
	Entity   snapshot.Ref   `json:"entity"`
	// Path is a JSON pointer (RFC 6901) inside the entity, "" for the whole.
	// Inside the server, /tools/NAME is a tool, so that it keeps its pointer when
	// others come and go.
	Path    string `json:"path"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
	// Location is the place in the file that the snapshot was read from; for a
	// live server audit replaces it (design: lock line, config entry, config).
	Location snapshot.Location `json:"location"`
	// Fingerprint is stable over edits elsewhere: SHA-256 of rule, server key,
	// entity, path, subject and ordinal among equals; never of a line.
	Fingerprint string `json:"fingerprint"`
	// New is false only for findings that were there before (in the baseline
	// or in the base of the pull request).
	New bool `json:"new"`
	// Package is set by launch rules only.
	Package string `json:"package"`
	// Items are the members of a grouped finding, each with its fingerprint.
	Items []Item `json:"items"`
	// MoreItems counts further members that Items leaves out.
	MoreItems int `json:"moreItems"`
	// More counts further findings of the same rule, severity and entity, or of
	// other entities, that the report leaves out: it lists some thousands at
	// most. They count in the summary and the scores, and Message says so.
	More int `json:"more"`
	// Suppressed is nil unless the configuration suppresses the finding.
	Suppressed *Suppressed `json:"suppressed"`

	// Subject is the rule's stable word that goes into the fingerprint: the
	// missing name, the phrase's id.
	Subject string `json:"-"`
	// Waste is what the fault costs an agent, in estimated tokens: the usage
	// items of the token score. Only findings on tools count.
	Waste int `json:"-"`

	// observed: about how the server is run, which its own name does not decide.
	observed bool

	part func([]Item) Finding // words the finding for some of its items
}

// Part is the finding as its rule words it for some of its items only, with
// the severity that these have. A finding that is no group, or was read from a
// file, is returned as it is.
func (f *Finding) Part(items []Item) Finding {
	if f.part == nil {
		return *f
	}
	part := f.part(items)
	part.Items, part.New, part.Suppressed = items, f.New, f.Suppressed
	part.Location, part.Fingerprint = f.Location, f.Fingerprint
	return part
}

// Item is one member of a grouped finding.
type Item struct {
	Path        string            `json:"path"`
	Subject     string            `json:"subject"`
	Fingerprint string            `json:"fingerprint"`
	Location    snapshot.Location `json:"location"`
	// New is as [Finding.New], which is true when one of the items is new.
	New bool `json:"new"`

	// Of is the tool that has the fault, for a member of a group on the server
	// that says once what many tools share; nil for all others. The scores,
	// suppressions and the fingerprint are then those of a finding on that tool
	// at Path without its beginning /tools/NAME: a fault stays the same fault
	// when it is said together with others.
	Of *Entity `json:"-"`
	// Waste is as [Finding.Waste], of this member alone; for members with Of.
	Waste int `json:"-"`
}

// inside is the path of a member with Of inside its tool.
func (i *Item) inside() string {
	return strings.TrimPrefix(i.Path, snapshot.AppendPointer("/tools", i.Of.Ref.Name))
}

// Suppressed says why a finding does not count and until when ("" = for good).
type Suppressed struct {
	Reason string `json:"reason"`
	Until  string `json:"until"`
}
