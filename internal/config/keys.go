package config

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// readers maps each key of the file to what reads it into c.
func (c *Config) readers(known Known) map[string]func(jsonc.Value) error {
	return map[string]func(jsonc.Value) error{
		"$schema":     func(jsonc.Value) error { return nil }, // for editors
		"extends":     func(jsonc.Value) error { return nil }, // read before the others
		"rules":       func(v jsonc.Value) error { return c.readRules(v, known.Rules) },
		"options":     func(v jsonc.Value) error { return c.readOptions(v, known.Options) },
		"ignoreTools": texts(&c.Linter.IgnoreTools),
		"lockIgnore":  texts(&c.LockIgnore),
		"clients":     func(v jsonc.Value) error { return c.readClients(v, known.Clients) },
		"suppress":    func(v jsonc.Value) error { return c.readSuppress(v, known.Rules) },
		"failOn":      level(&c.FailOn),
		"lockFailOn":  level(&c.LockFailOn),
		"minScore":    percent(&c.MinScore),
		"failUnder":   percent(&c.FailUnder),
		"servers":     c.readServers,
		"lock":        c.readLock,
	}
}

// readPreset returns "" when the file does not name one.
func readPreset(v jsonc.Value) (linter.Preset, error) {
	if !v.Present() {
		return "", nil
	}
	name, err := v.Text()
	if err != nil {
		return "", err
	}
	var valid []string
	for _, p := range linter.Presets() {
		if string(p) == name {
			return p, nil
		}
		valid = append(valid, string(p))
	}
	return "", v.Errorf("unknown preset %q; %s", name, jsonc.Suggest(name, valid))
}

func (c *Config) readRules(v jsonc.Value, known []string) error {
	members, err := v.Object()
	if err != nil {
		return err
	}
	c.Linter.Rules = make(map[string]severity.Level, len(members))
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			return m.Unknown("rule", known)
		}
		var l severity.Level
		if err := level(&l)(m.Value); err != nil {
			return err
		}
		c.Linter.Rules[m.Name] = l
	}
	return nil
}

func (c *Config) readOptions(v jsonc.Value, known []string) error {
	members, err := v.Object()
	if err != nil {
		return err
	}
	c.Linter.Options = make(map[string]float64, len(members))
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			return m.Unknown("option", known)
		}
		n, err := m.Value.Number()
		if err != nil {
			return err
		}
		if n < 0 {
			return m.Value.Errorf("expected a number of at least 0")
		}
		c.Linter.Options[m.Name] = n
	}
	return nil
}

func (c *Config) readClients(v jsonc.Value, known []string) error {
	elements, err := v.Array()
	if err != nil {
		return err
	}
	for _, e := range elements {
		name, err := e.Text()
		if err != nil {
			return err
		}
		if !slices.Contains(known, name) {
			return e.Errorf("unknown client %q; %s", name, jsonc.Suggest(name, known))
		}
		c.Linter.Clients = append(c.Linter.Clients, name)
	}
	return nil
}

func (c *Config) readSuppress(v jsonc.Value, rules []string) error {
	elements, err := v.Array()
	if err != nil {
		return err
	}
	for _, e := range elements {
		s, err := readSuppression(e, rules)
		if err != nil {
			return err
		}
		c.Linter.Suppress = append(c.Linter.Suppress, s)
		c.SuppressAt = append(c.SuppressAt, e.Location())
	}
	return nil
}

