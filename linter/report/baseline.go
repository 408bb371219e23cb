package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// ReadBaseline reads a JSON report to compare with. Unlike [ReadJSON] it reads
// over members that it does not know: within a version members are only added,
// and a later release of ours must not make everybody's baseline unreadable.
// What is no report, is of another version or is damaged is an error: half a
// baseline would make known findings new, and an empty one all of them.
func ReadBaseline(src io.Reader) (*Report, error) {
	dec := json.NewDecoder(src)
	// Only what is needed, which leaves out most of a large report.
	var doc struct {
		Version *int          `json:"version"`
		Tool    Tool          `json:"tool"`
		Servers []knownServer `json:"servers"`
	}
	err := dec.Decode(&doc)
	switch { // another version's members may well have other types
	case doc.Tool.Name == "mcp-lint" && doc.Version != nil && *doc.Version != FormatVersion:
		return nil, fmt.Errorf("the report has version %d; expected version %d, as --json writes it", *doc.Version, FormatVersion)
	case err != nil:
		return nil, damage(err)
	case doc.Version == nil || doc.Tool.Name != "mcp-lint" || doc.Servers == nil:
		return nil, errors.New("no report of mcp-lint; expected what --json writes")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the report; expected what --json writes and nothing else")
	}
	base := &Report{Version: FormatVersion, Tool: doc.Tool, Servers: make([]Server, len(doc.Servers))}
	for i, s := range doc.Servers {
		base.Servers[i] = Server{Key: s.Key, Findings: s.Findings, Error: s.Error}
		for j := range s.Findings {
			if err := checkFingerprints(&s.Findings[j]); err != nil {
				return nil, fmt.Errorf("servers[%d].findings[%d]: %w", i, j, err)
			}
		}
	}
	return base, nil
}

type knownServer struct {
	Key      string           `json:"key"`
	Findings []linter.Finding `json:"findings"`
	Error    *Error           `json:"error"`
}

// damage says without the words of Go what is wrong with a document.
func damage(err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty; expected a JSON report")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the report ends in the middle; expected all of what --json wrote")
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d (%w); expected a JSON report", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("found a JSON %s; expected a JSON report", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("damaged at byte %d: found a JSON %s as %q; expected a JSON report", kind.Offset, kind.Value, kind.Field)
	}
	return fmt.Errorf("damaged JSON report: %w", err)
}

// checkFingerprints refuses a finding that could never be found again.
func checkFingerprints(f *linter.Finding) error {
	if !isFingerprint(f.Fingerprint) {
		return errors.New("damaged fingerprint; expected 64 hex digits")
	}
	for i := range f.Items {
		if !isFingerprint(f.Items[i].Fingerprint) {
			return fmt.Errorf("items[%d]: damaged fingerprint; expected 64 hex digits", i)
		}
	}
	return nil
}

