package main

import (
	"net/http"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/net/http/httpguts"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
)

// remoteFlags say where a remote server is and what to send it. No message
// repeats a URL or the value of a header: both may hold a secret.
type remoteFlags struct {
	url       string
	headers   []string
	headerEnv []string
	// lastWins lets a header given twice replace the first, as in the short
	// form; elsewhere each may be given once.
	lastWins bool
}

func (f *remoteFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.url, "url", "u", "", "remote server at this `URL` instead of a command")
	flags.StringArrayVarP(&f.headers, "header", "H", nil, "with --url: send the header `NAME:VALUE`, which is no secret")
	flags.StringArrayVar(&f.headerEnv, "header-env", nil, "with --url: `NAME=VARIABLE`, a header whose secret value is in that variable")
}

// given reports whether there is anything about a remote server at all.
func (f *remoteFlags) given() bool { return f.url != "" || len(f.headers) > 0 || len(f.headerEnv) > 0 }

// server is the entry for the URL; key and timeouts are those of start.
func (f *remoteFlags) server(start *startFlags) (launch.Server, error) {
	s := launch.Server{
		Key: start.name, Literal: true,
		URL: linter.Trim(f.url), Headers: map[string]string{}, HeaderEnv: map[string]string{},
		StartTimeout: start.startTimeout, RequestTimeout: start.requestTimeout,
	}
	if f.url == "" {
		return s, usagef("--header, --header-env: expected --url with them")
	}
	address, err := launch.ParseURL(s.URL)
	if err != nil {
		return s, usagef("--url: %w", err)
	}
	seen := make(map[string]bool)
	once := func(flag, name string) error {
		name = http.CanonicalHeaderKey(name)
		if seen[name] && !f.lastWins {
			return usagef("%s: the header %s is given twice", flag, name)
		}
		seen[name] = true
		return nil
	}
	for _, header := range f.headers {
		name, value, found := strings.Cut(header, ":")
		name, value = linter.Trim(name), linter.Trim(value)
		if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return s, usagef("--header: expected NAME: VALUE")
		}
		if err := once("--header", name); err != nil {
			return s, err
		}
		s.Headers[http.CanonicalHeaderKey(name)] = value
	}
	for _, header := range f.headerEnv {
		name, variable, found := strings.Cut(header, "=")
		name, variable = linter.Trim(name), linter.Trim(variable)
		if !found || !httpguts.ValidHeaderFieldName(name) || !launch.IsEnvName(variable) {
			return s, usagef("--header-env: expected NAME=VARIABLE")
		}
		if err := once("--header-env", name); err != nil {
			return s, err
		}
		s.HeaderEnv[http.CanonicalHeaderKey(name)] = variable
	}
	if len(s.HeaderEnv) > 0 && address.Scheme == "http" && !launch.IsLocal(address.Hostname()) {
		return s, usagef("--header-env: a secret is not sent over plain http; expected https, or a server on this machine")
	}
	return s, nil
}
