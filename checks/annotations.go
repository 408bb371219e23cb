package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// annotations turns a verdict's annotations into GitHub's, worst first, within
// all limits. The note, one line of Markdown or empty, counts what was left out.
func annotations(all []report.Annotation) (list []*github.CheckRunAnnotation, note string) {
	placed := slices.DeleteFunc(slices.Clone(all), func(a report.Annotation) bool { return a.Location.File == "" })
	nowhere := len(all) - len(placed)
	slices.SortStableFunc(placed, func(a, b report.Annotation) int { return int(b.Severity) - int(a.Severity) })
	var notes []string
	if len(placed) > MaxAnnotations {
		notes = append(notes, fmt.Sprintf("%s are not shown as annotations: a check run shows the worst %d.", counts(placed[MaxAnnotations:]), MaxAnnotations))
		placed = placed[:MaxAnnotations]
	}
	if nowhere > 0 {
		notes = append(notes, fmt.Sprintf("%d without a place in a file are not shown as annotations.", nowhere))
	}
	for _, a := range placed {
		list = append(list, annotation(a))
	}
	return list, strings.Join(notes, " ")
}

// counts is "3 more errors, 1 more warning".
func counts(as []report.Annotation) string {
	var parts []string
	for _, l := range severity.Levels() {
		n := 0
		for _, a := range as {
			if a.Severity == l {
				n++
			}
		}
		if n > 0 {
			word := fmt.Sprintf("%d more %s", n, l)
			if n > 1 {
				word += "s"
			}
			parts = append(parts, word)
		}
	}
	return strings.Join(parts, ", ")
}

func annotation(a report.Annotation) *github.CheckRunAnnotation {
	level := "notice"
	switch a.Severity {
	case severity.Error:
		level = "failure"
	case severity.Warning:
		level = "warning"
	}
	line := max(a.Location.Line, 1)
	out := &github.CheckRunAnnotation{
		Path:            github.String(a.Location.File),
		StartLine:       github.Int(line),
		EndLine:         github.Int(line),
		AnnotationLevel: github.String(level),
		// GitHub refuses an empty message, and with it the whole request.
		Message: github.String(cutLine(firstText(a.Message, a.Title, "no details"), MaxAnnotationMessage, MaxAnnotationMessage)),
	}
	if a.Title != "" {
		out.Title = github.String(cutLine(a.Title, MaxAnnotationTitle, 4*MaxAnnotationTitle))
	}
	if a.Location.Column > 0 && a.Location.Line > 0 {
		// Allowed only when both lines are the same, which they are.
		out.StartColumn, out.EndColumn = github.Int(a.Location.Column), github.Int(a.Location.Column)
	}
	return out
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// digest identifies a list of annotations.
func digest(list []*github.CheckRunAnnotation) string {
	h := sha256.New()
	for _, a := range list {
		h.Write([]byte(key(a)))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// key identifies an annotation by what GitHub returns unchanged.
func key(a *github.CheckRunAnnotation) string {
	b, err := json.Marshal([]any{a.GetPath(), a.GetStartLine(), a.GetAnnotationLevel(), a.GetTitle(), a.GetMessage()})
	if err != nil {
		panic(err) // strings and numbers always pass
	}
	return string(b) + "\n"
}

// without returns the members of list that are not in sent, equal ones counted.
func without(list, sent []*github.CheckRunAnnotation) []*github.CheckRunAnnotation {
	there := map[string]int{}
	for _, a := range sent {
		there[key(a)]++
	}
	var rest []*github.CheckRunAnnotation
	for _, a := range list {
		if k := key(a); there[k] > 0 {
			there[k]--
		} else {
			rest = append(rest, a)
		}
	}
	return rest
}
