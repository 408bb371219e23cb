package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/browsertest"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

func writeHTML(t testing.TB, r *report.Report, o report.HTMLOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteHTML(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parseSnapshot(t testing.TB, document string) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Parse("", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pageSnapshot is what the server "files" of the reports here says.
func pageSnapshot(t testing.TB) *snapshot.Snapshot {
	return parseSnapshot(t, `{"instructions":"Ask first.\u200b","tools":[
		{"name":"read","description":"Reads a crate`+tags("IGNORE")+`.\nGives its \"label\".","inputSchema":{"type":"object","properties":{"crate":{"type":"string"},"bay":{"type":"integer","enum":[1,2]}},"required":["crate"]}},
		{"name":"write","description":"Writes a label on a crate."},
		{"name":"count","description":"Counts the crates."}]}`)
}

// pageReport is a report with everything that the page shows.
func pageReport() *report.Report {
	r := cleanReview().Report
	s := &r.Servers[0]
	s.Counts.Tools = 3
	s.Server = report.ServerInfo{Name: "crates", Version: "1.2", Transport: "stdio", ProtocolVersion: "2025-06-18"}
	s.Scores = &report.Scores{Quality: linter.Quality{Score: 84, Grade: "B"}, Tokens: linter.Tokens{
		Scored: true, Score: 91, Grade: "A", Wasted: 1200, Definitions: 130, Instructions: 3, Tools: []linter.ToolScore{
			{Name: "read", Wasted: 1200, Tokens: 90, Description: 20, Schema: 60}, {Name: "write", Tokens: 20, Description: 12}, {Name: "count", Tokens: 20, Description: 10},
		}}}
	hidden := finding("injection/hidden-unicode", severity.Error, tool("read"), "the text has characters that nobody sees")
	hidden.Path, hidden.Fix, hidden.Codes = "/description", "Remove them.", []string{"S8"}
	params := finding("schema/missing-param-description", severity.Info, tool("read"), "2 parameters have no description")
	params.Items = []linter.Item{{Path: "/inputSchema/properties/crate", Subject: "crate"}, {Path: "/inputSchema/properties/bay", Subject: "bay"}}
	compat := finding("compat/output-root-type", severity.Warning, tool("write"), "Claude API refuses the whole request")
	compat.New = false
	told := finding("injection/hidden-unicode", severity.Error, snapshot.Ref{Kind: snapshot.KindServer, Name: "crates"}, "the instructions hide a character")
	told.Path = "/instructions"
	quiet := finding("description/too-short", severity.Warning, tool("count"), "the description has 3 words")
	quiet.Suppressed = &linter.Suppressed{Reason: "short on purpose", Until: "2031-05-04"}
	s.Findings = []linter.Finding{hidden, params, compat, told, quiet}
	text := change("description_changed", severity.Error, tool("read"), "new words")
	text.Before, text.After = "Reads.", "Reads a crate\u200b."
	s.Lock.Changes = append(s.Lock.Changes, text)
	r.Baseline = &report.Baseline{Source: "old.json", Known: 1, Fixed: []report.FixedFinding{
		{Key: "files", Rule: "description/missing", Severity: severity.Error, Entity: tool("write"), Message: "no description"},
	}}
	r.Summary = report.Summarize(&r, report.Limits{FailOn: severity.Error})
	return &r
}

var pageRules = []linter.Rule{
	{ID: "injection/hidden-unicode", Title: "Hidden characters", Why: "They reach the model and nobody else.", References: []string{"https://www.unicode.org/reports/tr36/"}},
	{
		ID: "compat/output-root-type", Title: "Output schema of another type", Why: "Clients refuse it.",
		Clients: []linter.ClientFact{{Client: "claude", Name: "Claude API", Does: "refuses the whole request", Since: "2025-06", Source: "https://github.com/example/example/issues/1"}},
	},
	{ID: "schema/missing-param-description", Title: "No description of a parameter", Why: "A model has to guess."},
	{ID: "naming/unused", Title: "A rule without findings", Why: "It is not explained."},
}

func TestHTMLReport(t *testing.T) {
	t.Parallel()
	page := writeHTML(t, pageReport(), report.HTMLOptions{Rules: pageRules, Snapshots: []*snapshot.Snapshot{pageSnapshot(t)}})
	golden(t, "page.golden.html", page)
	for what, want := range map[string]string{
		"the verdict":               ">failed</span>",
		"a score":                   "Quality: 84/100 (B)",
		"an estimate":               "<td>~90</td><td>~20</td><td>~60</td>",
		"a bar":                     `<rect class="d" x="0.00" y="0" width="22.22" height="10"/>`,
		"decoded TAG letters":       `<span class="hidden">[U&#43;E0049… &#39;IGNORE&#39;]</span>`,
		"a marked place":            `>&#34;crate&#34;: {&#34;type&#34;: &#34;string&#34;},`,
		"an escaped text":           `\&#34;label\&#34;`,
		"the instructions":          `&#34;instructions&#34;: &#34;Ask first.</mark><span class="hidden">\u{200B}</span>`,
		"a link into it":            `<a href="#m`,
		"a known finding":           `<span class="known">known</span>`,
		"the reason":                "short on purpose<br>until 2031-05-04",
		"a client's habit":          `<th scope="row">Claude API</th><td>refuses the whole request`,
		"what the score leaves out": "are left out of the quality score",
		"the lock":                  "<h3>Differs from the lock: 1 change (1 error)</h3>",
		"a hidden new word":         `<ins>Reads a crate<span class="hidden">[U&#43;200B zero width space]</span>.</ins>`,
		"clean tools":               `Tools without findings: 1</summary><p class="clean"><code>count</code>`,
		"the baseline":              "1 known, 1 fixed since",
		"what was fixed":            "<code>description/missing</code> tool <code>write</code>: no description",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing: %s", what, want)
		}
	}
	if strings.Contains(page, "A rule without findings") {
		t.Error("a rule is explained that nothing names")
	}
	if again := writeHTML(t, pageReport(), report.HTMLOptions{Rules: pageRules, Snapshots: []*snapshot.Snapshot{pageSnapshot(t)}}); again != page {
		t.Error("two pages of one report differ")
	}
}

// Whoever links, links to something, and no name is there twice.
func TestHTMLLinksHaveTargets(t *testing.T) {
	t.Parallel()
	if n := checkLinks(t, writeHTML(t, pageReport(), report.HTMLOptions{Rules: pageRules, Snapshots: []*snapshot.Snapshot{pageSnapshot(t)}})); n < 8 {
		t.Errorf("only %d links", n)
	}
}

// checkLinks returns how many links to its own places a page has.
func checkLinks(t *testing.T, page string) int {
	t.Helper()
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("id %s is there twice", m[1])
		}
	}
	links := regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]*)"`).FindAllStringSubmatch(page, -1)
	for _, m := range links {
		if ids[m[1]] == 0 {
			t.Errorf("%s leads nowhere", m[0])
		}
	}
	return len(links)
}

