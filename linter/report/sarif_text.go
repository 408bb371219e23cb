package report

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// sentence ends the text with a stop and adds the fix.
func sentence(text, fix string) string {
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	if fix != "" {
		text += " Fix: " + strings.TrimSuffix(oneLine(fix), ".") + "."
	}
	return text
}

// placeholder is what SARIF replaces in a message (section 3.11.5).
var placeholder = regexp.MustCompile(`\{(\d+)\}`)

// sarifText makes text harmless in a SARIF message: "[a](b)" would be a link
// (section 3.11.6) and "{0}" a placeholder.
func sarifText(s string) string {
	return placeholder.ReplaceAllString(strings.ReplaceAll(oneLine(s), "](", "] ("), "{ $1 }")
}

func sarifLevel(l severity.Level) string {
	switch l {
	case severity.Error:
		return "error"
	case severity.Warning:
		return "warning"
	}
	return "note"
}

// artifactURI is a path as a URI reference relative to the repository; ok is
// false for a path that is not in it.
func artifactURI(file, root string) (uri string, ok bool) {
	file = slashed(file)
	if root != "" && strings.HasPrefix(file, "/") {
		if inner, inside := strings.CutPrefix(file, strings.TrimSuffix(slashed(root), "/")+"/"); inside {
			file = inner
		}
	}
	if file == "-" || file == "." || file == ".." || strings.HasPrefix(file, "/") || strings.HasPrefix(file, "../") {
		return "", false
	}
	u := url.URL{Path: file}
	return strings.ReplaceAll(u.EscapedPath(), ":", "%3A"), true
}

// slashed is a clean path with forward slashes, that of a drive with one in
// front.
func slashed(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if len(file) > 2 && file[1] == ':' && file[2] == '/' { // C:/…
		file = "/" + file
	}
	return path.Clean(file)
}

// withoutNulls drops members whose value is null (go-sarif writes some that the
// schema forbids) and keeps the order of the rest.
func withoutNulls(doc []byte, indent bool) ([]byte, error) {
	var out bytes.Buffer
	opts := []jsontext.Options{jsontext.AllowDuplicateNames(false)}
	if indent {
		opts = append(opts, jsontext.WithIndent("  "))
	}
	dec, enc := jsontext.NewDecoder(bytes.NewReader(doc)), jsontext.NewEncoder(&out, opts...)
	for {
		tok, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		// An odd number of tokens in an object: the last one is a name.
		if kind, length := dec.StackIndex(dec.StackDepth()); kind == '{' && length%2 == 1 {
			tok = tok.Clone() // peeking voids it
			if dec.PeekKind() == 'n' {
				if _, err := dec.ReadToken(); err != nil {
					return nil, err
				}
				continue
			}
		}
		if err := enc.WriteToken(tok); err != nil {
			return nil, err
		}
	}
}
