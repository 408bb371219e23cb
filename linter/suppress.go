package linter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// suppression is a [Suppression] that has been checked.
type suppression struct {
	Suppression
	expired bool
}

// SuppressionState tells how one configured suppression fared in a run.
type SuppressionState struct {
	Suppression
	// Index is its position in the configuration.
	Index int
	// Expired means that its last day is over. It then silences nothing.
	Expired bool
	// Matched counts the findings that it is about, whether it silenced them
	// or not.
	Matched int
	// TextChanged counts those that it would have silenced, had the text not
	// changed since it was written.
	TextChanged int
	// NowSHA256 is the hash of the text that the last of these is about.
	NowSHA256 string
}

func readSuppressions(c Config, ids []string) ([]suppression, error) {
	list := make([]suppression, 0, len(c.Suppress))
	for i, s := range c.Suppress {
		if err := checkSuppression(s, ids); err != nil {
			return nil, fmt.Errorf("suppress[%d]: %w", i, err)
		}
		expired := s.Until != "" && !c.Today.IsZero() && c.Today.Format(time.DateOnly) > s.Until
		s.TextSHA256 = strings.ToLower(s.TextSHA256)
		list = append(list, suppression{s, expired})
	}
	return list, nil
}

func checkSuppression(s Suppression, ids []string) error {
	known := false
	for _, id := range ids {
		known = known || id == s.Rule
	}
	switch {
	case s.Rule == "":
		return fmt.Errorf("no rule; expected the ID of the rule to suppress")
	case !known:
		return fmt.Errorf("unknown rule %s", suggest(s.Rule, ids))
	case IsBlank(s.Reason):
		return fmt.Errorf("no reason; expected why %s does not apply", s.Rule)
	case s.Path != "" && s.Path[0] != '/':
		return fmt.Errorf("path is %q; expected a JSON pointer inside the entity, like /inputSchema/properties/path", s.Path)
	}
	if s.Entity != "" {
		kind, _, named := strings.Cut(s.Entity, ":")
		if kindOrder(snapshot.Kind(kind)) < 0 || !named && kind != string(snapshot.KindServer) {
			return fmt.Errorf("entity is %q; expected KIND:NAME with a kind of tool, prompt, resource, resourceTemplate or server", s.Entity)
		}
	}
	if s.Until != "" {
		if _, err := time.Parse(time.DateOnly, s.Until); err != nil {
			return fmt.Errorf("until is %q; expected a date as YYYY-MM-DD", s.Until)
		}
	}
	if s.TextSHA256 != "" {
		if b, err := hex.DecodeString(s.TextSHA256); err != nil || len(b) != sha256.Size {
			return fmt.Errorf("text hash is %q; expected the 64 hex digits of a SHA-256", s.TextSHA256)
		}
	}
	return nil
}

// names reports whether the suppression is about this rule and entity here;
// the path is left to the caller.
func (s *suppression) names(r *run, e *Entity, rule string) bool {
	return s.Rule == rule &&
		(s.Server == "" || s.Server == r.snapshot.Key) &&
		(s.Entity == "" || s.Entity == string(e.Ref.Kind)+":"+e.Ref.Name ||
			s.Entity == string(snapshot.KindServer) && e.Ref.Kind == snapshot.KindServer)
}

func (r *run) prepareSuppressions() {
	r.suppressions = make([]SuppressionState, len(r.linter.suppress))
	for i, s := range r.linter.suppress {
		r.suppressions[i] = SuppressionState{Suppression: s.Suppression, Index: i, Expired: s.expired}
	}
}

// suppress returns the first suppression in force for a finding, nil when
// there is none.
func (r *run) suppress(e *Entity, f *Finding, path string) *Suppressed {
	var by *Suppressed
	ofTools := len(f.Items) > 0 && f.Items[0].Of != nil
	for i := range r.linter.suppress {
		s := &r.linter.suppress[i]
		if ofTools && s.TextSHA256 != "" {
			continue // a text of one of them: splitSuppressed has looked
		}
		if (s.Path == "" || s.Path == path) && s.names(r, e, f.Rule) && r.apply(i, e, path) && by == nil {
			by = &Suppressed{Reason: s.Reason, Until: s.Until}
		}
	}
	return by
}

// apply counts a match and tells whether it silences.
func (r *run) apply(i int, e *Entity, path string) bool {
	s, state := &r.linter.suppress[i], &r.suppressions[i]
	state.Matched++
	if s.expired {
		return false
	}
	if s.TextSHA256 != "" {
		if now := e.textHash(path); s.TextSHA256 != now {
			state.TextChanged++
			state.NowSHA256 = now
			return false
		}
	}
	r.used[i] = true
	return true
}

// textHash is the lower hex SHA-256 of the text that a finding is about: the
// one at its path, else the entity's description.
func (e *Entity) textHash(path string) string {
	at := e.Node().At(path)
	if e.source == nil {
		at = e.run.serverNode(path)
	}
	if at.IsText() {
		return hashText(at.Text())
	}
	if e.hash == "" {
		e.hash = hashText(e.Description())
	}
	return e.hash
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// covers reports whether the suppression is about one member of a group on e,
// and whose fault that is at which path.
func (s *suppression) covers(r *run, e *Entity, item *Item, rule string) (owner *Entity, path string, ok bool) {
	owner, path = e, item.Path
	here := s.Path != "" && s.names(r, e, rule)
	if item.Of == nil {
		return owner, path, here && s.Path == path
	}
	owner, path = item.Of, item.inside()
	// On the server /tools/NAME stands for all that the tool has.
	here = here && (s.Path == item.Path || s.Path == strings.TrimSuffix(item.Path, path))
	bound := s.Path == path || s.Path == "" && (s.Entity != "" || s.TextSHA256 != "")
	return owner, path, here || bound && s.names(r, owner, rule)
}

type suppressedItems struct {
	by    *Suppressed
	items []Item
}

// splitSuppressed takes out of a group what suppressions with a path are
// about, and in a group of tools what is bound to a tool or to its text. Others
// without a path, or with the group's own path, apply to the whole.
func (r *run) splitSuppressed(e *Entity, rule string, items []Item) (kept []Item, rest []suppressedItems) {
	var mine []int
	for i := range r.linter.suppress {
		if s := &r.linter.suppress[i]; s.Rule == rule && (s.Path != "" || s.Entity != "" || s.TextSHA256 != "") {
			mine = append(mine, i)
		}
	}
	if len(mine) == 0 {
		return items, nil
	}
	groups := map[int]int{} // suppression to its place in rest
	for _, item := range items {
		by := -1
		for _, i := range mine {
			if owner, path, ok := r.linter.suppress[i].covers(r, e, &item, rule); ok && r.apply(i, owner, path) && by < 0 {
				by = i
			}
		}
		if by < 0 {
			kept = append(kept, item)
			continue
		}
		at, ok := groups[by]
		if !ok {
			at = len(rest)
			groups[by] = at
			s := &r.linter.suppress[by]
			rest = append(rest, suppressedItems{by: &Suppressed{Reason: s.Reason, Until: s.Until}})
		}
		rest[at].items = append(rest[at].items, item)
	}
	return kept, rest
}

// Unused returns the places in the configuration of the suppressions that
// silenced nothing in any of the results and that no single run can judge,
// because they name no server. All results must come from this linter.
func (l *Linter) Unused(results ...Result) []int {
	var unused []int
	for i := range l.suppress {
		used := l.suppress[i].Server != ""
		for _, r := range results {
			used = used || i < len(r.used) && r.used[i]
		}
		if !used {
			unused = append(unused, i)
		}
	}
	return unused
}
