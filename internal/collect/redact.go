package collect

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// redacted stands where a secret stood.
const redacted = "[redacted]"

// shortestSecret is the length, in bytes, from which a text is taken for a
// secret. Shorter ones ("1", "true") would make nonsense of every text.
const shortestSecret = 5

// redactor takes secrets out of what a server says. It works on the raw answers
// before anything else reads them, so that no output, whichever it is and
// whoever adds it later, can hold one.
type redactor struct {
	replacer *strings.Replacer // nil when there is no secret
	longest  int               // bytes of the longest form of one
}

func newRedactor(secrets []string) *redactor {
	forms := make(map[string]bool)
	for _, secret := range secrets {
		if len(secret) < shortestSecret || isVocabulary(secret) {
			continue
		}
		for _, form := range formsOf(secret) {
			if len(form) >= shortestSecret {
				forms[form] = true
			}
		}
	}
	if len(forms) == 0 {
		return &redactor{}
	}
	// Longest first: one secret may be the beginning of another.
	ordered := make([]string, 0, len(forms))
	for form := range forms {
		ordered = append(ordered, form)
	}
	slices.SortFunc(ordered, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(ordered))
	for _, form := range ordered {
		pairs = append(pairs, form, redacted)
	}
	return &redactor{strings.NewReplacer(pairs...), len(ordered[0])}
}

// isVocabulary reports whether a text is one of the words that every definition
// is made of. As the value of a variable it is a placeholder, and without it no
// schema would be one any more.
func isVocabulary(text string) bool {
	return slices.Contains([]string{
		"string", "number", "integer", "boolean", "object", "array",
		"title", "description", "properties", "required", "default", "items", "format", "pattern", "examples", "additionalProperties",
		"inputSchema", "outputSchema", "annotations", "arguments", "mimeType", "uriTemplate",
		"token", "secret", "password", "value",
	}, text)
}

// formsOf are the ways in which a server repeats a text: as it is, line by line
// and on one line, as part of a URL that may be part of another, in HTML, inside
// JSON that is itself a text, and in base64, also with something before and
// behind it as in basic authentication.
func formsOf(secret string) []string {
	const inURLs, inTexts = 2, 3 // levels
	forms := []string{secret, strings.Join(strings.Fields(secret), " "), html.EscapeString(secret)}
	if strings.ContainsAny(secret, "\r\n") { // a key in PEM
		const short = 8 // bytes of a line that may be anything
		for line := range strings.Lines(secret) {
			if line = strings.TrimSpace(line); len(line) >= short {
				forms = append(forms, line)
			}
		}
	}
	forms = append(forms, nested(secret, inURLs, func(text string) []string {
		query, path := url.QueryEscape(text), url.PathEscape(text)
		return []string{query, lowerEscapes(query), path, lowerEscapes(path)}
	})...)
	forms = append(forms, nested(secret, inTexts, quotedForms)...)
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		forms = append(forms, encoding.EncodeToString([]byte(secret)))
	}
	return append(forms, insideBase64(secret)...)
}

// nested applies a way of writing to a text, to what comes of it, and so on.
func nested(text string, levels int, write func(string) []string) (all []string) {
	last := []string{text}
	for range levels {
		written := make(map[string]bool)
		for _, text := range last {
			for _, form := range write(text) {
				written[form] = true
			}
		}
		last = slices.Sorted(maps.Keys(written))
		all = append(all, last...)
	}
	return all
}

// quotedForms are the ways in which encoders write a text into JSON, without its
// quotation marks: some escape what means something in HTML, some slashes.
func quotedForms(text string) (forms []string) {
	for _, html := range []bool{true, false} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		if err := e.Encode(text); err == nil {
			quoted := strings.TrimSuffix(b.String(), "\n")
			forms = append(forms, quoted[1:len(quoted)-1])
		}
	}
	return append(forms, strings.ReplaceAll(forms[1], "/", `\/`))
}

