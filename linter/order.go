package linter

import (
	"bytes"
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// kindOrder is the order of kinds in a report.
func kindOrder(k snapshot.Kind) int {
	return slices.Index([]snapshot.Kind{
		snapshot.KindTool, snapshot.KindPrompt, snapshot.KindResource,
		snapshot.KindResourceTemplate, snapshot.KindServer,
	}, k)
}

// sort puts the findings in the order of the report: kind, name, severity
// (worst first), rule. Names compare by ICU's root collation, as the second
// seed has it. Ties keep registry order, then document order.
func (r *run) sort() {
	rank := rankNames(r.found)
	type key struct {
		kind, name int
	}
	keys := make([]key, len(r.found))
	order := make([]int, len(r.found))
	for i := range r.found {
		f := &r.found[i]
		keys[i] = key{kindOrder(f.Entity.Kind), rank[f.Entity.Name]}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &r.found[a], &r.found[b]
		return cmp.Or(
			cmp.Compare(keys[a].kind, keys[b].kind),
			cmp.Compare(keys[a].name, keys[b].name),
			cmp.Compare(y.Severity, x.Severity),
			cmp.Compare(x.Rule, y.Rule),
			cmp.Compare(a, b),
		)
	})
	sorted := make([]Finding, len(order))
	for i, at := range order {
		sorted[i] = r.found[at]
	}
	r.found = sorted
}

// rankNames numbers the names of the findings' entities in collation order;
// names that the collation cannot tell apart share a number.
func rankNames(found []Finding) map[string]int {
	rank := map[string]int{}
	type named struct {
		name string
		key  []byte
	}
	var names []named
	// A collator must not be shared between goroutines.
	c := collate.New(language.Und)
	var buf collate.Buffer
	for i := range found {
		name := found[i].Entity.Name
		if _, ok := rank[name]; !ok {
			rank[name] = 0
			names = append(names, named{name, c.KeyFromString(&buf, name)})
		}
	}
	slices.SortFunc(names, func(a, b named) int { return bytes.Compare(a.key, b.key) })
	for i, n := range names {
		if i > 0 && bytes.Equal(n.key, names[i-1].key) {
			rank[n.name] = rank[names[i-1].name]
		} else {
			rank[n.name] = i
		}
	}
	return rank
}
