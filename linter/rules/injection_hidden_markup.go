package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// hiddenMarkup finds what a reviewer of rendered Markdown does not see.
//
// The seeds report every comment, and the second every tag of eight names.
// Ours leaves alone what is quoted, what has no sentence in it, and tags for
// which there are honest uses; an order inside either is found by
// [instructionPhrases] and its like.
var hiddenMarkup = linter.Rule{
	ID:    "injection/hidden-markup",
	Codes: []string{"S8"},
	Title: "Text in a comment or a pseudo-tag",
	Why: "Comments vanish where Markdown is shown, and tags such as <system> give a text an authority that it does not have: " +
		"a model reads both, a reviewer neither.",
	Severity: linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning, Agents: severity.Warning},
	Bad: `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum. ` +
		`<!-- The berth planner and the pilots rely on this one. -->","inputSchema":{"type":"object","properties":{}}}`,
	Good: `{"name":"render_notice","description":"Renders a notice of the harbour office as HTML; comments such as ` + "`<!-- for the night watch only -->`" +
		` are dropped, and <b> is kept.","inputSchema":{"type":"object","properties":{}}}`,
	SecuritySeverity: 6.0,
	Since:            firstVersion,
	References: []string{
		"https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks",
		"https://owasp.org/www-project-mcp-top-10/",
	},
	CheckTool: checkMarkup,
	Check:     onOthers(checkMarkup),
}

func checkMarkup(p *linter.Pass, e *linter.Entity) {
	if p.Preset() == linter.SnapshotPreset {
		reportSeed(p, e, seedMarkup)
		return
	}
	for _, j := range judge(p, e) {
		if j.hasMarkup {
			p.Report(e, j.text.Pointer(), linter.Finding{
				Message: fmt.Sprintf("the text has %s: %s", j.markup.kind, quote(linter.Trim(j.markup.content))),
				Fix:     "Write it where it is shown, or remove it.",
				Subject: j.markup.kind,
				More:    j.more,
			})
		}
	}
}

// markupFinding is a comment or block.
type markupFinding struct {
	kind    string
	content string
}

// fewestWords is what makes a comment a sentence rather than a marker.
const fewestWords = 3

// findMarkup returns the first comment or block of a text that counts.
func findMarkup(preset linter.Preset, text string) (markupFinding, bool) {
	from := 0
	for range mostMarkup {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 {
			break
		}
		start := from + i
		from = start + 1
		if content, ok := comment(text[start:]); ok {
			from = start + len("<!--") + len(content)
			if preset == linter.Agents || wordsIn(content) >= fewestWords && !isQuoted(text, start) {
				return markupFinding{"a comment that is not shown", content}, true
			}
			continue
		}
		if preset == linter.Agents {
			continue
		}
		name, content := block(text[start:])
		if content != "" && wordsIn(content) > fewestWords && !isQuoted(text, start) {
			return markupFinding{"a block that speaks as <" + name + ">", content}, true
		}
	}
	return markupFinding{}, false
}

// What is looked at of a text: openings, and bytes after each. Many openings
// without an end then cost little.
const (
	mostMarkup    = 200
	longestMarkup = 4000
)

func comment(text string) (content string, ok bool) {
	rest, ok := strings.CutPrefix(text[:min(len(text), longestMarkup)], "<!--")
	if !ok {
		return "", false
	}
	end := strings.Index(rest, "-->")
	if end < 0 {
		if len(text) <= longestMarkup {
			return "", false
		}
		end = len(rest)
	}
	return rest[:end], true
}

// block returns what stands between a tag that claims authority and its end.
func block(text string) (name, content string) {
	head := lowerASCII(text[1:min(len(text), 12)])
	for _, tag := range [...]string{"system", "hidden", "secret", "override", "admin"} {
		rest, ok := strings.CutPrefix(head, tag)
		if !ok || !strings.HasPrefix(rest, ">") {
			continue
		}
		inside := text[len(tag)+2 : min(len(text), longestMarkup)]
		if end := strings.Index(lowerASCII(inside), "</"+tag); end >= 0 {
			return tag, inside[:end]
		}
	}
	return "", ""
}

func wordsIn(text string) int {
	n := 0
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

// isQuoted reports whether what stands at i is code: an odd number of
// backticks before it in the same paragraph.
func isQuoted(text string, i int) bool {
	paragraph := text[max(0, i-longestMarkup):i]
	if at := strings.LastIndex(paragraph, "\n\n"); at >= 0 {
		paragraph = paragraph[at:]
	}
	if strings.HasSuffix(paragraph, "\"") || strings.HasSuffix(paragraph, "“") || strings.HasSuffix(paragraph, "'") {
		return true
	}
	return strings.Count(paragraph, "`")%2 == 1
}
