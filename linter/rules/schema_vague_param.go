package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// vagueParam finds undescribed parameters whose name says nothing either. In
// preset recommended they raise the severity of [missingParamDescription]
// instead: one fault gives one finding.
var vagueParam = linter.Rule{
	ID:         "schema/vague-param",
	Codes:      []string{"S2"},
	Title:      "Undescribed parameter with a vague name",
	Why:        "Names like id, data or user fit dozens of things; without a description the model passes the wrong one.",
	Severity:   linter.Severities{Agents: severity.Warning},
	Bad:        `{"name":"berth","description":"Returns what is known about one berth of the harbour: its length, its depth and the ship moored there now.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`,
	Good:       `{"name":"berth","description":"Returns what is known about one berth of the harbour: its length, its depth and the ship moored there now.","inputSchema":{"type":"object","properties":{"id":{"type":"string","description":"Number of the berth, like B-14."}}}}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		params := tool.Params()
		vague := vagueNames{all: params}
		for i := range params {
			param := &params[i]
			if param.Described() || !vague.has(param) {
				continue
			}
			p.Report(tool, param.Pointer(), linter.Finding{
				Message: fmt.Sprintf("parameter %s has a vague name and no description", quote(param.Name)),
				Fix:     "Name the thing (berth_id), or describe which one is meant and where it comes from.",
				Waste:   wasteIfTop(param, wasteVague),
			})
		}
	},
}

// vagueNames reports whether a parameter's whole name is one of the vague ones
// (D20). x beside y is a coordinate and clear; who stands beside whom is found
// out once, when an x asks.
type vagueNames struct {
	all   []linter.Param
	withY map[linter.Group]bool
	// named is set where the tool's name says what its only id is of, as
	// delete_booking does: preset recommended then takes id for clear.
	named *linter.Entity
	ids   int // arguments that are ids, counted when an id asks; 0 before
}

func (v *vagueNames) has(p *linter.Param) bool {
	switch strings.ToLower(p.Name) {
	case "id", "uid":
		return !p.Top || v.named == nil || len(v.named.Words()) < 2 || v.countIDs() > 1
	case "ids", "user", "data", "q", "s", "val", "value", "input", "obj", "object",
		"item", "info", "params", "args", "payload", "ref", "thing":
		return true
	case "x":
		if v.withY == nil {
			v.withY = map[linter.Group]bool{}
			for i := range v.all {
				if strings.EqualFold(v.all[i].Name, "y") {
					v.withY[v.all[i].Group()] = true
				}
			}
		}
		return !v.withY[p.Group()]
	}
	return false
}

func (v *vagueNames) countIDs() int {
	if v.ids > 0 {
		return v.ids
	}
	var buf [longestLastWord]byte
	for i := range v.all {
		if !v.all[i].Top {
			continue
		}
		switch word, _ := lastWord(v.all[i].Name, &buf); string(word) {
		case "id", "ids", "uid", "uuid":
			v.ids++
		}
	}
	return v.ids
}
