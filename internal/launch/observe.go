package launch

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Observe judges how an entry is written: secrets in it, addresses without
// encryption, names that stand there twice. What its command line starts is
// another question (package install). No message says a value of the entry, and
// of an address none says more than scheme and host. An entry that cannot be used
// is one observation, which says why.
func Observe(s Server) []linter.Observation {
	if s.Invalid != nil {
		return []linter.Observation{unreadable(s)}
	}
	o := observer{server: s}
	for _, t := range s.Twice {
		o.see(linter.Observation{
			Rule: "config/duplicate-key", Subject: t.Name, Location: t.Again,
			Message: fmt.Sprintf("%s stands here for the second time; the first is on line %d. Most clients read the last one, and a reader sees the first",
				inQuotes(t.Name), t.First.Line),
			Fix: fmt.Sprintf("Remove line %d or line %d, or give one of them another name.", t.First.Line, t.Again.Line),
		})
	}
	for _, setting := range s.Settings {
		switch setting.Kind {
		case Variable:
			o.value("the variable", setting.Name, setting.Word)
		case Header:
			o.header(setting.Name, setting.Text, setting.Word)
		case Address:
			if s.URL != "" {
				o.address(setting.Word)
				o.cleartext(setting.Word)
			}
		case Approval:
			o.see(linter.Observation{
				Rule: "config/auto-approve", Subject: setting.Name, Location: setting.Location,
				Message: setting.Name + " approves every call of every tool without a question, of tools as well that a later version adds",
				Fix:     "Name the tools that may run unasked.",
			})
		}
	}
	o.arguments(s.Words)
	for _, twin := range s.Twins {
		o.seen = append(o.seen, Observe(twin)...)
	}
	return o.seen
}

// unreadable says why an entry cannot be used, at the place of the fault.
func unreadable(s Server) linter.Observation {
	o := linter.Observation{
		Rule: "launch/unreadable-entry", Location: s.Location, Lower: s.Disabled,
		Message: "the entry cannot be used: " + s.Invalid.Error(),
		Fix:     "Give it a command (a text) with args (a list of texts), or a url.",
	}
	if place := new(jsonc.Error); errors.As(s.Invalid, &place) {
		o.Message = "the entry cannot be used: " + place.Message
		if place.Location.File != "" {
			o.Location = place.Location
		}
	}
	return o
}

type observer struct {
	server Server
	seen   []linter.Observation
}

// maxObservations bounds what is said of one entry; nobody reads more.
const maxObservations = 100

func (o *observer) see(seen linter.Observation) {
	if len(o.seen) < maxObservations {
		seen.Lower = o.server.Disabled
		o.seen = append(o.seen, seen)
	}
}

// secret reports a literal secret: what holds it (the variable), and its name.
func (o *observer) secret(what, name, kind string, at snapshot.Location) {
	if name = shownName(name); name != "" {
		what += " " + inQuotes(name)
	}
	message := what + " holds a secret in plain text"
	if kind != "" {
		message += ": it has the form of " + kind
	}
	o.see(linter.Observation{
		Rule: "config/plain-text-secret", Subject: what, Location: at, Message: message,
		Fix: "Take it from the environment" + o.reference(name) + ", and replace it where it was issued: whoever reads this file or its history has it.",
	})
}

// reference is how the entry's client writes a variable.
func (o *observer) reference(name string) string {
	name = strings.ToUpper(strings.TrimLeft(strings.ReplaceAll(name, "-", "_"), "_"))
	if !isVariableName(name) {
		name = "NAME"
	}
	switch o.server.Client {
	case "vscode":
		return " with ${env:" + name + "}, or ask for it with ${input:…}"
	case "cursor", "windsurf":
		return " with ${env:" + name + "}"
	case "opencode":
		return " with {env:" + name + "}"
	case "codex":
		return " with env_vars, or bearer_token_env_var for a remote server"
	case "", "claude-code", "gemini", "roo":
		return " with ${" + name + "}"
	case "bundle":
		return " with user_config and ${user_config.…}"
	case "registry":
		return ": leave the value out and set isSecret"
	}
	return ""
}

// value judges a value by its name and by what it looks like.
func (o *observer) value(what, name string, w Word) {
	if kind, ok := isSecret(name, w.Text); ok {
		o.secret(what, name, kind, w.Location)
		return
	}
	if kind, ok := secretMember(w.Text); ok {
		o.secret(what, name, kind, w.Location)
		return
	}
	if strings.Contains(w.Text, "://") {
		o.userInfo(what+" "+inQuotes(shownName(name)), w)
	}
}

func (o *observer) header(name, text string, w Word) {
	if kind, ok := isSecret(name, credentials(text)); ok {
		o.secret("the header", name, kind, w.Location)
	}
}

