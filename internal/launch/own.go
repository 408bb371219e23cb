package launch

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// ownKeys are those of .mcp-lint.json.
func ownKeys() readers {
	return entryKeys().with(readers{
		"passEnv":        passEnv,
		"headerEnv":      headerEnv,
		"from":           text(func(s *Server) *string { return &s.From }),
		"prepare":        commands,
		"network":        texts(func(s *Server) *[]string { return &s.Network }),
		"profile":        profile,
		"startTimeout":   seconds(func(s *Server) *time.Duration { return &s.StartTimeout }),
		"requestTimeout": seconds(func(s *Server) *time.Duration { return &s.RequestTimeout }),
	})
}

func passEnv(s *Server, v *node) error {
	elements, err := v.asArray()
	if err != nil {
		return err
	}
	for _, e := range elements {
		name, err := e.asText()
		if err != nil {
			return err
		}
		if !IsEnvName(name) {
			return e.errorf("expected the name of a variable; its value is taken from the environment")
		}
		s.PassEnv = append(s.PassEnv, name)
	}
	return nil
}

// headerEnv maps headers to the variables that hold their values.
func headerEnv(s *Server, v *node) error {
	members, err := v.asObject()
	if err != nil {
		return err
	}
	s.HeaderEnv = make(map[string]string, len(members))
	for _, m := range members {
		if s.HeaderEnv[m.name], err = m.value.asText(); err != nil {
			return err
		}
	}
	return nil
}

func profile(s *Server, v *node) (err error) {
	if s.Profile, err = v.asText(); err == nil && !IsProfile(s.Profile) {
		return v.errorf("expected a profile's name: %s", ProfileWords)
	}
	return err
}

func seconds(field func(*Server) *time.Duration) func(*Server, *node) error {
	return func(s *Server, v *node) error {
		if err := v.expect(aNumber); err != nil {
			return err
		}
		const longest = 3600
		n, err := strconv.ParseFloat(v.text, 64)
		if err != nil || n <= 0 || n > longest {
			return v.errorf("expected seconds, more than 0 and at most %d", longest)
		}
		*field(s) = time.Duration(n * float64(time.Second))
		return nil
	}
}

func commands(s *Server, v *node) error {
	elements, err := v.asArray()
	if err != nil {
		return err
	}
	for _, e := range elements {
		argv, err := e.asTexts()
		if err != nil {
			return err
		}
		if len(argv) == 0 {
			return e.errorf("expected a command: an array with at least one text")
		}
		s.Prepare = append(s.Prepare, argv)
	}
	return nil
}

// ReadOwn reads one entry of "servers" in .mcp-lint.json.
func ReadOwn(m jsonc.Member) (Server, error) {
	s := Server{Key: m.Name, Location: m.Location()}
	if err := checkKey(jsonMember(m)); err != nil {
		return s, err
	}
	members, err := m.Value.Object()
	if err != nil {
		return s, err
	}
	keys := ownKeys()
	for _, member := range members {
		read, ok := keys[member.Name]
		if !ok {
			return s, member.UnknownKey(slices.Collect(maps.Keys(keys)))
		}
		if member.Value.IsObject() {
			if _, err := member.Value.Object(); err != nil { // a name stands there twice
				return s, err
			}
		}
		if err := read(&s, fromJSON(member.Value)); err != nil {
			return s, err
		}
	}
	ways := 0
	for _, way := range []string{s.Command, s.URL, s.From} {
		if way != "" {
			ways++
		}
	}
	if ways != 1 {
		return s, m.Value.Errorf("expected exactly one of command, url and from; found %d of them", ways)
	}
	return s, nil
}
