package advisory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// record is what is read of an OSV record; the rest is read over.
type record struct {
	ID         string     `json:"id"`
	Published  string     `json:"published"`
	Modified   string     `json:"modified"`
	Withdrawn  string     `json:"withdrawn"`
	Summary    string     `json:"summary"`
	Affected   []affected `json:"affected"`
	References []struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"references"`
}

type affected struct {
	Package struct {
		Ecosystem string `json:"ecosystem"`
		Name      string `json:"name"`
	} `json:"package"`
	Versions []string `json:"versions"`
	Ranges   []struct {
		Type   string  `json:"type"`
		Events []event `json:"events"`
	} `json:"ranges"`
}

// event has exactly one of its members.
type event struct {
	Introduced   string `json:"introduced"`
	Fixed        string `json:"fixed"`
	LastAffected string `json:"last_affected"`
	Limit        string `json:"limit"`
}

// longestSummary bounds what is kept of a record's words.
const longestSummary = 200

// fetched tells the registries that a command line can fetch from. Of others
// nothing need be remembered.
func fetched(ecosystem string) bool {
	return slices.Contains([]string{"npm", "PyPI", "Go", "crates.io", "NuGet", "RubyGems", "Maven"}, ecosystem)
}

// advisories are one for each package that the record is about. A record that
// was withdrawn says nothing.
func (r *record) advisories() ([]*Advisory, error) {
	if r.ID == "" {
		return nil, errors.New("expected an OSV record with an id")
	}
	if r.Withdrawn != "" {
		return nil, nil
	}
	var found []*Advisory
	for i := range r.Affected {
		a, err := r.advisory(&r.Affected[i])
		if err != nil {
			return nil, fmt.Errorf("%.100q: affected[%d]: %w", r.ID, i, err)
		}
		if a != nil {
			found = append(found, a)
		}
	}
	return found, nil
}

// advisory is what the record says of one package, nil for nothing of use.
func (r *record) advisory(of *affected) (*Advisory, error) {
	ecosystem, _, _ := strings.Cut(of.Package.Ecosystem, ":") // "Maven:https://…" is another repository of that kind
	if ecosystem == "" && of.Package.Name == "" {
		return nil, nil // about a repository
	}
	if ecosystem == "" || of.Package.Name == "" {
		return nil, errors.New("package: expected an ecosystem and a name")
	}
	if !fetched(ecosystem) {
		return nil, nil
	}
	a := &Advisory{
		ID: strings.Clone(r.ID), Ecosystem: ecosystem, Name: strings.Clone(of.Package.Name),
		Summary: r.summary(), Source: r.source(), Date: r.date(),
	}
	for _, v := range of.Versions {
		a.versions = append(a.versions, Normalize(ecosystem, v))
	}
	limited := len(of.Versions) > 0
	for i, rng := range of.Ranges {
		limited = true
		if rng.Type != "SEMVER" && rng.Type != "ECOSYSTEM" {
			continue // commits
		}
		spans, err := spansOf(ecosystem, rng.Events)
		var order *orderError
		if errors.As(err, &order) && len(of.Versions) > 0 {
			continue // the record lists every version that is meant, too
		}
		if err != nil {
			return nil, fmt.Errorf("ranges[%d]: %w", i, err)
		}
		a.spans = append(a.spans, spans...)
	}
	a.all = !limited || slices.Contains(a.spans, span{})
	if !a.all && len(a.versions)+len(a.spans) == 0 {
		return nil, nil // limited to commits
	}
	return a, nil
}

// orderError says that versions cannot be compared. Old ones of PyPI cannot, by
// the rules that hold today.
type orderError struct{ ecosystem, versions string }

func (e *orderError) Error() string {
	return fmt.Sprintf("events: one of %.100q is no version of %s", e.versions, e.ecosystem)
}

// spansOf orders the events of a range and makes stretches of them.
func spansOf(ecosystem string, events []event) ([]span, error) {
	type point struct {
		version string
		kind    int // at one version: begins, ends before it, ends with it
	}
	const begins, ends, endsWith = 0, 1, 2
	var points []point
	for i, e := range events {
		switch {
		case e.Introduced == "0":
			points = append(points, point{"", begins})
		case e.Introduced != "":
			points = append(points, point{e.Introduced, begins})
		case e.Fixed != "":
			points = append(points, point{e.Fixed, ends})
		case e.LastAffected != "":
			points = append(points, point{e.LastAffected, endsWith})
		case e.Limit != "":
		default:
			return nil, fmt.Errorf("events[%d]: expected introduced, fixed or last_affected", i)
		}
	}
	var bad *orderError
	slices.SortStableFunc(points, func(a, b point) int {
		switch {
		case a.version == "" || b.version == "":
			return len(a.version) - len(b.version)
		}
		c, ok := Compare(ecosystem, a.version, b.version)
		if !ok {
			bad = &orderError{ecosystem, a.version + ", " + b.version}
		}
		return c
	})
	if bad != nil {
		return nil, bad
	}
	var spans []span
	open := false
	for _, p := range points {
		switch {
		case p.kind == begins && !open:
			spans, open = append(spans, span{from: p.version}), true
		case p.kind != begins && open:
			s := &spans[len(spans)-1]
			s.to, s.closed, open = p.version, p.kind == endsWith, false
		}
	}
	return spans, nil
}

func (r *record) summary() string {
	s := strings.Join(strings.Fields(r.Summary), " ")
	if len(s) > longestSummary {
		s = strings.ToValidUTF8(s[:longestSummary], "") + "…"
	}
	return strings.Clone(s)
}

// source is the page that says most: an advisory, else a report, else the first
// of the references; "" for a record without any.
func (r *record) source() string {
	for _, kind := range []string{"ADVISORY", "REPORT", ""} {
		for _, ref := range r.References {
			if (kind == "" || ref.Type == kind) && strings.HasPrefix(ref.URL, "https://") {
				return strings.Clone(ref.URL)
			}
		}
	}
	return ""
}

// date is the day of publication.
func (r *record) date() string {
	day := r.Published
	if day == "" {
		day = r.Modified
	}
	if len(day) > len("2006-01-02") {
		day = day[:len("2006-01-02")]
	}
	return strings.Clone(day)
}