func TestHTMLPolicyKnowsTheStyle(t *testing.T) {
	t.Parallel()
	page := writeHTML(t, &report.Report{}, report.HTMLOptions{})
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, found := strings.Cut(rest, "</style>")
	hash := sha256.Sum256([]byte(style))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'"
	if !found || policy == nil || html.UnescapeString(policy[1]) != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
}

// evil is text that would act if any of it reached the page as markup. Every
// string that a server controls has it.
func evil(canary string) string {
	return `</title></style></script></code></pre></details>"'><script>document.title="owned"</script><img src="` + canary + `/img" onerror="document.title='owned'">` +
		`<svg onload="document.title='owned'"><iframe src="` + canary + `/frame"></iframe><link rel="stylesheet" href="` + canary + `/css"><style>@import "` + canary + `/import"; * { background: url(` + canary + `/bg) }</style>` +
		`<a href="javascript:document.title='owned'">x</a> <form action="` + canary + `/form"><input autofocus onfocus="document.title='owned'"></form><base href="` + canary + `/">` +
		`<meta http-equiv="refresh" content="0;url=` + canary + `/refresh"> &lt;b&gt; &#60;script&#62; {{.}} ${x} <!-- --> ]]> ` + "\u202Efdp.exe\u200B" + tags("IGNORE ALL") + "\x1b[31m`"
}

