package launch

import (
	"cmp"
	"path"
	"strings"
)

// readRegistry reads the manifest that a server's author gives to the registry,
// server.json: every package is a server that clients start from what the
// manifest says, every remote one that they reach:
// https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json.
func readRegistry(r *reader, root *node) bool {
	name := root.get("name")
	packages, remotes := root.get("packages"), root.get("remotes")
	if !name.is(aText) || !isRegistryManifest(r.file, root) || !packages.is(anArray) && !remotes.is(anArray) {
		return false
	}
	total := 0
	for _, list := range []*node{packages, remotes} {
		if list.is(anArray) {
			total += len(list.elements)
		}
	}
	add := func(e *node, suffix string, read func(*Server, *node) error) {
		key := member{name: name.text, at: e.at, places: e.places, value: e}
		if total > 1 {
			key.name += ":" + suffix
		}
		r.addPackage(key, read)
	}
	if packages.is(anArray) {
		for _, e := range packages.elements {
			switch kind := registryType(e); kind {
			case "mcpb": // a bundle: clients unpack it, no command starts it
			default:
				add(e, cmp.Or(kind, "package"), registryPackage)
			}
		}
	}
	if remotes.is(anArray) {
		for _, e := range remotes.elements {
			add(e, "remote", registryRemote)
		}
	}
	return true
}

// isRegistryManifest tells the manifest from other files with packages.
func isRegistryManifest(file string, root *node) bool {
	schema := root.get("$schema")
	return schema.is(aText) && strings.Contains(schema.text, "modelcontextprotocol") || path.Base(slashed(file)) == "server.json"
}

func (r *reader) addPackage(m member, read func(*Server, *node) error) {
	s := Server{Key: m.name, Client: "registry", Location: m.location()}
	if s.Invalid = checkKey(m); s.Invalid == nil {
		if s.Invalid = m.value.expect(anObject); s.Invalid == nil {
			s.Invalid = read(&s, m.value)
		}
	}
	r.servers = append(r.servers, s)
}

// either returns a member by its name, or by the older one.
func either(n *node, name, older string) *node { return cmp.Or(n.get(name), n.get(older)) }

func registryType(e *node) string {
	kind := either(e, "registryType", "registry_type")
	if !kind.is(aText) {
		return ""
	}
	return kind.text
}

// registryPackage makes the command that clients make of a package.
func registryPackage(s *Server, v *node) error {
	id := v.get("identifier")
	if !id.is(aText) {
		return v.errorf("expected the package's identifier")
	}
	version := ""
	if n := v.get("version"); n.is(aText) {
		version = n.text
	}
	var command, flags []string
	spec := id.text
	switch registryType(v) {
	case "npm":
		command, flags = []string{"npx"}, []string{"-y"}
		spec = versioned(spec, "@", version)
	case "pypi":
		command = []string{"uvx"}
		spec = versioned(spec, "==", version)
	case "nuget":
		command = []string{"dnx"}
		spec = versioned(spec, "@", version)
	case "oci":
		command, flags = []string{"docker", "run"}, []string{"-i", "--rm"}
		if !strings.ContainsAny(path.Base(spec), ":@") {
			spec = versioned(spec, ":", version)
		}
	default:
		return v.errorf("expected a registryType that can be started: npm, pypi, oci or nuget")
	}
	if hint := either(v, "runtimeHint", "runtime_hint"); hint.is(aText) && hint.text != "" {
		command[0] = hint.text
	}
	implied := func(text string) { s.Words = append(s.Words, Word{Text: text, Location: id.location()}) }
	for _, word := range command {
		implied(word)
	}
	before := len(s.Words)
	s.registryArguments(either(v, "runtimeArguments", "runtime_arguments"))
	if len(s.Words) == before {
		for _, flag := range flags {
			implied(flag)
		}
	}
	implied(spec)
	s.registryArguments(either(v, "packageArguments", "package_arguments"))
	for i, word := range s.Words {
		if i == 0 {
			s.Command = word.Text
			continue
		}
		s.Args = append(s.Args, word.Text)
	}
	s.Env = s.registryValues(Variable, either(v, "environmentVariables", "environment_variables"))
	return nil
}

func versioned(name, separator, version string) string {
	if version == "" {
		return name
	}
	return name + separator + version
}

// registryArguments adds arguments that have a value, by themselves or by
// default; others are asked for before the start.
func (s *Server) registryArguments(list *node) {
	if !list.is(anArray) {
		return
	}
	for _, a := range list.elements {
		value, name := cmp.Or(a.get("value"), a.get("default")), a.get("name")
		if name.is(aText) && (value.is(aText) || a.get("value") == nil) {
			s.Words = append(s.Words, name.word())
		}
		if value.is(aText) {
			s.Words = append(s.Words, value.word())
		}
	}
}

// registryValues are variables or headers: those with a value, and a reference
// by its own name for what must be given.
func (s *Server) registryValues(kind SettingKind, list *node) map[string]string {
	if !list.is(anArray) {
		return nil
	}
	values := make(map[string]string, len(list.elements))
	for _, e := range list.elements {
		name, value := e.get("name"), cmp.Or(e.get("value"), e.get("default"))
		if !name.is(aText) || !IsEnvName(name.text) {
			continue
		}
		required := either(e, "isRequired", "is_required")
		switch {
		case value.is(aText):
			values[name.text] = value.text
			s.Settings = append(s.Settings, Setting{Kind: kind, Name: name.text, Word: value.word()})
		case required.is(aBoolean) && required.text == "true":
			values[name.text] = "${" + name.text + "}"
		}
	}
	return values
}

// registryRemote is a server that is reached and not started.
func registryRemote(s *Server, v *node) error {
	url := v.get("url")
	if url == nil {
		return v.errorf("expected command or url")
	}
	kind := either(v, "type", "transport_type")
	s.SSE = kind.is(aText) && kind.text == "sse"
	s.Headers = s.registryValues(Header, v.get("headers"))
	return address(s, url)
}
