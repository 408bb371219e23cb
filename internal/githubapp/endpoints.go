package githubapp

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Endpoints are the URLs of one GitHub. They are built once, by
// [NewEndpoints]; all end with a slash. The zero value is unusable.
type Endpoints struct {
	Web, API, Uploads *url.URL
}

// NewEndpoints derives every URL from the one that people see in the browser:
//
//   - https://github.com
//   - https://TENANT.ghe.com (data residency: api.TENANT.ghe.com; go-github's
//     own WithEnterpriseURLs gets its uploads host wrong,
//     https://github.com/google/go-github/pull/3993)
//   - https://HOST of an Enterprise Server (/api/v3/ and /api/uploads/)
//   - http://127.0.0.1:PORT and other loopback names, laid out like an
//     Enterprise Server, for the stand-in.
//
// Anything else is one error that says what was expected.
func NewEndpoints(web string) (Endpoints, error) {
	fail := func(why string) (Endpoints, error) {
		return Endpoints{}, fmt.Errorf("GitHub URL %q: %s; expected the web address, like https://github.com or https://github.example.com", Redact(web), why)
	}
	u, err := url.Parse(web)
	switch {
	case err != nil:
		return fail("not a URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return fail("the scheme is not https")
	case u.Hostname() == "":
		return fail("no host")
	case u.User != nil:
		return fail("credentials do not belong here")
	case u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return fail("there is something after the host")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return fail("http is for loopback addresses only")
	}
	host := strings.ToLower(u.Host)
	switch name := strings.ToLower(u.Hostname()); {
	case name == "github.com" || name == "www.github.com":
		return endpoints("https://github.com/", "https://api.github.com/", "https://uploads.github.com/"), nil
	case strings.HasPrefix(name, "api.") && (name == "api.github.com" || strings.HasSuffix(name, ".ghe.com")):
		return fail("this is the API's address")
	case name == "ghe.com":
		return fail("the tenant is missing")
	case strings.HasSuffix(name, ".ghe.com"):
		return endpoints("https://"+host+"/", "https://api."+host+"/", "https://uploads."+host+"/"), nil
	}
	base := u.Scheme + "://" + host
	return endpoints(base+"/", base+"/api/v3/", base+"/api/uploads/"), nil
}

// endpoints parses URLs made of checked parts.
func endpoints(web, api, uploads string) Endpoints {
	parse := func(s string) *url.URL {
		u, _ := url.Parse(s) // scheme and host come from a parsed URL
		return u
	}
	return Endpoints{Web: parse(web), API: parse(api), Uploads: parse(uploads)}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// CloneURL is the HTTP clone URL of a repository, without credentials.
func (e Endpoints) CloneURL(owner, repo string) string {
	return e.Web.JoinPath(url.PathEscape(owner), url.PathEscape(repo)+".git").String()
}

// serves reports whether a request may carry our credentials: only to the API
// and its uploads, whatever a redirect says.
func (e Endpoints) serves(u *url.URL) bool {
	same := func(o *url.URL) bool { return u.Scheme == o.Scheme && strings.EqualFold(u.Host, o.Host) }
	return same(e.API) || same(e.Uploads)
}
