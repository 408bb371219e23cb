package collect

import (
	"maps"
	"slices"
)

// passed are the variables that every server gets when the operator has them:
// enough to find programs, folders and a locale, and nothing secret.
func passed() []string {
	return []string{
		"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "SHELL", "TERM",
		// Where a company's certificates are: paths, and without them npx and
		// uvx reach no registry there. Proxy settings stay behind, for they may
		// hold a password.
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
		// Windows programs do not start without these.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE",
		"HOMEDRIVE", "HOMEPATH", "USERNAME", "PROGRAMFILES", "PROGRAMDATA", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
	}
}

// IsForEveryServer reports whether a variable is one that every server gets.
func IsForEveryServer(name string) bool { return slices.Contains(passed(), name) }

// MinimalEnv is the environment of every server before its own variables.
func MinimalEnv(lookup func(string) (string, bool)) map[string]string {
	env := make(map[string]string)
	for _, name := range passed() {
		if value, ok := lookup(name); ok {
			env[name] = value
		}
	}
	return env
}

// environ is the whole environment of a server, in a stable order.
func environ(layers ...map[string]string) []string {
	all := make(map[string]string)
	for _, m := range layers {
		maps.Copy(all, m)
	}
	list := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, name+"="+all[name])
	}
	return list
}
