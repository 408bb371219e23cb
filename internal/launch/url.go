package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// ParseURL reads the address of a remote server. The error never repeats it:
// an address may hold a token.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !isPort(u.Port()) {
		return nil, errors.New("expected an http or https URL")
	}
	return u, nil
}

// isPort reports whether a URL may have that port; without one it has the usual.
func isPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// IsLocal reports whether a host is this machine by its very name: localhost,
// 127.x.x.x or ::1.
func IsLocal(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() && !address.Is4In6()
}

// HostName is a host as it is compared: in lower case and ASCII.
func HostName(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	return strings.ToLower(host)
}

// urlSHA256 identifies a remote server without saying its address: the hash of
// scheme, host, port and path, each ended by a NUL. User info, query and
// headers are left out, so that a new token is no change; so a ${NAME} counts
// as its name. It is "" for an address that cannot be read.
func urlSHA256(text string, literal bool) string {
	if !literal {
		text = Expand(text, func(name string) (string, bool) { return name, true }, func(string) {})
	}
	u, err := ParseURL(text)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{u.Scheme, HostName(u.Hostname()), port, path}, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:])
}
