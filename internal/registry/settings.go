package registry

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Settings say which registries are asked. All URLs are without credentials.
// The zero value knows none; [FromEnvironment] fills in the defaults.
type Settings struct {
	// NPM is the registry; NPMScopes those of single scopes ("@acme").
	NPM       string
	NPMScopes map[string]string
	// PyPI are the indexes: the first that has a package is believed, as uv
	// does, so that nobody can register an inner name at the public index.
	PyPI []string
	// Go is GOPROXY, GoPrivate the patterns of modules that no proxy is asked.
	Go, GoPrivate string
}

// The registries that the tools ask when nothing is set.
const (
	defaultNPM  = "https://registry.npmjs.org"
	defaultPyPI = "https://pypi.org/simple"
	defaultGo   = "https://proxy.golang.org,direct"
)

// FromEnvironment reads the settings where the tools themselves read them: in
// the environment, then in the operator's own npmrc, pip.conf and Go's env file.
// No file is looked for elsewhere than below the operator's home and
// configuration folders, or where a variable says. An address that is no http
// URL is an error.
func FromEnvironment(lookup func(string) (string, bool)) (Settings, error) {
	env := environment(lookup)
	npmrc := env.npmrc()
	pip := env.pipConf()
	goEnv := env.goEnv()
	s := Settings{
		NPM:       first(env.get("npm_config_registry"), env.get("NPM_CONFIG_REGISTRY"), npmrc["registry"], defaultNPM),
		NPMScopes: map[string]string{},
		Go:        first(env.get("GOPROXY"), goEnv["GOPROXY"], defaultGo),
		GoPrivate: first(env.get("GONOPROXY"), goEnv["GONOPROXY"], env.get("GOPRIVATE"), goEnv["GOPRIVATE"]),
	}
	for key, value := range npmrc {
		if scope, ok := strings.CutSuffix(key, ":registry"); ok && strings.HasPrefix(scope, "@") {
			s.NPMScopes[scope] = value
		}
	}
	s.PyPI = append(s.PyPI, indexes(env.get("UV_INDEX"))...)
	s.PyPI = append(s.PyPI, indexes(env.get("UV_EXTRA_INDEX_URL"))...)
	s.PyPI = append(s.PyPI, indexes(first(env.get("PIP_EXTRA_INDEX_URL"), pip["extra-index-url"]))...)
	s.PyPI = append(s.PyPI, first(env.get("UV_DEFAULT_INDEX"), env.get("UV_INDEX_URL"), env.get("PIP_INDEX_URL"), pip["index-url"], defaultPyPI))
	return s, s.clean()
}

// clean checks the addresses and takes credentials and trailing slashes away.
func (s *Settings) clean() (err error) {
	if s.NPM, err = cleanURL("npm's registry", s.NPM); err != nil {
		return err
	}
	for scope, address := range s.NPMScopes {
		if s.NPMScopes[scope], err = cleanURL("npm's registry of a scope", address); err != nil {
			return err
		}
	}
	for i := range s.PyPI {
		if s.PyPI[i], err = cleanURL("the Python package index", s.PyPI[i]); err != nil {
			return err
		}
	}
	return nil
}

// cleanURL is a registry's address as it is asked. The error does not quote it:
// it may hold a password.
func cleanURL(what, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%s is set to something else than an http or https URL", what)
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return strings.TrimSuffix(u.String(), "/"), nil
}

// indexes splits uv's and pip's lists of further indexes; uv's may be named:
// NAME=URL.
func indexes(list string) []string {
	fields := strings.Fields(list)
	for i, f := range fields {
		if name, address, named := strings.Cut(f, "="); named && !strings.ContainsAny(name, ":/") {
			fields[i] = address
		}
	}
	return fields
}

// environment looks variables up, as os.LookupEnv does.
type environment func(string) (string, bool)

func (e environment) get(name string) string {
	value, _ := e(name)
	return value
}

// npmrc are the settings of npm's user file.
func (e environment) npmrc() map[string]string {
	file := first(e.get("npm_config_userconfig"), e.get("NPM_CONFIG_USERCONFIG"), e.inHome(".npmrc"))
	return e.readFile(file)
}

// pipConf are the settings of pip's user file; its sections all count.
func (e environment) pipConf() map[string]string {
	file := first(e.get("PIP_CONFIG_FILE"), e.inConfig("pip", "pip.conf"))
	if runtime.GOOS == "windows" {
		file = first(e.get("PIP_CONFIG_FILE"), e.inConfig("pip", "pip.ini"))
	}
	return e.readFile(file)
}

// goEnv are the settings of "go env -w".
func (e environment) goEnv() map[string]string {
	file := first(e.get("GOENV"), e.inConfig("go", "env"))
	if file == "off" {
		return nil
	}
	return e.readFile(file)
}

func (e environment) inHome(name string) string {
	home := first(e.get("HOME"), e.get("USERPROFILE"))
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, name)
}

// inConfig is a file below the user's configuration folder, which is where
// os.UserConfigDir finds it for the process itself.
func (e environment) inConfig(names ...string) string {
	dir := ""
	switch runtime.GOOS {
	case "windows":
		dir = e.get("APPDATA")
	case "darwin":
		dir = e.inHome(filepath.Join("Library", "Application Support"))
	default:
		dir = first(e.get("XDG_CONFIG_HOME"), e.inHome(".config"))
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}

// readFile reads lines "key = value", which is what the three formats have in
// common; ${NAME} is looked up, as npm does. A file that is not there has none.
func (e environment) readFile(file string) map[string]string {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	found := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		found[strings.TrimSpace(key)] = os.Expand(value, func(name string) string { return e.get(name) })
	}
	return found
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// proxyList reads GOPROXY (go.dev/ref/mod#goproxy-protocol): proxies are asked
// in order; after a comma only when the one before does not have the module,
// after a bar whatever went wrong.
func proxyList(text string) ([]proxyEntry, error) {
	var list []proxyEntry
	for text != "" {
		end := strings.IndexAny(text, ",|")
		entry := proxyEntry{address: text}
		if end >= 0 {
			entry.address, entry.orElse = text[:end], text[end] == '|'
			text = text[end+1:]
		} else {
			text = ""
		}
		entry.address = strings.TrimSpace(entry.address)
		switch entry.address {
		case "":
			continue
		case "direct", "off":
		default:
			var err error
			if entry.address, err = cleanURL("a proxy of GOPROXY", entry.address); err != nil {
				return nil, err
			}
		}
		list = append(list, entry)
	}
	if len(list) == 0 {
		return nil, errors.New("GOPROXY names no proxy")
	}
	return list, nil
}

// proxyEntry is one element of GOPROXY.
type proxyEntry struct {
	address string // or "direct", "off"
	orElse  bool   // the next is asked after any error
}
