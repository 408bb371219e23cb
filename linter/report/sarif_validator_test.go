package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	multitool        = "@microsoft/sarif-multitool-linux"
	multitoolVersion = "5.7.0"
)

// Microsoft's validator with the rules of the format (Sarif) and of GitHub
// (Ghas). It finishes happily over files that it cannot read, so that every run
// also has to refuse a broken twin of the same document. What it does not look
// at (nulls, unknown levels) is the JSON schema's part, with a twin as well.
func TestSARIFPassesMicrosoftsValidator(t *testing.T) {
	t.Parallel()
	folder := installMultitool(t)
	schema := sarifSchema(t, filepath.Join(folder, "sarif-2.1.0.json"))
	docs := map[string][]byte{}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"file": func(b *bytes.Buffer) error {
			return report.WriteSARIF(b, &hostileReview().Report, report.SARIFOptions{Category: "mcp-lint/app/", Rules: testRules, IncludeSuppressed: true, Indent: true})
		},
		"upload": func(b *bytes.Buffer) error {
			return hostileReview().WriteSARIF(b, report.SARIFOptions{Category: "mcp-lint/app/", Rules: testRules})
		},
		"clean": func(b *bytes.Buffer) error {
			return cleanReview().WriteSARIF(b, report.SARIFOptions{Category: "mcp-lint/app/", Rules: testRules})
		},
		"compat": func(b *bytes.Buffer) error {
			return report.WriteSARIF(b, pageReport(), report.SARIFOptions{Category: "mcp-lint/app/", Rules: pageRules, IncludeSuppressed: true})
		},
		"markup": func(b *bytes.Buffer) error {
			r, _ := hostilePage(t, "https://canary.example")
			r.Tool.Version = "0.1.0"
			s := &r.Servers[0]
			for i := range s.Findings { // what is ours is as it always is
				s.Findings[i].Rule, s.Findings[i].Codes = "schema/untyped-param", nil
			}
			s.Lock.Changes[0].Kind = "description_changed"
			return report.WriteSARIF(b, r, report.SARIFOptions{Category: "mcp-lint/app/", Rules: pageRules, IncludeSuppressed: true})
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		docs[name+".sarif"] = b.Bytes()
		docs[name+"-broken.sarif"] = brokenTwin(t, b.Bytes())
	}
	complaints := validate(t, folder, docs)
	for name, doc := range docs {
		if !strings.HasSuffix(name, "-broken.sarif") {
			if len(complaints[name]) > 0 {
				t.Errorf("%s is refused: %v\n%s", name, complaints[name], doc)
			}
			if err := schema.Validate(parsed(t, doc)); err != nil {
				t.Errorf("%s against the schema: %v", name, err)
			}
			continue
		}
		for _, kind := range []string{"SARIF", "GH"} {
			if !slices.ContainsFunc(complaints[name], func(c string) bool { return strings.HasPrefix(c, kind) }) {
				t.Errorf("no %s rule refuses %s: %v", kind, name, complaints[name])
			}
		}
		if err := schema.Validate(parsed(t, doc)); err == nil {
			t.Errorf("the schema takes %s", name)
		}
	}
}

// brokenTwin is the same document with a result that has no place, names a rule
// that is not there, and has a null.
func brokenTwin(t *testing.T, doc []byte) []byte {
	t.Helper()
	root := parsed(t, doc).(map[string]any)
	run := root["runs"].([]any)[0].(map[string]any)
	run["results"] = append(run["results"].([]any), map[string]any{
		"ruleId": "schema/root-type", "ruleIndex": 999, "message": map[string]any{"text": "Broken."}, "guid": nil,
	})
	broken, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return broken
}

func parsed(t *testing.T, doc []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func sarifSchema(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// offline keeps the validator from fetching every address in a document.
const offline = `<?xml version="1.0" encoding="utf-8"?>
<Properties>
  <Properties Key="SARIF2006.UrisShouldBeReachable.Options">
    <Property Key="RuleEnabled" Value="Disabled" Type="Driver.RuleEnabledState" />
  </Properties>
</Properties>
`

// validate runs the validator once over all documents and returns, for each,
// the rules that refuse it as errors or warnings.
func validate(t *testing.T, folder string, docs map[string][]byte) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	out, config := filepath.Join(dir, "log.json"), filepath.Join(dir, "offline.xml")
	if err := os.WriteFile(config, []byte(offline), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"validate"}
	for name, doc := range docs {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, doc, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	args = append(args, "--output", out, "--config", config, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--quiet")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(folder, "Sarif.Multitool"), args...)
	cmd.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1") // no ICU needed
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("the validator left no log: %v", err)
	}
	log := readSARIF(t, bytes.TrimPrefix(data, []byte("\ufeff")))
	inv := log.Runs[0].Invocations
	if len(inv) != 1 || !inv[0].ExecutionSuccessful || len(inv[0].ToolExecutionNotifications) > 0 {
		t.Fatalf("the validator did not do its work: %s", data)
	}
	complaints := map[string][]string{}
	for _, r := range log.Runs[0].Results {
		name := path.Base(r.Locations[0].PhysicalLocation.ArtifactLocation.URI)
		complaints[name] = append(complaints[name], r.RuleID)
	}
	return complaints
}

var unreachable = regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED`)

// installMultitool returns the package's folder in the user's cache, installing
// it there once without running any script of it.
func installMultitool(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("Microsoft's SARIF validator is tested with on Linux only")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "mcp-lint-test", "sarif-multitool-"+multitoolVersion)
	folder := filepath.Join(home, "node_modules", filepath.FromSlash(multitool))
	if _, err := os.Stat(filepath.Join(folder, "Sarif.Multitool")); err != nil {
		npmInstall(t, home)
	}
	if err := os.Chmod(filepath.Join(folder, "Sarif.Multitool"), 0o755); err != nil { // its install script would
		t.Fatal(err)
	}
	return folder
}

// npmInstall fills a folder beside home and moves it there, so that a broken
// installation or another test process leaves nothing half done.
func npmInstall(t *testing.T, home string) {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed: Microsoft's SARIF validator cannot be fetched")
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		t.Fatal(err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(home), "installing-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", tmp, multitool+"@"+multitoolVersion)
	cmd.Dir = tmp
	if text, err := cmd.CombinedOutput(); err != nil {
		if unreachable.Match(text) {
			t.Skip("the npm registry cannot be reached: Microsoft's SARIF validator cannot be fetched")
		}
		t.Fatalf("installing %s: %v\n%s", multitool, err, text)
	}
	if err := os.Rename(tmp, home); err != nil {
		if _, there := os.Stat(home); there != nil {
			t.Fatal(err)
		}
	}
}
