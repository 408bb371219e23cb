package fetch

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// settings are the operator's choices for one ecosystem. They hold secrets
// (tokens, proxy passwords): they go into the environment of our own install
// commands, never into arguments, messages or the run phase.
type settings struct {
	env []string
	// files are certificate files that env names.
	files []string
	// registry is what the cache is keyed by: every index that is asked.
	registry string
}

// proxies are understood by npm, uv and pip alike, in both spellings.
var proxies = [...]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"}

// npmSettings reads the operator's environment and the registry and cafile of
// the operator's npmrc files.
func npmSettings(lookup func(string) (string, bool)) (settings, error) {
	var s settings
	for _, name := range append([]string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"}, proxies[:]...) {
		s.take(lookup, name)
	}
	// npm takes both spellings of its own variables.
	for _, key := range []string{"registry", "cafile", "ca", "proxy", "https_proxy", "noproxy", "strict_ssl", "fetch_retries", "fetch_timeout", "fetch_retry_mintimeout", "fetch_retry_maxtimeout", "maxsockets"} {
		lower, upper := "npm_config_"+key, "NPM_CONFIG_"+strings.ToUpper(key)
		if !s.take(lookup, lower) {
			s.take(lookup, upper)
		}
	}
	home, _ := lookup("HOME")
	user := first(lookup, filepath.Join(home, ".npmrc"), "npm_config_userconfig", "NPM_CONFIG_USERCONFIG")
	global := first(lookup, "/etc/npmrc", "npm_config_globalconfig", "NPM_CONFIG_GLOBALCONFIG")
	for _, file := range []string{user, global, "/usr/etc/npmrc", "/usr/local/etc/npmrc"} {
		for key, value := range readSettings(file, lookup) {
			if key == "registry" || key == "cafile" || strings.HasSuffix(key, ":registry") || strings.HasPrefix(key, "//") {
				s.add("npm_config_"+key, value)
			}
		}
	}
	s.registry = s.values("registry")
	return s, s.collectFiles("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "npm_config_cafile", "NPM_CONFIG_CAFILE")
}

// pypiSettings reads the same for uv and pip, and translates pip's settings for
// uv where the operator has only these.
func pypiSettings(lookup func(string) (string, bool)) (settings, error) {
	var s settings
	for _, name := range append([]string{
		"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_INDEX_STRATEGY",
		"UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST", "UV_HTTP_TIMEOUT", "UV_HTTP_RETRIES", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT",
		"PIP_TRUSTED_HOST", "PIP_PROXY", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES",
	}, proxies[:]...) {
		s.take(lookup, name)
	}
	home, _ := lookup("HOME")
	for _, file := range []string{
		first(lookup, filepath.Join(home, ".config/pip/pip.conf"), "PIP_CONFIG_FILE"), filepath.Join(home, ".pip/pip.conf"), "/etc/pip.conf",
	} {
		for key, value := range readSettings(file, lookup) {
			switch key {
			case "index-url", "extra-index-url", "cert", "trusted-host", "proxy":
				s.add("PIP_"+strings.ToUpper(strings.ReplaceAll(key, "-", "_")), value)
			}
		}
	}
	if s.value("UV_INDEX_URL") == "" {
		s.add("UV_DEFAULT_INDEX", s.value("PIP_INDEX_URL"))
	}
	s.add("UV_EXTRA_INDEX_URL", s.value("PIP_EXTRA_INDEX_URL"))
	s.add("SSL_CERT_FILE", s.value("PIP_CERT"))
	s.registry = s.values("index")
	return s, s.collectFiles("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT")
}

// take copies a variable and says whether there was one.
func (s *settings) take(lookup func(string) (string, bool), name string) bool {
	value, ok := lookup(name)
	if ok {
		s.add(name, value)
	}
	return ok && value != ""
}

// add sets a variable unless it is set already: the environment wins over
// files, and the user's file over the machine's.
func (s *settings) add(name, value string) {
	if value != "" && s.value(name) == "" {
		s.env = append(s.env, name+"="+value)
	}
}

// value is a variable's, in any case of letters, "" when not set.
func (s *settings) value(name string) string {
	for _, v := range s.env {
		if key, value, _ := strings.Cut(v, "="); strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// values joins all variables whose name contains the word.
func (s *settings) values(word string) string {
	var all []string
	for _, v := range s.env {
		if key, _, _ := strings.Cut(v, "="); strings.Contains(strings.ToLower(key), word) {
			all = append(all, v)
		}
	}
	return strings.Join(all, "\n")
}

func (s *settings) collectFiles(names ...string) error {
	for _, name := range names {
		file := s.value(name)
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil || !filepath.IsAbs(file) {
			return failuref(Unreachable, err, "the certificate file that %s names cannot be read: expected an absolute path of a PEM file", name)
		}
		s.files = append(s.files, file)
	}
	return nil
}

// first is the first variable that is set, else the fallback.
func first(lookup func(string) (string, bool), fallback string, names ...string) string {
	for _, name := range names {
		if value, ok := lookup(name); ok && value != "" {
			return value
		}
	}
	return fallback
}

// readSettings reads lines "key = value" of npmrc and pip.conf; ${NAME} is
// looked up. A file that is missing or not readable has none.
func readSettings(file string, lookup func(string) (string, bool)) map[string]string {
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
		found[strings.TrimSpace(key)] = os.Expand(value, func(name string) string {
			v, _ := lookup(name)
			return v
		})
	}
	return found
}