// hostilePage is a report in which every foreign string is hostile.
func hostilePage(t *testing.T, canary string) (*report.Report, report.HTMLOptions) {
	t.Helper()
	e := evil(canary)
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	document := `{"serverInfo":{"name":` + quoted(e) + `,"version":` + quoted(e) + `},"instructions":` + quoted(e) + `,"tools":[{"name":` + quoted(e) +
		`,"description":` + quoted(e) + `,` + quoted(e) + `:{` + quoted(e) + `:[` + quoted(e) + `,{"a":` + quoted(e) + `}]},"long":` + quoted(strings.Repeat(e, 400)) + `}],
		"prompts":[{"name":` + quoted(e) + `}],"resources":[{"uri":` + quoted("javascript:"+e) + `,"name":` + quoted(e) + `}]}`
	r := pageReport()
	r.Tool.Version = e
	r.Baseline.Source = e
	r.Baseline.Fixed[0] = report.FixedFinding{Key: e, Rule: e, Severity: severity.Error, Entity: tool(e), Path: e, Message: e}
	s := &r.Servers[0]
	s.Key, s.Server.Name, s.Server.Version, s.Server.ProtocolVersion, s.Server.Transport = e, e, e, e, e
	pointer := snapshot.AppendPointer("", e)
	for i := range s.Findings {
		f := &s.Findings[i]
		f.Message, f.Fix, f.Path, f.Codes = e, e, pointer, []string{e}
		f.Location = at(e, 1, 1)
		f.Items = []linter.Item{{Path: pointer + pointer + "/1/a", Subject: e}, {Path: "/long", Subject: e}}
		if f.Suppressed != nil {
			f.Suppressed = &linter.Suppressed{Reason: e, Until: e}
		}
		if f.Entity.Kind != snapshot.KindServer {
			f.Entity.Name = e
		}
	}
	unknown := finding(e, severity.Warning, snapshot.Ref{Kind: snapshot.KindResource, Name: "javascript:" + e}, e)
	prompt := finding("a/b", severity.Warning, snapshot.Ref{Kind: snapshot.KindPrompt, Name: e}, e)
	prompt.Path = "/name"
	told := finding("a/b", severity.Error, snapshot.Ref{Kind: snapshot.KindServer}, e)
	told.Path = "/instructions"
	s.Findings = append(s.Findings, unknown, prompt, told)
	for i := range s.Scores.Tokens.Tools {
		s.Scores.Tokens.Tools[i].Name = e + fmt.Sprint(i)
	}
	c := &s.Lock.Changes[0]
	c.Kind, c.Message, c.Before, c.After, c.RenamedFrom, c.Path = e, e, e, e, e, pointer
	c.Text = []lockfile.Part{{Op: lockfile.Same, Text: e}, {Op: lockfile.Removed, Text: e}, {Op: lockfile.Added, Text: e}, {Op: lockfile.Skipped}}
	c.Raw = c.Text
	c.Entity.Name = e
	r.Servers = append(r.Servers, report.Server{Key: "javascript:" + e, Error: &report.Error{Kind: "x" + report.ErrorKind(e), Message: e}})
	return r, report.HTMLOptions{Rules: pageRules, Snapshots: []*snapshot.Snapshot{parseSnapshot(t, document)}}
}