func isFingerprint(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// BaselineOptions say what a comparison must know beyond the two reports.
type BaselineOptions struct {
	// Source says in words what is compared with: a file or a revision.
	Source string
	// Judges tells whether the run looks for what a rule finds on an entity.
	// Where it does not, nothing is fixed by not being found. nil means that it
	// looks for everything.
	Judges func(rule string, entity snapshot.Ref) bool
}

// ApplyBaseline compares a report with an earlier one. It marks the findings
// that were there before as known (New is false) and fills r.Baseline; counts
// and verdict are the caller's to renew ([Summarize]). It returns the keys of
// the servers all of whose findings are new because the base has not judged
// them.
//
// Servers are matched by their key, and by their order where several have the
// same. A finding is known by its fingerprint, a group by those of its items:
// it is new when one of them is, and then speaks of the new ones. What the
// base suppressed is not known unless it still is suppressed: when a
// suppression ends, its findings count again. A server that was not checked
// has fixed nothing.
func ApplyBaseline(r, base *Report, o BaselineOptions) (unjudged []string) {
	r.Baseline = &Baseline{Source: o.Source, Fixed: []FixedFinding{}}
	before := map[string][]*Server{}
	for i := range base.Servers {
		s := &base.Servers[i]
		before[s.Key] = append(before[s.Key], s)
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		var was *Server
		if same := before[s.Key]; len(same) > 0 {
			was, before[s.Key] = same[0], same[1:]
		}
		if was != nil && was.Error != nil {
			was = nil
		}
		known := indexKnown(was)
		fresh := false
		for j := range s.Findings {
			f := &s.Findings[j]
			known.mark(f)
			switch {
			case f.Suppressed != nil:
			case f.New:
				fresh = true
			default:
				r.Baseline.Known += 1 + f.More
			}
		}
		switch {
		case s.Error != nil:
		case was == nil && fresh:
			unjudged = append(unjudged, s.Key)
		case was != nil:
			r.Baseline.Fixed = append(r.Baseline.Fixed, fixed(s, was, o.Judges)...)
		}
	}
	return unjudged
}

// knownIndex has what was there before, by fingerprint.
type knownIndex map[string]known

type known struct {
	counted bool // it was not suppressed
	more    int  // how many it stood for that are not listed
}

func indexKnown(s *Server) knownIndex {
	if s == nil {
		return nil
	}
	index := make(knownIndex, len(s.Findings))
	add := func(fingerprint string, f *linter.Finding, more int) {
		before := index[fingerprint]
		index[fingerprint] = known{before.counted || f.Suppressed == nil, max(before.more, more)}
	}
	for i := range s.Findings {
		f := &s.Findings[i]
		add(f.Fingerprint, f, f.More+f.MoreItems)
		for j := range f.Items {
			add(f.Items[j].Fingerprint, f, 0)
		}
	}
	return index
}

func (k knownIndex) has(fingerprint string, suppressed bool) bool {
	before, there := k[fingerprint]
	return there && (before.counted || suppressed)
}

// mark sets New. A group is judged by its items alone: its own fingerprint
// would know it with any of them. What stands for others that are not listed
// is known when it stood for as many.
func (k knownIndex) mark(f *linter.Finding) {
	grown := f.More+f.MoreItems > k[f.Fingerprint].more
	if len(f.Items) == 0 {
		f.New = grown || !k.has(f.Fingerprint, f.Suppressed != nil)
		return
	}
	var fresh []linter.Item
	for i := range f.Items {
		item := &f.Items[i]
		item.New = !k.has(item.Fingerprint, f.Suppressed != nil)
		if item.New {
			fresh = append(fresh, *item)
		}
	}
	f.New = grown || len(fresh) > 0
	if known := len(f.Items) - len(fresh); len(fresh) > 0 && known > 0 {
		tellNew(f, fresh, known)
	}
}

// tellNew lets a group speak of its new items, with the severity that they
// have.
func tellNew(f *linter.Finding, fresh []linter.Item, known int) {
	part := f.Part(fresh)
	if len(part.Items) == len(fresh) {
		f.Message, f.Fix, f.Codes, f.Severity = part.Message, part.Fix, part.Codes, part.Severity
		f.Message += fmt.Sprintf("; %d more known", known)
		return
	}
	only := linter.Finding{Items: fresh} // nobody is left who could word it
	f.Message += "; new: " + strings.Trim(itemsText(&only, maxItems), "()")
}

// fixed lists what a server had and has no more.
func fixed(s, was *Server, judges func(string, snapshot.Ref) bool) []FixedFinding {
	now := indexKnown(s)
	var list []FixedFinding
	for i := range was.Findings {
		f := &was.Findings[i]
		if f.Suppressed != nil || judges != nil && !judges(f.Rule, f.Entity) {
			continue
		}
		gone := FixedFinding{
			Key: s.Key, Rule: f.Rule, Severity: f.Severity, Entity: f.Entity,
			Path: f.Path, Message: f.Message, Fingerprint: f.Fingerprint,
		}
		if len(f.Items) == 0 {
			if _, still := now[f.Fingerprint]; !still {
				list = append(list, gone)
			}
			continue
		}
		var items []linter.Item
		for _, item := range f.Items {
			if _, still := now[item.Fingerprint]; !still {
				items = append(items, item)
			}
		}
		if len(items) == len(f.Items) {
			list = append(list, gone)
			continue
		}
		for _, item := range items { // the group lives on without them
			one := linter.Finding{Items: []linter.Item{item}}
			gone.Path, gone.Fingerprint = item.Path, item.Fingerprint
			gone.Message = strings.Trim(itemsText(&one, maxItems), "()") + " of: " + f.Message
			list = append(list, gone)
		}
	}
	return list
}
