package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// ParseURL reads the address of a remote server. The error never repeats it:
// an address may hold a token.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, errors.New("expected an http or https URL")
	}
	if !isPort(u.Port()) {
		return nil, errors.New("expected an http or https URL with a port from 1 to 65535")
	}
	// A looked-up value may hold a space, which ends an address in a request.
	u.RawQuery = strings.ReplaceAll(u.RawQuery, " ", "%20")
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
// as its name, and of an address that begins with one, whose origin is not
// known here, everything up to the query counts. It is "" for an address that
// cannot be read.
func urlSHA256(text string, literal bool) string {
	begins := !literal && strings.HasPrefix(text, "${")
	if !literal {
		text = Expand(text, func(name string) (string, bool) { return name, true }, func(string) {})
	}
	u, err := ParseURL(text)
	switch {
	case err != nil && begins:
		text, _, _ = strings.Cut(text, "#")
		text, _, _ = strings.Cut(text, "?")
		return sumOf("", text[strings.LastIndex(text, "@")+1:])
	case err != nil:
		return ""
	}
	port := strings.TrimLeft(u.Port(), "0")
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := HostName(u.Hostname())
	if address, err := netip.ParseAddr(host); err == nil {
		host = address.String() // ::1 has many spellings
	}
	return sumOf(u.Scheme, host, port, plainPath(u.EscapedPath()))
}

// plainPath writes a path in the one of its spellings that escapes least, and
// the root as /.
//
// Source: RFC 3986, sections 6.2.2.1, 6.2.2.2 and 6.2.3
func plainPath(path string) string {
	if path == "" {
		return "/"
	}
	escape := regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	unreserved := regexp.MustCompile(`^[A-Za-z0-9._~-]$`)
	return escape.ReplaceAllStringFunc(path, func(found string) string {
		if plain, err := url.PathUnescape(found); err == nil && unreserved.MatchString(plain) {
			return plain
		}
		return strings.ToUpper(found)
	})
}

// sumOf is the hash of words, each ended by a NUL so that no two lists run
// together.
func sumOf(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:])
}