// Hostile text in a real browser: it is shown, runs nothing, fetches nothing
// and leads nowhere. Without the policy as well, so that the policy does not
// hide what the escaping lets through.
func TestHTMLInABrowser(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fetched.Add(1) }))
	defer canary.Close()
	r, o := hostilePage(t, canary.URL)
	page := writeHTML(t, r, o)
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>\n`)
	for name, document := range map[string]string{"with the policy": page, "without it": policy.ReplaceAllString(page, "")} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "page.html")
			if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
				t.Fatal(err)
			}
			got := browsertest.Open(t, "file://"+file)
			if len(got.Console) > 0 {
				t.Errorf("the browser complains: %q", got.Console)
			}
			if !strings.Contains(got.DOM, "<title>mcp-lint report</title>") {
				t.Errorf("the title is another: a script ran")
			}
			if n := fetched.Load(); n > 0 {
				t.Errorf("the page fetched %d addresses that the texts name", n)
			}
			checkElements(t, got.DOM)
			if !strings.Contains(got.DOM, `<span class="hidden">\u{200B}[U+E0049… 'IGNORE ALL']\u{1B}</span>`) {
				t.Error("hidden characters are not shown")
			}
		})
	}
}

var elements = regexp.MustCompile(`<([a-zA-Z][^\s/>]*)((?:[^>"]|"[^"]*")*)>`)

// checkElements takes the page's own elements and attributes only, and links
// only to its places and to what the rules cite.
func checkElements(t *testing.T, dom string) {
	t.Helper()
	allowed := strings.Fields("html head meta title style body header h1 h2 h3 h4 p span code table caption thead tbody tr th td a main section article " +
		"div b br small svg rect details summary ul li pre mark footer del ins")
	attributes := strings.Fields("lang charset http-equiv content name class id href rel scope aria-labelledby aria-hidden tabindex viewBox preserveAspectRatio x y width height colspan")
	attribute := regexp.MustCompile(`([^\s=]+)="([^"]*)"`)
	seen := 0
	for _, m := range elements.FindAllStringSubmatch(dom, -1) {
		seen++
		if !slices.Contains(allowed, m[1]) {
			t.Errorf("element %.200s", m[0])
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(attributes, a[1]) {
				t.Errorf("attribute %s in %.200s", a[1], m[0])
			}
			if a[1] == "href" && !strings.HasPrefix(a[2], "#") && !strings.HasPrefix(a[2], "https://www.unicode.org/") && !strings.HasPrefix(a[2], "https://github.com/example/") {
				t.Errorf("a link to %.200s", a[2])
			}
		}
		if rest := attribute.ReplaceAllString(m[2], ""); strings.TrimSpace(strings.TrimSuffix(rest, "/")) != "" {
			t.Errorf("odd attributes %q in %.200s", rest, m[0])
		}
	}
	if seen < 50 {
		t.Errorf("only %d elements", seen)
	}
}

// The file itself obeys the same rules, where there is no browser.
func TestHTMLHasOwnElementsOnly(t *testing.T) {
	t.Parallel()
	r, o := hostilePage(t, "http://canary.example")
	page := writeHTML(t, r, o)
	checkElements(t, strings.TrimPrefix(page, "<!DOCTYPE html>"))
	for _, c := range page {
		if c < ' ' && c != '\n' || c == 0x202E || c == 0x200B || c >= 0xE0000 && c <= 0xE007F {
			t.Fatalf("raw %U", c)
		}
	}
}

