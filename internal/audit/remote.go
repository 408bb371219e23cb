package audit

import (
	"context"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/mcp-lint/mcp-lint/internal/collect"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Remote says which remote servers an engine asks. The zero value is the
// bot's: those that both the trusted configuration and the operator
// ([Request.AllowHosts]) name, at addresses of the public internet.
type Remote struct {
	// Any asks whatever is configured, wherever it is. It is right for a
	// machine whose owner chooses what to check, and never for the bot.
	Any bool
	// Except are addresses that count as public, for tests.
	Except []netip.AddrPort
}

// grants are the remote servers that may be asked while a pull request is
// reviewed. A request is power: it leaves from inside the operator's network.
type grants struct {
	trusted []launch.Server // of the trusted configuration
	hosts   []string        // of the operator
}

// refusal says why a server is not asked; nil for one that may be.
func (g *grants) refusal(s launch.Server, host string) *report.Error {
	reason := ""
	switch {
	case g == nil || len(g.hosts) == 0:
		reason = "this installation of mcp-lint asks no remote servers; its operator can allow hosts with --allow-host"
	case !slices.ContainsFunc(g.trusted, func(t launch.Server) bool { return sameRequest(s, t) }):
		reason = "the trusted branch does not configure a server with this address and these headers; it can be asked once that is merged"
	case !slices.ContainsFunc(g.hosts, func(pattern string) bool { return matchesHost(pattern, host) }):
		reason = "the operator of this installation of mcp-lint has not allowed its host (--allow-host)"
	default:
		return nil
	}
	return &report.Error{Kind: report.ErrSandbox, Message: "not asked: " + reason}
}

func sameRequest(a, b launch.Server) bool {
	return a.URL == b.URL && maps.Equal(a.Headers, b.Headers) && maps.Equal(a.HeaderEnv, b.HeaderEnv)
}

// matchesHost compares a host with one that is allowed; *.example.com stands
// for every host below example.com, and for no address.
func matchesHost(pattern, host string) bool {
	pattern, host = launch.HostName(pattern), launch.HostName(host)
	if below, ok := strings.CutPrefix(pattern, "*."); ok {
		_, err := netip.ParseAddr(host)
		return err != nil && strings.HasSuffix(host, "."+below)
	}
	return pattern == host
}

// IsHostPattern reports whether a text can be one of [Request.AllowHosts]: a
// name or an address, without scheme, port and path, or *. and a domain. A star
// alone, or above a whole top-level domain, is none.
func IsHostPattern(pattern string) bool {
	name, below := strings.CutPrefix(pattern, "*.")
	if strings.ContainsAny(name, "*/@?#[] \t") || name == "" || below && !strings.Contains(name, ".") {
		return false
	}
	if strings.Contains(name, ":") {
		_, err := netip.ParseAddr(name)
		return err == nil && !below
	}
	return true
}

// ask returns what a remote server says, or why it was not asked.
func (e *Engine) ask(ctx context.Context, from checkout, s launch.Server) (*collect.Collected, *report.Error) {
	if from.static {
		return nil, &report.Error{Kind: report.ErrSandbox, Message: "not asked: fork"}
	}
	if from.grants == nil && !e.Remote.Any {
		return nil, from.grants.refusal(s, "")
	}
	address, failure := from.lookups(e, s).address(s)
	if failure != nil {
		return nil, failure
	}
	if !e.Remote.Any {
		if failure := from.grants.refusal(s, address.URL.Hostname()); failure != nil {
			return nil, failure
		}
	}
	o := e.collectOptions(s)
	o.Egress = collect.Egress{Public: !e.Remote.Any, Except: e.Remote.Except}
	collected, err := collect.Remote(ctx, address, o)
	if err != nil {
		return nil, asError(err)
	}
	return collected, nil
}

// address looks up every variable of a remote entry.
func (l *lookups) address(s launch.Server) (collect.Address, *report.Error) {
	bad := func(message string) (collect.Address, *report.Error) {
		return collect.Address{}, &report.Error{Kind: report.ErrInput, Message: message}
	}
	text := l.expand(s.URL)
	inURL := len(l.found)
	a := collect.Address{Header: make(map[string]string, len(s.Headers)+len(s.HeaderEnv))}
	add := func(name, value string) bool {
		name, value = http.CanonicalHeaderKey(name), strings.TrimSpace(value)
		_, twice := a.Header[name]
		a.Header[name] = value
		return !twice && httpguts.ValidHeaderFieldName(name) && httpguts.ValidHeaderFieldValue(value)
	}
	valid := true
	for name, value := range s.Headers {
		before := len(l.found)
		value = l.expand(value)
		if collect.NamesSecret(name) || len(l.found) > before {
			a.Secrets = append(a.Secrets, collect.HeaderSecrets(value)...)
		}
		a.Secrets = append(a.Secrets, launch.SecretsIn(value)...)
		valid = add(name, value) && valid
	}
	for name, variable := range s.HeaderEnv {
		value := strings.TrimSpace(l.variable(variable))
		a.Secrets = append(a.Secrets, collect.HeaderSecrets(value)...)
		valid = add(name, value) && valid
	}
	if failure := l.failure(); failure != nil {
		return a, failure
	}
	if !valid {
		return bad("headers, headerEnv: expected names and values that HTTP can carry, each name once over both")
	}
	var err error
	if a.URL, err = launch.ParseURL(text); err != nil {
		return bad("url: " + err.Error())
	}
	// Scheme and host are shown, so they are no secret; what stands behind is.
	origin := a.URL.Scheme + "://" + a.URL.Host
	secret := len(s.HeaderEnv) > 0
	for i, v := range l.found {
		if i < inURL && strings.Contains(origin, v.value) {
			continue
		}
		secret = true
		a.Secrets = append(a.Secrets, collect.PassedSecrets(v.name, v.value, true)...)
	}
	if secret && a.URL.Scheme == "http" && !launch.IsLocal(a.URL.Hostname()) {
		return bad("the value of a variable is not sent over plain http; expected https, or a server on this machine")
	}
	return a, nil
}
