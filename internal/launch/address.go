package launch

import (
	"net/url"
	"strings"
)

// Address is what may be shown of a remote server's URL: scheme and host. Path,
// query and user info may be secrets. It is "" where the host cannot be told, or
// comes from a variable.
func (s Server) Address() string {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme == "" || u.Hostname() == "" || strings.ContainsAny(u.Host, "${}%") {
		return ""
	}
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return strings.ToLower(u.Scheme) + "://" + host
}
