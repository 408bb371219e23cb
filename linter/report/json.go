package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// WriteJSON writes the published JSON form: two-space indent, empty lists as
// [], a final newline, and every character that a terminal would not show (or
// would obey) as a \u escape.
func WriteJSON(w io.Writer, r *Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(withLists(r)); err != nil {
		return fmt.Errorf("encoding the JSON report: %w", err)
	}
	if _, err := w.Write(escapeHidden(b.Bytes())); err != nil {
		return fmt.Errorf("writing the JSON report: %w", err)
	}
	return nil
}

// ReadJSON reads what WriteJSON wrote. It refuses other versions, unknown
// members and anything after the document.
func ReadJSON(src io.Reader) (*Report, error) {
	dec := json.NewDecoder(src)
	dec.DisallowUnknownFields()
	var r Report
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("reading the JSON report: %w", err)
	}
	if r.Version != FormatVersion {
		return nil, fmt.Errorf("reading the JSON report: version is %d, expected %d", r.Version, FormatVersion)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading the JSON report: text follows the document")
	}
	return &r, nil
}

// withLists copies as much of the report as needed to have no nil list in it.
func withLists(r *Report) *Report {
	out := *r
	out.Servers = slices.Clone(r.Servers)
	fill(&out.Servers)
	if r.Baseline != nil {
		baseline := *r.Baseline
		fill(&baseline.Fixed)
		out.Baseline = &baseline
	}
	for i := range out.Servers {
		s := &out.Servers[i]
		s.Findings = slices.Clone(s.Findings)
		fill[linter.Finding](&s.Findings)
		for j := range s.Findings {
			fill(&s.Findings[j].Codes)
			fill(&s.Findings[j].Items)
		}
		fill(&s.Probes)
		if s.Scores != nil {
			scores := *s.Scores
			fill(&scores.Tokens.Tools)
			s.Scores = &scores
		}
		if s.Lock != nil {
			lock := *s.Lock
			lock.Changes = slices.Clone(lock.Changes)
			fill[lockfile.Change](&lock.Changes)
			for j := range lock.Changes {
				fill(&lock.Changes[j].Text)
				fill(&lock.Changes[j].Raw)
			}
			s.Lock = &lock
		}
	}
	return &out
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// escapeHidden spells characters that are not plainly visible as \u escapes.
// In JSON such characters stand inside strings only, so the text stays valid.
func escapeHidden(doc []byte) []byte {
	if bytes.IndexFunc(doc, special) < 0 {
		return doc
	}
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		if n := bytes.IndexFunc(doc, special); n != 0 {
			if n < 0 {
				n = len(doc)
			}
			out, doc = append(out, doc[:n]...), doc[n:]
			continue
		}
		r, size := utf8.DecodeRune(doc)
		if plain(r) {
			out = append(out, doc[:size]...)
		} else if hi, lo := utf16.EncodeRune(r); hi != unicode.ReplacementChar {
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		doc = doc[size:]
	}
	return out
}

// special tells whether a character needs a closer look.
func special(r rune) bool { return r >= 0x7F || r < ' ' && r != '\n' }

// plain tells whether a character beyond ASCII shows itself.
func plain(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsPrint(r) && snapshot.Visible(string(r)) == string(r)
}
