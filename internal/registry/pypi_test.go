package registry_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// page is a project's page in JSON; a file with a trailing "!" is yanked.
func page(files ...string) string {
	var b strings.Builder
	b.WriteString(`{"meta": {"api-version": "1.1"}, "files": [`)
	for i, f := range files {
		if i > 0 {
			b.WriteString(", ")
		}
		name, isYanked := strings.CutSuffix(f, "!")
		b.WriteString(`{"filename": "` + name + `", "requires-python": ">=3.99", "yanked": `)
		if isYanked {
			b.WriteString(`"broken"}`)
		} else {
			b.WriteString(`false}`)
		}
	}
	return b.String() + `]}`
}

func TestPyPI(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	server.PyPI["orchard-mcp"] = page(
		"orchard_mcp-0.9.0-py3-none-any.whl", "orchard-mcp-0.9.0.tar.gz", "orchard_mcp-0.9.2-py3-none-any.whl",
		"orchard_mcp-0.10.0-1-py3-none-any.whl", "orchard_mcp-1.0.0-py3-none-any.whl!", "orchard_mcp-1.0.0.tar.gz!",
		"orchard_mcp-1.1.0-py3-none-any.whl!", "orchard_mcp-1.1.0.tar.gz", "orchard_mcp-2.0.0rc1-py3-none-any.whl",
		"orchard_mcp-2.0.0.dev3.tar.gz", "orchard_mcp-9.9.9.exe", "orchard_mcp-evil-1.tar.gz", "other-8.0.tar.gz", "orchard-mcp.tar.gz")
	server.PyPI["young"] = page("young-1.0b1.tar.gz", "young-1.0b2.tar.gz")
	server.PyPI["epochs"] = page("epochs-2.0.zip", "epochs-1!1.0.zip", "epochs-1!1.0.post1.zip")
	server.PyPI["plain"] = `<!DOCTYPE html><html><body><a href="x#sha256=1">plain-1.0.tar.gz</a><br>
		<a href="x" data-yanked="bad &gt;">plain-3.0.tar.gz</a><a href="y" data-requires-python="&gt;=3"> plain-2.0-py3-none-any.whl
		</a></body></html>`
	server.PyPI["none"] = page()

	ask(t, r, registry.EcosystemPyPI, []question{
		{"orchard-mcp", "", "1.1.0"},
		{"Orchard_MCP", "latest", "1.1.0"},
		{"orchard.mcp", "<1", "0.10.0"},
		{"orchard-mcp", ">=0.9,<0.10", "0.9.2"},
		{"orchard-mcp", ">=0.9, !=0.9.2, <0.10,", "0.9.0"},
		{"orchard-mcp", "~=0.9.0", "0.9.2"},
		{"orchard-mcp", "==0.9.*", "0.9.2"},
		{"orchard-mcp", "==1.0.0", "!no version of orchard-mcp"}, // yanked
		{"orchard-mcp", "<2", "1.1.0"},                           // PEP 440: no pre-release of 2
		{"orchard-mcp", ">=2.0.0rc1", "2.0.0rc1"},
		{"orchard-mcp", ">=2.0.0RC1", "2.0.0rc1"},
		{"orchard-mcp", ">=2.0.0", "!satisfies \">=2.0.0\" and is neither yanked nor a pre-release"},
		{"orchard-mcp", "0.9.0", "0.9.0"},
		{"orchard-mcp", "===0.9.0", "0.9.0"},
		{"orchard-mcp", "nightly", "!what is asked for is no specifier of Python versions"},
		{"orchard-mcp", "==1 ; python_version<'3'", "!what is asked for is no specifier of Python versions"},
		{"orchard-mcp", "@ https://x.example/y.whl", "!what is asked for is no specifier of Python versions"},
		{"young", "", "1.0b2"},
		{"epochs", "", "1!1.0.post1"},
		{"plain", "", "2.0"},
		{"none", "", "!no version of none"},
		{"missing", "", "!the Python package index has no package missing"},
		{"../x", "", "!its name is none that a Python package can have"},
	})
}

// The first index that has a package is believed.
func TestPyPIIndexes(t *testing.T) {
	t.Parallel()
	inner, _ := start(t)
	inner.PyPI["acme-notes"] = page("acme_notes-1.0-py3-none-any.whl")
	outer, _ := start(t)
	outer.PyPI["acme-notes"] = page("acme_notes-6.6.6-py3-none-any.whl")
	outer.PyPI["orchard"] = page("orchard-2.0-py3-none-any.whl")
	home := t.TempDir()
	write(t, home+"/.config/pip/pip.conf", "[global]\nindex-url = "+outer.URL+"/pypi\n")
	for name, environment := range map[string]map[string]string{
		"uv":       {"UV_INDEX": "inner=" + inner.URL + "/pypi", "UV_DEFAULT_INDEX": outer.URL + "/pypi"},
		"uv old":   {"UV_EXTRA_INDEX_URL": inner.URL + "/pypi/", "UV_INDEX_URL": outer.URL + "/pypi/"},
		"pip":      {"PIP_EXTRA_INDEX_URL": inner.URL + "/pypi/", "PIP_INDEX_URL": outer.URL + "/pypi/"},
		"pip.conf": {"PIP_EXTRA_INDEX_URL": inner.URL + "/pypi/", "HOME": home},
	} {
		t.Run(name, func(t *testing.T) {
			ask(t, resolvers(t, environment), registry.EcosystemPyPI, []question{
				{"acme-notes", "", "1.0"}, {"orchard", "", "2.0"},
			})
		})
	}
}
