// Package launch knows how MCP servers are started: the entries of client
// configuration files and of our own, and what their command lines mean.
package launch

import (
	"maps"
	"strings"
	"time"
	"unicode/utf8"

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
	// Settings are the entry's other texts, in the order of the file.
	Settings []Setting

	// Client is the client whose file the entry stands in (vscode), "" for our own.
	Client string
	// Scope is the project that the entry is for where a file has several: the
	// folder as that file names it.
	Scope string
	// Disabled: the client does not start it before somebody switches it on.
	Disabled bool
	// SSE: the entry asks for the older HTTP+SSE transport.
	SSE bool
	// Twice are the names that the file has twice, in or around the entry.
	Twice []Twice
	// Twins are entries of other files that start the same under the same name.
	Twins []Server

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
// words, each ended by a NUL so that no two command lines run together. For a
// remote server it is that of scheme, host, port and path. It is "" for a
// server that is neither started nor asked.
func (s Server) CommandSHA256() string {
	if s.URL != "" {
		return urlSHA256(s.URL, s.Literal)
	}
	argv := s.Argv()
	if argv == nil {
		return ""
	}
	return sumOf(argv...)
}

// readers maps the keys of an entry to what reads them.
type readers map[string]func(*Server, *node) error

// entryKeys are the keys that both our own file and the clients' files share.
func entryKeys() readers {
	return readers{
		"command": command,
		"args":    arguments,
		"cwd":     text(func(s *Server) *string { return &s.Cwd }),
		"env":     env,
		"url":     address,
		"headers": headers,
	}
}

// with is a copy with more keys, which beat those that are there.
func (r readers) with(more readers) readers {
	all := maps.Clone(r)
	maps.Copy(all, more)
	return all
}

func text(field func(*Server) *string) func(*Server, *node) error {
	return func(s *Server, v *node) (err error) {
		*field(s), err = v.asText()
		return err
	}
}

func texts(field func(*Server) *[]string) func(*Server, *node) error {
	return func(s *Server, v *node) (err error) {
		*field(s), err = v.asTexts()
		return err
	}
}

// command is the first word. It may stand behind the others in the file.
func command(s *Server, v *node) (err error) {
	if s.Command, err = v.asText(); err == nil && s.Command != "" {
		s.Words = append([]Word{v.word()}, s.Words...)
	}
	return err
}

func arguments(s *Server, v *node) error {
	args, err := v.asTexts()
	if err != nil {
		return err
	}
	s.Args = args
	for _, e := range v.elements {
		s.Words = append(s.Words, e.word())
	}
	return nil
}

func address(s *Server, v *node) (err error) {
	if s.URL, err = v.asText(); err == nil {
		s.Settings = append(s.Settings, Setting{Kind: Address, Word: v.word()})
	}
	return err
}

func headers(s *Server, v *node) error {
	values, err := settings(s, Header, v)
	s.Headers = values
	return err
}

func env(s *Server, v *node) error {
	for _, m := range v.members {
		if !IsEnvName(m.name) {
			return v.errorf("expected names of variables as keys")
		}
	}
	values, err := settings(s, Variable, v)
	s.Env = values
	return err
}

// settings takes texts with their names. Of two with one name the last counts.
func settings(s *Server, kind SettingKind, v *node) (map[string]string, error) {
	members, err := v.asObject()
	if err != nil {
		return nil, err
	}
	values := make(map[string]string, len(members))
	for _, m := range members {
		value, err := m.value.asText()
		if err != nil {
			return nil, err
		}
		values[m.name] = value
		s.Settings = append(s.Settings, Setting{Kind: kind, Name: m.name, Word: m.value.word()})
	}
	return values, nil
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

// maxKey is the longest name of a server, in characters. It comes again with
// every finding.
const maxKey = 200

// checkKey judges the name of an entry.
func checkKey(m member) error {
	switch n := utf8.RuneCountInString(m.name); {
	case n == 0:
		return m.errorf("expected a name for the server")
	case n > maxKey:
		return m.errorf("the server's name has %d characters; expected at most %d", n, maxKey)
	}
	return nil
}