// insideBase64 is what a text becomes in the base64 of a longer one, without the
// characters that also hold bits of what stands around it. Three bytes make four
// characters, so it depends on where the text begins.
func insideBase64(text string) (forms []string) {
	const shortest = 8 // bytes; of fewer too little is left to be sure of it
	if len(text) < shortest {
		return nil
	}
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			encoded := encoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + text))
			forms = append(forms, encoded[(shift*8+5)/6:(shift+len(text))*8/6])
		}
	}
	return forms
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(escaped string) string {
	b := []byte(escaped)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// text is a text without secrets. It may be JSON, or hold some, in which every
// letter can be written as an escape.
func (r *redactor) text(s string) string {
	if r.replacer == nil {
		return s
	}
	s = r.replacer.Replace(s)
	if plain := unescaped(s); plain != s {
		if clean := r.replacer.Replace(plain); clean != plain {
			return clean
		}
	}
	return s
}

// unescaped is a text without the escapes of JSON that stand for one letter.
func unescaped(s string) string {
	if !strings.Contains(s, `\u`) && !strings.Contains(s, `\/`) {
		return s
	}
	escape := regexp.MustCompile(`\\(/|u[0-9a-fA-F]{4})`)
	return escape.ReplaceAllStringFunc(s, func(found string) string {
		code, err := strconv.ParseUint(found[2:], 16, 16)
		if err != nil {
			return "/"
		}
		return string(rune(code)) // half a surrogate pair is no part of a secret
	})
}

// json takes the secrets out of one JSON value, as a decoder split it off: of
// its keys, texts and numbers, however they are escaped. What holds none comes
// back as it is, to the byte.
func (r *redactor) json(raw []byte) (clean []byte, found bool) {
	if r.replacer == nil {
		return raw, false
	}
	var out []byte // nil until the first secret
	copied := 0
	for i := 0; i < len(raw); {
		end := tokenEnd(raw, i)
		if token := raw[i:end]; isText(token) || isNumber(token) {
			if replaced, ok := r.token(token); ok {
				out = append(append(out, raw[copied:i]...), replaced...)
				copied = end
			}
		}
		i = end
	}
	if copied == 0 {
		return raw, false
	}
	return append(out, raw[copied:]...), true
}

// token takes the secrets out of a text or a number, which becomes a text.
func (r *redactor) token(raw []byte) (replaced []byte, found bool) {
	text := string(raw)
	if isText(raw) {
		text = string(raw[1 : len(raw)-1])
		if bytes.IndexByte(raw, '\\') >= 0 {
			// What cannot be unescaped to the letter (a lone surrogate) is no
			// part of a secret.
			unescaped, _ := jsontext.AppendUnquote(nil, raw)
			text = string(unescaped)
		}
	}
	clean := r.text(text)
	if clean == text {
		return nil, false
	}
	quoted, _ := jsontext.AppendQuote(nil, clean)
	return quoted, true
}

func isText(token []byte) bool   { return token[0] == '"' && len(token) > 1 }
func isNumber(token []byte) bool { return token[0] == '-' || token[0] >= '0' && token[0] <= '9' }

// tokenEnd is where the text, the number or the single byte at i ends.
func tokenEnd(raw []byte, i int) int {
	switch {
	case raw[i] == '"':
		for j := i + 1; j < len(raw); j++ {
			switch raw[j] {
			case '\\':
				j++
			case '"':
				return j + 1
			}
		}
		return len(raw)
	case isNumber(raw[i : i+1]):
		end := bytes.IndexFunc(raw[i:], func(c rune) bool { return !strings.ContainsRune("+-.eE0123456789", c) })
		if end < 0 {
			return len(raw)
		}
		return i + end
	}
	return i + 1
}

// parts takes the secrets out of everything that a server said and names what
// held one.
func (r *redactor) parts(p *snapshot.Parts) (held []snapshot.Ref) {
	if r.replacer == nil {
		return nil
	}
	server := false
	for _, part := range []*[]byte{&p.ServerInfo, &p.ProtocolVersion, &p.Capabilities, &p.Instructions} {
		clean, found := r.json(*part)
		*part, server = clean, server || found
	}
	if server {
		held = append(held, snapshot.Ref{Kind: snapshot.KindServer, Name: decode(p.ServerInfo).text("name")})
	}
	for _, list := range []struct {
		kind     snapshot.Kind
		name     string
		entities [][]byte
	}{
		{snapshot.KindTool, "name", p.Tools},
		{snapshot.KindPrompt, "name", p.Prompts},
		{snapshot.KindResource, "uri", p.Resources},
		{snapshot.KindResourceTemplate, "uriTemplate", p.ResourceTemplates},
	} {
		for i, raw := range list.entities {
			clean, found := r.json(raw)
			if !found {
				continue
			}
			list.entities[i] = clean
			held = append(held, snapshot.Ref{Kind: list.kind, Name: decode(clean).text(list.name)})
		}
	}
	return held
}
