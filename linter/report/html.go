package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's template and style sheet
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// HTMLOptions says what the page knows besides the report.
type HTMLOptions struct {
	// Rules are explained at the end of the page, as far as findings name them.
	Rules []linter.Rule
	// Snapshots are what the servers of the report said, in its order; nil for
	// one that is not known, whose findings then stand without definitions.
	Snapshots []*snapshot.Snapshot

	review *Review
}

var (
	//go:embed html.tmpl
	htmlTemplate string
	//go:embed html.css
	htmlStyle string
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"text": spansOf, "grouped": grouped, "counted": counted, "place": placeText,
		"short":   func(s string) string { return shorten(s, maxCode) },
		"cut":     func(s string) string { return shorten(s, maxExcerpt) },
		"message": messageSpans, "parts": htmlParts, "lines": htmlLines,
		"where": func(g *changeGroup) string {
			return g.where(func(name string) string { return shorten(name, maxCode) })
		},
		"what": (*changeGroup).what,
		"only": func(g, host *changeGroup) string {
			return g.only(host, func(name string) string { return shorten(name, maxCode) })
		},
		"chart": func(caption string, bars []htmlBar) htmlTable { return htmlTable{caption, bars} },
	}).Parse(htmlTemplate))
})

// WriteReviewHTML is [WriteHTML] with what the review says about the lock: what
// merging accepts, and what the live servers differ from it.
func WriteReviewHTML(w io.Writer, r *Review, o HTMLOptions) error {
	o.review = r
	return WriteHTML(w, &r.Report, o)
}

// WriteHTML writes the report as one page that needs nothing else: no script,
// no image, no font, and a policy that forbids them. Whatever servers say in it
// is text; the only links are to places of the page and to what the rules cite.
// Its size is bounded, whatever the servers said; the page tells what it lacks.
func WriteHTML(w io.Writer, r *Report, o HTMLOptions) error {
	p := newPage(r, &o)
	hash := sha256.Sum256([]byte(htmlStyle))
	p.Style = template.CSS(htmlStyle) // ours, word for word: the policy knows its hash
	p.StyleHash = base64.StdEncoding.EncodeToString(hash[:])
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return fmt.Errorf("making the HTML report: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}