// credentials are a header's value without the scheme before it.
func credentials(text string) string {
	scheme, rest, two := strings.Cut(strings.TrimSpace(text), " ")
	if !two || !isAuthScheme(scheme) {
		return text
	}
	return rest
}

// address judges the parts of a URL that are for the server alone.
func (o *observer) address(w Word) {
	before := len(o.seen)
	o.userInfo("the address", w)
	u, err := url.Parse(references.ReplaceAllString(w.Text, ""))
	if err != nil {
		return
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.QueryUnescape(value)
		if err != nil {
			continue
		}
		if kind, ok := isSecret(name, value); ok {
			o.secret("the address's parameter", name, kind, w.Location)
		}
	}
	if kind := knownSecret(u.Path); kind != "" && len(o.seen) == before {
		o.secret("the address's path", "", kind, w.Location)
	}
}

// userInfo judges the user's name and password in a URL.
func (o *observer) userInfo(what string, w Word) {
	_, rest, ok := strings.Cut(w.Text, "://")
	if !ok {
		return
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	at := strings.LastIndex(authority, "@")
	if at < 0 {
		return
	}
	user, password, two := strings.Cut(authority[:at], ":")
	if !two {
		password = user
		if kind := knownSecret(user); kind == "" && !looksRandom(user) {
			return // a name by itself: git@…
		}
	}
	if text, err := url.PathUnescape(password); err == nil {
		password = text
	}
	if kind, ok := isSecret("password", password); ok {
		o.secret(what+"'s user info", "", kind, w.Location)
	}
}

// cleartext judges an address that everybody on the way can read and change.
func (o *observer) cleartext(w Word) {
	u, err := url.Parse(w.Text)
	if err != nil || !strings.EqualFold(u.Scheme, "http") || u.Hostname() == "" || isLocal(u.Hostname()) || strings.ContainsAny(u.Host, "${}%") {
		return
	}
	with := ""
	if len(o.server.Headers)+len(o.server.HeaderEnv) > 0 {
		with = ", its headers included"
	}
	o.see(linter.Observation{
		Rule: "config/cleartext-url", Subject: u.Hostname(), Location: w.Location,
		Message: fmt.Sprintf("http://%s is reached without encryption: everybody on the way can read and change what is sent%s", snapshot.Visible(u.Hostname()), with),
		Fix:     "Use https.",
	})
}

// isLocal tells hosts that no network lies before.
func isLocal(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "host.docker.internal"
}

// arguments judges the words of a command line.
func (o *observer) arguments(words []Word) {
	flag := "" // whose value the next word may be
	for _, w := range words {
		parts := []string{w.Text}
		name, value, _ := strings.Cut(w.Text, "=") // --header=NAME: VALUE
		if strings.ContainsAny(w.Text, " \t\n") && !headerWord.MatchString(w.Text) && !(flagWord.MatchString(name) && headerWord.MatchString(value)) {
			parts = strings.Fields(w.Text) // a shell's line
		}
		for _, part := range parts {
			flag = o.argument(flag, part, w)
		}
	}
}

// argument judges one part of a word and returns the flag whose value the next
// part may be.
func (o *observer) argument(flag, part string, w Word) string {
	part = strings.Trim(part, `"'`)
	name, value, assigned := strings.Cut(part, "=")
	switch {
	case strings.HasPrefix(part, "-") && !assigned:
		return part
	case assigned && flagWord.MatchString(name):
		inner := Word{Text: value, Location: w.Location}
		inside, _, assigns := strings.Cut(value, "=") // --env=NAME=VALUE
		if headerWord.MatchString(value) || assigns && strings.HasPrefix(name, "-") && plainName.MatchString(inside) {
			o.argument("", value, w)
		} else {
			o.value("the argument", name, inner)
		}
	case headerWord.MatchString(part):
		name, value, _ := strings.Cut(part, ":")
		o.header(name, value, w)
	case strings.Contains(part, "://"):
		o.address(Word{Text: part, Location: w.Location})
	case flag != "":
		o.value("the argument", flag, Word{Text: part, Location: w.Location})
	default:
		if kind := knownSecret(part); kind != "" {
			o.secret("an argument", "", kind, w.Location)
		}
	}
	return ""
}

func inQuotes(name string) string { return `"` + snapshot.Visible(name) + `"` }

// shownName is a name as it may be shown: without the dashes of a flag, and not
// at all when it may be more than a name.
func shownName(name string) string {
	name = strings.TrimLeft(name, "-")
	if !plainName.MatchString(name) || knownSecret(name) != "" {
		return ""
	}
	return name
}

// ShownVariable is the name of a variable as a message may have it, "" for what
// reads like a value: people write one where its name belongs.
func ShownVariable(name string) string {
	for _, prefix := range []string{"input:", "user_config."} {
		if asked, ok := strings.CutPrefix(name, prefix); ok && shownName(asked) != "" {
			return name
		}
	}
	if shownName(name) == "" {
		return ""
	}
	return name
}
