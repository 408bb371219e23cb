// Package launch knows how MCP servers are started: the entries of client
// configuration files and of our own, and what their command lines mean.
package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Server is one entry: a server and how it is reached. Exactly one of Command,
// URL and From is set. Values are as written; ${NAME} is not looked up.
type Server struct {
	Key string
	// Literal marks what was typed on a command line: the shell has looked up
	// what it should, and a ${NAME} that is left stands for itself.
	Literal bool

	Command string
	Args    []string
	Cwd     string // relative to the entry's folder
	Env     map[string]string
	// PassEnv names variables that are handed on as they are.
	PassEnv []string

	URL     string
	Headers map[string]string
	// HeaderEnv maps a header to the variable that holds its value.
	HeaderEnv map[string]string

	// From is a saved snapshot, relative to the entry's file.
	From string

	// Prepare are build commands to run before the start.
	Prepare [][]string
	// Network names the hosts that the server may reach.
	Network []string
	// Profile names the circumstances under which its lists were seen.
	Profile string

	// StartTimeout and RequestTimeout are zero when the entry gives none.
	StartTimeout, RequestTimeout time.Duration

	// Words are the words of Argv, in its order, with their places in the file;
	// nil for a server that no file names.
	Words []Word

	// Location is the place of the entry's key.
	Location snapshot.Location
	// Invalid says why the entry cannot be used; nil for a usable one.
	Invalid error
}

// Argv is the command line, nil for a server that is not started.
func (s Server) Argv() []string {
	if s.Command == "" {
		return nil
	}
	return append([]string{s.Command}, s.Args...)
}

// Transport names how the server is reached, in the report's words.
func (s Server) Transport() string {
	switch {
	case s.From != "":
		return "file"
	case s.URL != "":
		return "streamable-http"
	}
	return "stdio"
}

// CommandSHA256 identifies the command line without saying it: the hash of its
// words, each ended by a NUL so that no two command lines run together. It is
// "" for a server that is not started.
func (s Server) CommandSHA256() string {
	argv := s.Argv()
	if argv == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(argv, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:])
}

// readers maps the keys of an entry to what reads them.
type readers map[string]func(*Server, jsonc.Value) error

// entryKeys are the keys that both our own file and the clients' files share.
func entryKeys() readers {
	return readers{
		"command": text(func(s *Server) *string { return &s.Command }),
		"args":    texts(func(s *Server) *[]string { return &s.Args }),
		"cwd":     text(func(s *Server) *string { return &s.Cwd }),
		"env":     env,
		"url":     text(func(s *Server) *string { return &s.URL }),
		"headers": textMap(func(s *Server) *map[string]string { return &s.Headers }),
	}
}

// ownKeys are those of .mcp-lint.json.
func ownKeys() readers {
	keys := entryKeys()
	maps.Copy(keys, readers{
		"passEnv":        passEnv,
		"headerEnv":      textMap(func(s *Server) *map[string]string { return &s.HeaderEnv }),
		"from":           text(func(s *Server) *string { return &s.From }),
		"prepare":        commands,
		"network":        texts(func(s *Server) *[]string { return &s.Network }),
		"profile":        profile,
		"startTimeout":   seconds(func(s *Server) *time.Duration { return &s.StartTimeout }),
		"requestTimeout": seconds(func(s *Server) *time.Duration { return &s.RequestTimeout }),
	})
	return keys
}

func text(field func(*Server) *string) func(*Server, jsonc.Value) error {
	return func(s *Server, v jsonc.Value) (err error) {
		*field(s), err = v.Text()
		return err
	}
}

func texts(field func(*Server) *[]string) func(*Server, jsonc.Value) error {
	return func(s *Server, v jsonc.Value) (err error) {
		*field(s), err = v.Texts()
		return err
	}
}

func textMap(field func(*Server) *map[string]string) func(*Server, jsonc.Value) error {
	return func(s *Server, v jsonc.Value) (err error) {
		*field(s), err = v.TextMap()
		return err
	}
}

func env(s *Server, v jsonc.Value) error {
	members, err := v.Object()
	if err != nil {
		return err
	}
	s.Env = make(map[string]string, len(members))
	for _, m := range members {
		if !IsEnvName(m.Name) {
			return v.Errorf("expected names of variables as keys")
		}
		if s.Env[m.Name], err = m.Value.Text(); err != nil {
			return err
		}
	}
	return nil
}

func passEnv(s *Server, v jsonc.Value) error {
	elements, err := v.Array()
	if err != nil {
		return err
	}
	for _, e := range elements {
		name, err := e.Text()
		if err != nil {
			return err
		}
		if !IsEnvName(name) {
			return e.Errorf("expected the name of a variable; its value is taken from the environment")
		}
		s.PassEnv = append(s.PassEnv, name)
	}
	return nil
}

// ProfileWords says what [IsProfile] accepts.
const ProfileWords = "1 to 100 letters, digits, dots, underscores and hyphens"

// IsProfile reports whether a name can be a profile's. The lock's keys have it
// behind an @, so it has none itself.
func IsProfile(name string) bool {
	const longest = 100
	strange := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '_' && r != '-'
	}
	return name != "" && len(name) <= longest && strings.IndexFunc(name, strange) < 0
}

func profile(s *Server, v jsonc.Value) (err error) {
	if s.Profile, err = v.Text(); err == nil && !IsProfile(s.Profile) {
		return v.Errorf("expected a profile's name: %s", ProfileWords)
	}
	return err
}

func seconds(field func(*Server) *time.Duration) func(*Server, jsonc.Value) error {
	return func(s *Server, v jsonc.Value) error {
		n, err := v.Number()
		if err != nil {
			return err
		}
		const longest = 3600
		if n <= 0 || n > longest {
			return v.Errorf("expected seconds, more than 0 and at most %d", longest)
		}
		*field(s) = time.Duration(n * float64(time.Second))
		return nil
	}
}

func commands(s *Server, v jsonc.Value) error {
	elements, err := v.Array()
	if err != nil {
		return err
	}
	for _, e := range elements {
		argv, err := e.Texts()
		if err != nil {
			return err
		}
		if len(argv) == 0 {
			return e.Errorf("expected a command: an array with at least one text")
		}
		s.Prepare = append(s.Prepare, argv)
	}
	return nil
}

// ReadOwn reads one entry of "servers" in .mcp-lint.json.
func ReadOwn(m jsonc.Member) (Server, error) {
	s := Server{Key: m.Name, Location: m.Location()}
	if err := checkKey(m); err != nil {
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
		if err := read(&s, member.Value); err != nil {
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

// maxKey is the longest name of a server, in characters. It comes again with
// every finding.
const maxKey = 200

// checkKey judges the name of an entry.
func checkKey(m jsonc.Member) error {
	switch n := utf8.RuneCountInString(m.Name); {
	case n == 0:
		return m.Errorf("expected a name for the server")
	case n > maxKey:
		return m.Errorf("the server's name has %d characters; expected at most %d", n, maxKey)
	}
	return nil
}
