package collect

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Egress says where requests to remote servers may go. The zero value lets them
// go anywhere and obeys the operator's proxies, as on somebody's own machine.
type Egress struct {
	// Public refuses every address that is not on the public internet, and
	// knows no proxy: behind one nobody could tell what an address is. It is
	// looked at when a connection is made, after names are resolved.
	Public bool
	// Except are addresses that Public lets pass; for tests, which have no
	// other servers than those of their own machine.
	Except []netip.AddrPort
}

// errNotPublic says that an address is none of the public internet.
var errNotPublic = errors.New("its address is not one of the public internet")

// transport makes the connections. env is the operator's environment, of which
// it takes the proxies for https: a request over plain http would tell a proxy
// everything that is sent, so it goes to its server and to nobody else.
func (e Egress) transport(env func(string) (string, bool)) *http.Transport {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: -1}
	if e.Public {
		dialer.Control = e.control
	}
	const maxHeaders = 64 << 10
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeaders,
		TLSHandshakeTimeout:    30 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConnsPerHost:    2,
	}
	if !e.Public {
		t.Proxy = proxies(env)
	}
	return t
}

// proxies finds the proxy of an address in an environment.
func proxies(env func(string) (string, bool)) func(*http.Request) (*url.URL, error) {
	first := func(names ...string) string {
		for _, name := range names {
			if value, ok := env(name); ok && value != "" {
				return value
			}
		}
		return ""
	}
	config := httpproxy.Config{
		HTTPSProxy: first("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"),
		NoProxy:    first("NO_PROXY", "no_proxy"),
	}
	find := config.ProxyFunc() // which knows no proxy where it cannot read its address
	_, asURL := url.Parse(config.HTTPSProxy)
	_, asHost := url.Parse("http://" + config.HTTPSProxy)
	return func(r *http.Request) (*url.URL, error) {
		if r.URL.Scheme == "https" && asURL != nil && asHost != nil {
			return nil, errors.New("the address of its proxy cannot be read; expected HTTPS_PROXY=http://HOST:PORT") // it may hold a password
		}
		return find(r.URL)
	}
}

// control judges the address of a connection that is about to be made.
func (e Egress) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	if isPublic(to.Addr()) || slices.Contains(e.Except, to) {
		return nil
	}
	return errNotPublic
}

// isPublic reports whether an address is one of the public internet: global
// unicast, and in none of the blocks that IANA's special-purpose registries
// (RFC 6890 and its successors) keep for something else. Of IPv6 only 2000::/3
// is in use, so what maps IPv4 into it (::ffff:0:0/96, 64:ff9b::/96) and what is
// private (fc00::/7, fe80::/10) is outside already.
func isPublic(a netip.Addr) bool {
	if a.Zone() != "" || !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	if a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	for _, block := range []string{
		"0.0.0.0/8",        // this network
		"100.64.0.0/10",    // carrier-grade NAT; 100.100.100.200 is a cloud's metadata
		"168.63.129.16/32", // a cloud's host, from inside its machines
		"192.0.0.0/24",     // protocol assignments; 192.0.0.192 is a cloud's metadata
		"192.0.2.0/24",     // documentation
		"192.88.99.0/24",   // 6to4 relays
		"198.18.0.0/15",    // benchmarks
		"198.51.100.0/24",  // documentation
		"203.0.113.0/24",   // documentation
		"240.0.0.0/4",      // reserved, and the broadcast address
		"2001::/23",        // protocol assignments, Teredo among them
		"2001:db8::/32",    // documentation
		"2002::/16",        // 6to4, which carries an IPv4 address
		"3fff::/20",        // documentation
	} {
		if netip.MustParsePrefix(block).Contains(a) {
			return false
		}
	}
	return true
}
