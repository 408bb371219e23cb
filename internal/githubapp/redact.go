package githubapp

import (
	"log/slog"
	"regexp"
)

const redacted = "[redacted]"

// secrets matches everything that would authenticate somebody. GitHub's tokens
// are known by their prefix: their length is not fixed (installation tokens are
// ghs_APPID_JWT since April 2026), so nothing here counts characters.
var secrets = regexp.MustCompile(`gh[opusr]_[A-Za-z0-9_.~+/=-]+` +
	`|github_pat_[A-Za-z0-9_]+` +
	`|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+` + // a JWT
	`|(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))`)

// carriers matches what surrounds a secret of any form.
var carriers = regexp.MustCompile(`(?i)((?:basic|bearer)\s+)[A-Za-z0-9_.~+/=-]{8,}` +
	`|(://)[^/@\s"']+@`)

// Redact removes tokens, keys and URL credentials from a text.
func Redact(s string) string {
	s = secrets.ReplaceAllString(s, redacted)
	return carriers.ReplaceAllStringFunc(s, func(m string) string {
		g := carriers.FindStringSubmatch(m)
		if g[2] != "" {
			return g[2] + redacted + "@"
		}
		return g[1] + redacted
	})
}

// RedactAttr redacts every logged string, error and message; it is made for
// slog.HandlerOptions.ReplaceAttr.
func RedactAttr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Redact(a.Value.String()))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(Redact(v.Error()))
		case interface{ String() string }:
			a.Value = slog.StringValue(Redact(v.String()))
		}
	}
	return a
}

// redactedError keeps an error's identity and cleans its words.
type redactedError struct{ error }

func (e redactedError) Error() string { return Redact(e.error.Error()) }
func (e redactedError) Unwrap() error { return e.error }
