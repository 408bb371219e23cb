package githubtest

import (
	"bytes"
	"html/template"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// markdown shows Markdown nearly as GitHub does (https://github.github.com/gfm/):
// tables, autolinks and raw HTML work, and then only harmless elements are left.
// So a page shows what breaks out of our own escaping, as GitHub would.
func markdown(text string) template.HTML {
	convert := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
	var out bytes.Buffer
	if err := convert.Convert([]byte(text), &out); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(text) + "</pre>")
	}
	allowed := bluemonday.UGCPolicy()
	allowed.AllowElements("details", "summary")
	return template.HTML(allowed.SanitizeBytes(out.Bytes()))
}