// However much a server says, the page stays a page and tells what it lacks.
func TestHTMLIsBounded(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("\u200bx", 200_000)
	quoted, err := json.Marshal(huge)
	if err != nil {
		t.Fatal(err)
	}
	var document strings.Builder
	r := &cleanReview().Report
	s := &r.Servers[0]
	s.Findings, s.Scores.Tokens.Tools = nil, nil
	s.Scores.Tokens.Definitions = 1
	document.WriteString(`{"tools":[`)
	for i := range 400 {
		name := fmt.Sprint("tool_", i)
		if i > 0 {
			document.WriteByte(',')
		}
		fmt.Fprintf(&document, `{"name":%q,"deep":%s%s,"wide":[%s0]`, name, strings.Repeat(`{"a":`, 80)+"1", strings.Repeat("}", 80), strings.Repeat(`{"k":"vvvvvvvvv"},`, 1000))
		if i < 20 {
			document.WriteString(`,"description":` + string(quoted))
		}
		document.WriteByte('}')
		s.Scores.Tokens.Tools = append(s.Scores.Tokens.Tools, linter.ToolScore{Name: name, Tokens: i})
		for j := range 120 {
			f := finding(fmt.Sprint("schema/rule-", j), severity.Error, tool(name), huge[:400]+fmt.Sprint(j))
			f.Path = fmt.Sprint("/wide/", j)
			switch j % 3 {
			case 0:
				f.Path = "/description"
			case 1:
				f.Path = "/deep" + strings.Repeat("/a", 70)
			}
			s.Findings = append(s.Findings, f)
		}
	}
	document.WriteString(`]}`)
	page := writeHTML(t, r, report.HTMLOptions{Snapshots: []*snapshot.Snapshot{parseSnapshot(t, document.String())}})
	checkLinks(t, page)
	if len(page) > 12<<20 {
		t.Errorf("a page of %d bytes", len(page))
	}
	for _, note := range []string{
		"Only the marked places are shown", "20 more findings are not shown here", "more findings are not shown: the page is long enough", "300 more tools", "more characters)",
	} {
		if !strings.Contains(page, note) {
			t.Errorf("the page does not say %q", note)
		}
	}
}

// Tools of one name each have their own definition.
func TestHTMLTellsTwinsApart(t *testing.T) {
	t.Parallel()
	document := "{\"tools\":[\n{\"name\":\"a\",\"description\":\"harbour\"},\n{\"name\":\"a\",\"description\":\"kitchen\"},\n{\"name\":\"a\",\"description\":\"orchard\"}]}"
	s, err := snapshot.Parse("tools.json", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	r := cleanReview()
	f := finding("description/too-short", severity.Warning, tool("a"), "short")
	f.Path, f.Location = "/description", at("tools.json", 3, 27)
	r.Report.Servers[0].Findings = []linter.Finding{f}
	page := writeHTML(t, &r.Report, report.HTMLOptions{Snapshots: []*snapshot.Snapshot{s}})
	if !strings.Contains(page, "kitchen") || strings.Contains(page, "harbour") || strings.Contains(page, "orchard") {
		t.Error("the wrong definition is shown")
	}
}

// A finding may be about instructions that are missing.
func TestHTMLWithoutInstructions(t *testing.T) {
	t.Parallel()
	page := writeHTML(t, pageReport(), report.HTMLOptions{Snapshots: []*snapshot.Snapshot{parseSnapshot(t, `{"instructions":null,"tools":[]}`)}})
	if strings.Contains(page, "&#34;instructions&#34;") || !strings.Contains(page, "<code>/instructions</code>") {
		t.Error("shows instructions that are not there")
	}
	checkLinks(t, page)
}

// A server without tools has no token score (D34).
func TestHTMLOfNoTools(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	r.Report.Servers[0].Counts, r.Report.Servers[0].Scores.Tokens = report.Counts{}, linter.Tokens{Score: 100, Grade: "A"}
	page := writeHTML(t, &r.Report, report.HTMLOptions{})
	if !strings.Contains(page, "<b>Token cost: not scored</b>") || strings.Contains(page, "Token cost: 100") {
		t.Error("a server without tools has a token score")
	}
}

func TestHTMLWithoutSnapshot(t *testing.T) {
	t.Parallel()
	page := writeHTML(t, pageReport(), report.HTMLOptions{})
	if !strings.Contains(page, "The definitions are not known here.") || strings.Contains(page, `href="#m`) {
		t.Error("links to definitions that are not there, or does not say so")
	}
}
