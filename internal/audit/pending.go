package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// pending says what the head's configuration would change once it is merged.
// Until then the trusted one decides; a reviewer must see what they approve.
func pending(trusted, head *config.Config) []string {
	var p []string
	add := func(what, now, then string) {
		if now != then {
			p = append(p, snapshot.Visible(fmt.Sprintf("%s: %s → %s", what, now, then)))
		}
	}
	add("extends", string(trusted.Linter.Preset), string(head.Linter.Preset))
	add("failOn", threshold(trusted.FailOn), threshold(head.FailOn))
	add("lockFailOn", threshold(trusted.LockFailOn), threshold(head.LockFailOn))
	add("minScore", number(trusted.MinScore), number(head.MinScore))
	add("failUnder", number(trusted.FailUnder), number(head.FailUnder))
	add("lock", trusted.Lock, head.Lock)
	add("ignoreTools", list(trusted.Linter.IgnoreTools), list(head.Linter.IgnoreTools))
	add("lockIgnore", list(trusted.LockIgnore), list(head.LockIgnore))
	add("clients", clients(trusted), clients(head))
	for _, rule := range unionKeys(trusted.Linter.Rules, head.Linter.Rules) {
		add("rules: "+rule, levelOf(trusted.Linter.Rules, rule), levelOf(head.Linter.Rules, rule))
	}
	for _, option := range unionKeys(trusted.Linter.Options, head.Linter.Options) {
		add("options: "+option, numberOf(trusted.Linter.Options, option), numberOf(head.Linter.Options, option))
	}
	p = append(p, pendingSuppressions(trusted.Linter.Suppress, head.Linter.Suppress)...)
	return append(p, pendingServers(trusted.Servers, head.Servers)...)
}

// pendingServers says which entries change. They count at once, but another
// server under an old name is what a reviewer must know. Values stay out: a
// command line may hold a token.
func pendingServers(trusted, head []launch.Server) []string {
	if trusted == nil && head == nil {
		return nil
	}
	before := make(map[string]launch.Server, len(trusted))
	for _, s := range trusted {
		before[s.Key] = s
	}
	var p []string
	say := func(key, what string) { p = append(p, snapshot.Visible("servers: "+key+": "+what)) }
	for _, s := range head {
		old, known := before[s.Key]
		delete(before, s.Key)
		if changed := changedKeys(old, s); !known {
			say(s.Key, "added")
		} else if len(changed) > 0 {
			say(s.Key, "changes "+strings.Join(changed, ", "))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		say(key, "removed")
	}
	return p
}

// changedKeys names the keys of an entry that differ.
func changedKeys(a, b launch.Server) []string {
	var keys []string
	for _, k := range []struct {
		name string
		same bool
	}{
		{"command", a.Command == b.Command}, {"args", slices.Equal(a.Args, b.Args)}, {"cwd", a.Cwd == b.Cwd},
		{"env", maps.Equal(a.Env, b.Env)}, {"passEnv", slices.Equal(a.PassEnv, b.PassEnv)}, {"url", a.URL == b.URL},
		{"headers", maps.Equal(a.Headers, b.Headers)}, {"headerEnv", maps.Equal(a.HeaderEnv, b.HeaderEnv)}, {"from", a.From == b.From},
		{"prepare", slices.EqualFunc(a.Prepare, b.Prepare, slices.Equal)}, {"network", slices.Equal(a.Network, b.Network)},
		{"profile", a.Profile == b.Profile},
	} {
		if !k.same {
			keys = append(keys, k.name)
		}
	}
	return keys
}

func pendingSuppressions(trusted, head []linter.Suppression) []string {
	var p []string
	say := func(verb string, s linter.Suppression) {
		p = append(p, snapshot.Visible(fmt.Sprintf("suppress: %s %s (%s): %s", verb, s.Rule, reach(s), s.Reason)))
	}
	for _, s := range head {
		if !slices.Contains(trusted, s) {
			say("adds", s)
		}
	}
	for _, s := range trusted {
		if !slices.Contains(head, s) {
			say("removes", s)
		}
	}
	return p
}

// reach says in words what a suppression silences.
func reach(s linter.Suppression) string {
	var parts []string
	for _, part := range []struct{ what, value string }{
		{"server", s.Server}, {"entity", s.Entity}, {"path", s.Path}, {"until", s.Until},
	} {
		if part.value != "" {
			parts = append(parts, part.what+" "+part.value)
		}
	}
	if s.TextSHA256 != "" {
		parts = append(parts, "for one text only")
	}
	if len(parts) == 0 {
		return "everywhere"
	}
	return strings.Join(parts, ", ")
}

// threshold is a level in the words of failOn.
func threshold(l severity.Level) string {
	if l == severity.Off {
		return "never"
	}
	return l.String()
}

func number(f float64) string { return fmt.Sprintf("%g", f) }

func list(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, ", ")
}

// clients names those that findings are narrowed to.
func clients(c *config.Config) string {
	if len(c.Linter.Clients) == 0 {
		return "all"
	}
	return list(c.Linter.Clients)
}

func unionKeys[V any](a, b map[string]V) []string {
	union := maps.Clone(a)
	if union == nil {
		union = make(map[string]V, len(b))
	}
	maps.Copy(union, b)
	return slices.Sorted(maps.Keys(union))
}

func levelOf(rules map[string]severity.Level, rule string) string {
	if l, ok := rules[rule]; ok {
		return l.String()
	}
	return "as the preset has it"
}

func numberOf(options map[string]float64, option string) string {
	if n, ok := options[option]; ok {
		return number(n)
	}
	return "default"
}