func readSuppression(v jsonc.Value, rules []string) (s linter.Suppression, err error) {
	fields := map[string]*string{
		"rule": &s.Rule, "server": &s.Server, "entity": &s.Entity, "path": &s.Path,
		"textSha256": &s.TextSHA256, "reason": &s.Reason, "until": &s.Until,
	}
	members, err := v.Object()
	if err != nil {
		return s, err
	}
	for _, m := range members {
		field, ok := fields[m.Name]
		if !ok {
			return s, m.UnknownKey(slices.Collect(maps.Keys(fields)))
		}
		if *field, err = m.Value.Text(); err != nil {
			return s, err
		}
	}
	switch {
	case s.Rule == "":
		return s, v.Errorf("expected the key rule: the ID of the rule to suppress")
	case !slices.Contains(rules, s.Rule):
		return s, v.Get("rule").Errorf("unknown rule %q; %s", s.Rule, jsonc.Suggest(s.Rule, rules))
	case strings.TrimSpace(s.Reason) == "":
		return s, v.Errorf("expected the key reason: why the finding does not count")
	}
	if s.Until != "" {
		if _, err := time.Parse(time.DateOnly, s.Until); err != nil {
			return s, v.Get("until").Errorf("expected a day as YYYY-MM-DD, found %q", s.Until)
		}
	}
	if s.Entity != "" && !isEntity(s.Entity) {
		return s, v.Get("entity").Errorf("expected KIND:NAME with a kind of tool, prompt, resource, resourceTemplate or server, found %q", s.Entity)
	}
	if s.Path != "" && !strings.HasPrefix(s.Path, "/") {
		return s, v.Get("path").Errorf("expected a JSON pointer inside the entity, like /inputSchema/properties/path, found %q", s.Path)
	}
	if s.TextSHA256 != "" && !isSHA256(s.TextSHA256) {
		return s, v.Get("textSha256").Errorf("expected the 64 hex digits of a SHA-256")
	}
	return s, nil
}

// isEntity reports whether s names an entity: kind:name, or the server, which
// needs no name.
func isEntity(s string) bool {
	kind, _, named := strings.Cut(s, ":")
	switch snapshot.Kind(kind) {
	case snapshot.KindServer:
		return true
	case snapshot.KindTool, snapshot.KindPrompt, snapshot.KindResource, snapshot.KindResourceTemplate:
		return named
	}
	return false
}

func isSHA256(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size
}

func (c *Config) readServers(v jsonc.Value) error {
	members, err := v.Object()
	if err != nil {
		return err
	}
	if len(members) > launch.MaxServers {
		return v.Errorf("%d servers; at most %d are checked", len(members), launch.MaxServers)
	}
	c.Servers = make([]launch.Server, 0, len(members))
	for _, m := range members {
		s, err := launch.ReadOwn(m)
		if err != nil {
			return err
		}
		if s.From != "" && !RepositoryPath(s.From) {
			return m.Value.Get("from").Errorf("expected a relative path that stays in the repository, found %q", s.From)
		}
		if s.Cwd != "" && s.Cwd != "." && !RepositoryPath(s.Cwd) {
			return m.Value.Get("cwd").Errorf("expected a relative path that stays in the repository, found %q", s.Cwd)
		}
		c.Servers = append(c.Servers, s)
	}
	return nil
}

func (c *Config) readLock(v jsonc.Value) error {
	p, err := v.Text()
	if err != nil {
		return err
	}
	if !RepositoryPath(p) {
		return v.Errorf("expected a relative path that stays in the repository, found %q", p)
	}
	c.Lock = path.Clean(p)
	return nil
}

func texts(into *[]string) func(jsonc.Value) error {
	return func(v jsonc.Value) (err error) {
		*into, err = v.Texts()
		return err
	}
}

func level(into *severity.Level) func(jsonc.Value) error {
	return func(v jsonc.Value) error {
		name, err := v.Text()
		if err != nil {
			return err
		}
		if *into, err = severity.Parse(name); err != nil {
			return v.Errorf("%s", err)
		}
		return nil
	}
}

func percent(into *float64) func(jsonc.Value) error {
	return func(v jsonc.Value) (err error) {
		if *into, err = v.Number(); err != nil {
			return err
		}
		if *into < 0 || *into > 100 {
			return v.Errorf("expected a number from 0 to 100")
		}
		return nil
	}
}
