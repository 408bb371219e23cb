package registry

import (
	"fmt"
	"net/url"
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
		if scope, ok := strings.CutSuffix(key, ":registry"); ok && strings.HasPrefix(scope, "@") && value != "" {
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
