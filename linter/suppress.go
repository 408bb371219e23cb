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
	return s.isOn(r, rule) &&
		(s.Entity == "" || s.Entity == string(e.Ref.Kind)+":"+e.Ref.Name ||
			s.Entity == string(snapshot.KindServer) && e.Ref.Kind == snapshot.KindServer)
}

// isOn reports whether the suppression is about this rule on this server.
func (s *suppression) isOn(r *run, rule string) bool {
	return s.Rule == rule && (s.Server == "" || s.Server == r.snapshot.Key)
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
	for i := range r.linter.suppress {
		s := &r.linter.suppress[i]
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

type suppressedItems struct {
	by    *Suppressed
	items []Item
}

// splitSuppressed takes out of a group what suppressions with a path are
// about, and those of a tool out of a group on the server. Others, and those
// with the group's own path, apply to the whole.
func (r *run) splitSuppressed(e *Entity, rule string, items []Item) (kept []Item, rest []suppressedItems) {
	var mine []itemSuppression
	for i := range r.linter.suppress {
		s := &r.linter.suppress[i]
		if name, ok := strings.CutPrefix(s.Entity, string(snapshot.KindTool)+":"); ok && e.Ref.Kind == snapshot.KindServer {
			if tool := r.toolNamed(name); tool != nil && s.isOn(r, rule) {
				mine = append(mine, itemSuppression{i, tool, snapshot.AppendPointer("/tools", name)})
			}
		} else if s.Path != "" && s.names(r, e, rule) {
			mine = append(mine, itemSuppression{i, e, ""})
		}
	}
	if len(mine) == 0 {
		return items, nil
	}
	groups := map[int]int{} // suppression to its place in rest
	for _, item := range items {
		by := -1
		for _, m := range mine {
			if path, ok := m.covers(r, item.Path); ok && r.apply(m.index, m.entity, path) && by < 0 {
				by = m.index
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

// itemSuppression is a suppression that may be about members of a group.
type itemSuppression struct {
	index  int
	entity *Entity
	base   string // of the entity's pointers among the group's
}

// covers returns the pointer inside the entity of what stands at a path of the
// group; ok is false when the suppression is not about it.
func (m *itemSuppression) covers(r *run, path string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(path, m.base)
	if !ok || m.base != "" && inner != "" && inner[0] != '/' {
		return "", false
	}
	wanted := r.linter.suppress[m.index].Path
	return inner, wanted == "" || wanted == inner
}

// toolNamed returns the first tool of a name, nil when there is none.
func (r *run) toolNamed(name string) *Entity {
	for _, tool := range r.tools {
		if tool.Ref.Name == name {
			return tool
		}
	}
	return nil
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
