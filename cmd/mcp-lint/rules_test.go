package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcp-lint/mcp-lint/linter/rules"
)

var update = flag.Bool("update", false, "write the golden files and docs/rules.md again")

func TestRulesPageIsCurrent(t *testing.T) {
	t.Parallel()
	const file = "../../docs/rules.md"
	_, want, stderr := mcpLint(t, "", "rules", "--format", "markdown")
	if stderr != "" {
		t.Fatal(stderr)
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/rules.md is not what the rules say; run go generate ./cmd/mcp-lint")
	}
}

// The tests of the rules run every example. What is printed, on the page and in
// the terminal, is that very example, unless it says that it leaves something
// out.
func TestExamplesArePrintedAsTheyAreRun(t *testing.T) {
	t.Parallel()
	_, page, _ := mcpLint(t, "", "rules", "--format", "markdown")
	blocks := regexp.MustCompile("(?s)\n````*json\n(.*?)\n````*\n")
	fold := regexp.MustCompile(`\n +`)
	whole := 0
	for _, r := range rules.All() {
		_, section, found := strings.Cut(page, "\n### "+r.ID+"\n")
		if !found {
			t.Errorf("%s is not on the page", r.ID)
			continue
		}
		section, _, _ = strings.Cut(section, "\n### ")
		printed := blocks.FindAllStringSubmatch(section, -1)
		if len(printed) != 2 {
			t.Errorf("%s: %d examples on the page", r.ID, len(printed))
			continue
		}
		_, text, _ := mcpLint(t, "", "rules", r.ID)
		_, text, _ = strings.Cut(text, "\nBad:\n")
		bad, text, _ := strings.Cut(text, "\n\nGood:\n")
		good, _, _ := strings.Cut(text, "\n\n")
		for _, c := range []struct{ kind, run, page, terminal string }{
			{"bad", r.Bad, printed[0][1], bad}, {"good", r.Good, printed[1][1], good},
		} {
			if strings.Contains(c.page, "… ") && !strings.Contains(c.run, "… ") {
				continue
			}
			whole++
			want := plainJSON(t, c.run)
			if got := plainJSON(t, c.page); got != want {
				t.Errorf("%s: the %s example on the page is %s; what is run is %s", r.ID, c.kind, got, want)
			}
			if got := plainJSON(t, fold.ReplaceAllString(c.terminal, " ")); got != want {
				t.Errorf("%s: the %s example in the terminal is %s; what is run is %s", r.ID, c.kind, got, want)
			}
		}
	}
	if whole < len(rules.All()) {
		t.Errorf("only %d examples are shown whole", whole)
	}
}

// plainJSON is a document without white space, every text in one spelling.
func plainJSON(t *testing.T, text string) string {
	t.Helper()
	v := jsontext.Value(text)
	if err := v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(false)); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return string(v)
}

// In 80 columns nothing is wider but what cannot be broken.
func TestRulesFitTheTerminal(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	_, texts["rules"], _ = mcpLint(t, "", "rules")
	for _, r := range rules.All() {
		_, texts[r.ID], _ = mcpLint(t, "", "rules", r.ID)
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			longest := 0
			for _, word := range strings.Fields(line) {
				longest = max(longest, len([]rune(word)))
			}
			if columns := len([]rune(line)); columns > 80 && longest < 60 {
				t.Errorf("%s: %d columns: %s", name, columns, line)
			}
		}
	}
}

// A link to the anchor of a rule leads somewhere: SARIF documents hold them.
func TestRulesPageHasTheAnchors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllSubmatch(page, -1) {
		anchor := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(string(heading[1])), "")
		if anchors[anchor] {
			t.Errorf("two headings have the anchor %s", anchor)
		}
		anchors[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	for _, link := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllSubmatch(page, -1) {
		if !anchors[string(link[1])] {
			t.Errorf("docs/rules.md links to #%s, which is not there", link[1])
		}
	}
	file := t.TempDir() + "/f.json"
	if err := os.WriteFile(file, []byte("["+goodTool+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, sarif, _ := mcpLint(t, "", "check", "--format", "sarif", file)
	links := regexp.MustCompile(`docs/rules\.md#([^"]+)"`).FindAllStringSubmatch(sarif, -1)
	if len(links) < len(rules.All()) {
		t.Errorf("%d rules in SARIF have a link", len(links))
	}
	for _, link := range links {
		if !anchors[html.UnescapeString(link[1])] {
			t.Errorf("SARIF links to #%s, which is not there", link[1])
		}
	}
}

// The defaults of options are in the code of the rules, and once more in the
// published schema, from which the documentation takes them.
func TestSchemaHasTheDefaultsOfOptions(t *testing.T) {
	t.Parallel()
	options, err := ruleOptions()
	if err != nil {
		t.Fatal(err)
	}
	inCode, read := defaultsInCode(t)
	for _, r := range rules.All() {
		for _, name := range r.Options {
			option, published := options[name]
			want, constant := inCode[name]
			switch {
			case !published || option.Means == "":
				t.Errorf("%s: docs/mcp-lint.schema.json does not describe the option %s", r.ID, name)
			case !read[name]:
				t.Errorf("%s never reads its option %s", r.ID, name)
			case constant != (option.Default != nil):
				t.Errorf("%s: only one of the schema and the code has a default of %s", r.ID, name)
			case constant && *option.Default != want:
				t.Errorf("%s: the default of %s is %g in the schema, %g in the code", r.ID, name, *option.Default, want)
			}
		}
	}
}

// defaultsInCode finds the calls of Pass.Option: the defaults that are constants,
// and every option that is read.
func defaultsInCode(t *testing.T) (defaults map[string]float64, read map[string]bool) {
	t.Helper()
	sources, err := filepath.Glob("../../linter/rules/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	constants := map[string]float64{}
	defaults, read = map[string]float64{}, map[string]bool{}
	number := func(e ast.Expr) (float64, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			n, err := strconv.ParseFloat(strings.ReplaceAll(e.Value, "_", ""), 64)
			return n, err == nil
		case *ast.Ident:
			n, ok := constants[e.Name]
			return n, ok
		}
		return 0, false
	}
	visit := func(look func(ast.Node)) {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool { look(n); return true })
		}
	}
	visit(func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		for i := 0; ok && i < min(len(spec.Names), len(spec.Values)); i++ {
			if value, ok := number(spec.Values[i]); ok {
				constants[spec.Names[i].Name] = value
			}
		}
	})
	visit(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return
		}
		called, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || called.Sel.Name != "Option" {
			return
		}
		name, ok := call.Args[0].(*ast.BasicLit)
		value, constant := number(call.Args[1])
		if !ok {
			return
		}
		key := strings.Trim(name.Value, `"`)
		read[key] = true
		if !constant {
			return
		}
		if before, twice := defaults[key]; twice && before != value {
			t.Errorf("the option %s has the defaults %g and %g", key, before, value)
		}
		defaults[key] = value
	})
	return defaults, read
}

// The three forms speak of the same rules.
func TestRulesAsJSON(t *testing.T) {
	t.Parallel()
	_, stdout, _ := mcpLint(t, "", "rules", "--format", "json")
	var got []struct{ ID, Title, Bad, Good string }
	dec := json.NewDecoder(bytes.NewReader([]byte(stdout)))
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	all := rules.All()
	if len(got) != len(all) {
		t.Fatalf("%d rules, want %d", len(got), len(all))
	}
	for i, r := range all {
		if got[i].ID != r.ID || got[i].Title != r.Title || got[i].Bad != r.Bad || got[i].Good != r.Good {
			t.Errorf("rule %d is %+v", i, got[i])
		}
	}
}
