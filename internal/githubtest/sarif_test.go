package githubtest

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

// sarifDocument is a good document with two results, which tests then break.
func sarifDocument(change func(run obj)) obj {
	text := func(s string) obj { return obj{"text": s} }
	result := func(rule, level, path string, line int, print string) obj {
		return obj{
			"ruleId": rule, "level": level, "message": text("message of " + rule), "partialFingerprints": obj{"primaryLocationLineHash": print},
			"locations": []obj{{"physicalLocation": obj{"artifactLocation": obj{"uri": path}, "region": obj{"startLine": line}}}},
		}
	}
	rule := func(id string) obj {
		return obj{"id": id, "name": id, "shortDescription": text("short"), "fullDescription": text("full"), "help": text("help")}
	}
	run := obj{
		"tool":              obj{"driver": obj{"name": "mcp-lint", "version": "1", "rules": []obj{rule("a/b"), rule("c/d")}}},
		"automationDetails": obj{"id": "mcp-lint/app/"},
		"results":           []obj{result("a/b", "warning", "README.md", 1, "one"), result("c/d", "error", "dir/a.txt", 2, "two")},
	}
	if change != nil {
		change(run)
	}
	return obj{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []obj{run}}
}

func pack(t *testing.T, document any) string {
	t.Helper()
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write(data)
	zip.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

type scanning struct {
	srv    *Server
	repo   *Repository
	client *github.Client
	pr     *PullRequest
	base   string
}

func newScanning(t *testing.T, opts Options) scanning {
	opts.ContentWritesPerMinute = -1
	srv := start(t, opts)
	repo, base, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	return scanning{srv, repo, repoClient(t, srv, repo, nil), openPull(t, repo, "Change", "feature", PullOptions{}), base}
}

func (s scanning) upload(sha, ref, sarif string) (*github.SarifID, error) {
	id, _, err := s.client.CodeScanning.UploadSarif(ctx, "acme", "tools", &github.SarifAnalysis{CommitSHA: &sha, Ref: &ref, Sarif: &sarif})
	return id, err
}

// finish polls until an upload is processed.
func (s scanning) finish(t *testing.T, id string) (*github.SARIFUpload, int) {
	t.Helper()
	for polls := 1; polls < 20; polls++ {
		if got := must[*github.SARIFUpload](t)(s.client.CodeScanning.GetSARIF(ctx, "acme", "tools", id)); got.GetProcessingStatus() != "pending" {
			return got, polls
		}
	}
	t.Fatal("still pending")
	return nil, 0
}

// sarifErrors reads what go-github v66 does not have a field for.
func (s scanning) errors(id string) string {
	for _, up := range s.srv.SARIFs(s.repo) {
		if up.ID == id {
			return strings.Join(up.Errors, "\n")
		}
	}
	return ""
}

func TestSARIFIsProcessedLater(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{SARIFPendingPolls: 3})
	id, err := s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, sarifDocument(nil)))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.srv.Alerts(s.repo); len(got) != 0 {
		t.Errorf("alerts before processing: %v", got)
	}
	got, polls := s.finish(t, id.GetID())
	if got.GetProcessingStatus() != "complete" || polls != 4 {
		t.Errorf("status %s after %d polls", got.GetProcessingStatus(), polls)
	}
	up := s.srv.SARIFs(s.repo)[0]
	if up.Tool != "mcp-lint" || up.Category != "mcp-lint/app/" || up.Results != 2 || up.Status != "complete" || !json.Valid(up.Document) {
		t.Errorf("upload: %+v", up)
	}
	alerts := must[[]*github.Alert](t)(s.client.CodeScanning.ListAlertsForRepo(ctx, "acme", "tools", &github.AlertListOptions{Ref: "refs/pull/1/head"}))
	if len(alerts) != 2 || alerts[0].GetState() != "open" || alerts[0].GetRule().GetID() != "a/b" {
		t.Errorf("alerts: %v", alerts)
	}
	analyses := must[[]*github.ScanningAnalysis](t)(s.client.CodeScanning.ListAnalysesForRepo(ctx, "acme", "tools", &github.AnalysesListOptions{SarifID: id.ID}))
	if len(analyses) != 1 || analyses[0].GetResultsCount() != 2 || analyses[0].GetCategory() != "mcp-lint/app/" {
		t.Errorf("analyses: %v", analyses)
	}
	_, _, err = s.client.CodeScanning.GetSARIF(ctx, "acme", "tools", "nothing")
	wantStatus(t, err, 404, "")
}

func TestAlertsFollowTheFingerprint(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{SARIFPendingPolls: -1})
	send := func(ref, sha string, document obj) {
		t.Helper()
		id, err := s.upload(sha, ref, pack(t, document))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.finish(t, id.GetID()); got.GetProcessingStatus() != "complete" {
			t.Fatalf("failed: %s", s.errors(id.GetID()))
		}
	}
	send("refs/pull/1/head", s.pr.HeadSHA(), sarifDocument(nil))
	send("refs/pull/1/head", s.pr.HeadSHA(), sarifDocument(func(run obj) { // the first moves, the second is gone
		results := run["results"].([]obj)
		results[0]["locations"] = []obj{{"physicalLocation": obj{"artifactLocation": obj{"uri": "README.md"}, "region": obj{"startLine": 2}}}}
		run["results"] = results[:1]
	}))
	send("refs/heads/main", s.base, sarifDocument(func(run obj) { run["results"] = []obj{} }))
	got := s.srv.Alerts(s.repo)
	if len(got) != 2 {
		t.Fatalf("alerts: %+v", got)
	}
	for _, a := range got {
		if want := map[string]string{"one": "open", "two": "fixed"}[a.Fingerprint]; a.State != want {
			t.Errorf("alert %s is %s, want %s", a.Fingerprint, a.State, want)
		}
		if a.Fingerprint == "one" && a.StartLine != 2 {
			t.Errorf("alert stayed on line %d", a.StartLine)
		}
	}
	open := must[[]*github.Alert](t)(s.client.CodeScanning.ListAlertsForRepo(ctx, "acme", "tools", &github.AlertListOptions{State: "open"}))
	if len(open) != 1 {
		t.Errorf("open alerts: %v", open)
	}
	other := must[[]*github.Alert](t)(s.client.CodeScanning.ListAlertsForRepo(ctx, "acme", "tools", &github.AlertListOptions{Ref: "main"}))
	if len(other) != 0 {
		t.Errorf("alerts on main: %v", other)
	}
}

func TestSARIFRefAndCommitBelongTogether(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{})
	head, good := s.pr.HeadSHA(), pack(t, sarifDocument(nil))
	for name, test := range map[string]struct {
		sha, ref string
		status   int // 0 = accepted
		want     string
	}{
		"pull request head":        {head, "refs/pull/1/head", 0, ""},
		"branch":                   {s.base, "refs/heads/main", 0, ""},
		"merge ref with head":      {head, "refs/pull/1/merge", 400, "not a merge commit"},
		"head ref with base":       {s.base, "refs/pull/1/head", 400, "not a head"},
		"unknown pull request":     {head, "refs/pull/7/head", 404, "ref not found"},
		"unknown branch":           {head, "refs/heads/gone", 404, "ref not found"},
		"commit that is not there": {strings.Repeat("a", 40), "refs/pull/1/head", 404, "commit not found"},
		"half a pull ref":          {head, "refs/pull/1", 404, "ref not found"},
	} {
		_, err := s.upload(test.sha, test.ref, good)
		if test.status == 0 && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if test.status != 0 {
			wantStatus(t, err, test.status, test.want)
		}
	}
	_, err := s.upload(head, "main", good)
	wantStatus(t, err, 422, "ref")
	wantViolation(t, s.srv, "ref")
}

func TestSARIFEncodingAndSize(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{})
	head := s.pr.HeadSHA()
	noise := make([]byte, MaxSARIFCompressedBytes)
	rand.Read(noise)
	for name, test := range map[string]struct {
		sarif  string
		status int
	}{
		"not base64":    {"%%%", 400},
		"not gzip":      {base64.StdEncoding.EncodeToString([]byte("{}")), 400},
		"not JSON":      {pack(t, json.RawMessage(`"x"`))[:20], 400},
		"at 10 MB":      {base64.StdEncoding.EncodeToString(noise), 400}, // read, and found not to be gzip
		"10 MB and one": {base64.StdEncoding.EncodeToString(append(noise, 0)), 413},
	} {
		_, err := s.upload(head, "refs/pull/1/head", test.sarif)
		t.Run(name, func(t *testing.T) { wantStatus(t, err, test.status, "") })
	}
}

// TestSARIFMustHaves breaks one thing at a time in a document that is accepted.
func TestSARIFMustHaves(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{SARIFPendingPolls: -1})
	first := func(change func(result obj)) obj {
		return sarifDocument(func(run obj) { change(run["results"].([]obj)[0]) })
	}
	rules := func(change func(driver obj, rules []obj)) obj {
		return sarifDocument(func(run obj) {
			driver := run["tool"].(obj)["driver"].(obj)
			change(driver, driver["rules"].([]obj))
		})
	}
	runs := func(n int, category func(int) string) obj {
		all := []obj{}
		for i := range n {
			run := sarifDocument(nil)["runs"].([]obj)[0]
			run["automationDetails"] = obj{"id": category(i)}
			all = append(all, run)
		}
		return obj{"version": "2.1.0", "runs": all}
	}
	repeat := func(n int) obj {
		return sarifDocument(func(run obj) {
			all := []obj{}
			for i := range n {
				r := obj{"ruleId": "a/b", "message": obj{"text": "m"}, "locations": run["results"].([]obj)[0]["locations"], "partialFingerprints": obj{"primaryLocationLineHash": fmt.Sprint(i)}}
				all = append(all, r)
			}
			run["results"] = all
		})
	}
	uri := func(u string) obj {
		return first(func(r obj) {
			r["locations"] = []obj{{"physicalLocation": obj{"artifactLocation": obj{"uri": u}, "region": obj{"startLine": 1}}}}
		})
	}
	manyRules := func(n int) obj {
		return rules(func(driver obj, rules []obj) {
			all := []obj{}
			for i := range n {
				all = append(all, obj{"id": fmt.Sprint("r/", i), "shortDescription": obj{"text": "s"}, "fullDescription": obj{"text": "f"}, "help": obj{"text": "h"}})
			}
			driver["rules"] = append(all, rules...)
		})
	}
	long := func(n int) obj { return obj{"text": strings.Repeat("x", n)} }
	own := func(i int) string { return fmt.Sprintf("c%d/", i) }
	for name, test := range map[string]struct {
		document obj
		want     string // "" = complete
	}{
		"good":                      {sarifDocument(nil), ""},
		"no results at all":         {sarifDocument(func(run obj) { run["results"] = []obj{} }), ""},
		"results missing":           {sarifDocument(func(run obj) { delete(run, "results") }), "results is required"},
		"no runs":                   {obj{"version": "2.1.0", "runs": []obj{}}, "1 item required"},
		"version":                   {obj{"version": "2.0.0", "runs": sarifDocument(nil)["runs"]}, "version"},
		"tool name":                 {rules(func(driver obj, _ []obj) { delete(driver, "name") }), "tool.driver.name"},
		"20 runs":                   {runs(20, own), ""},
		"21 runs":                   {runs(21, own), "more runs than allowed"},
		"two runs of one category":  {runs(2, func(i int) string { return fmt.Sprintf("same/%d", i) }), "multiple runs with the same category"},
		"result without location":   {first(func(r obj) { r["locations"] = []obj{} }), "at least one location"},
		"location without artifact": {first(func(r obj) { r["locations"] = []obj{{"physicalLocation": obj{}}} }), "artifact location"},
		"1000 locations":            {first(func(r obj) { r["locations"] = many(1000, r["locations"].([]obj)[0]) }), ""},
		"1001 locations":            {first(func(r obj) { r["locations"] = many(1001, r["locations"].([]obj)[0]) }), "more locations than allowed"},
		"result without message":    {first(func(r obj) { delete(r, "message") }), "message.text"},
		"result without rule":       {first(func(r obj) { delete(r, "ruleId") }), "ruleId"},
		"level":                     {first(func(r obj) { r["level"] = "info" }), "level"},
		"absolute path":             {uri("/etc/passwd"), "not relative"},
		"other scheme":              {uri("file:///README.md"), "not relative"},
		"outside the repository":    {uri("../README.md"), "not relative"},
		"escaped path":              {uri("a%20b.txt"), ""},
		"line 0": {first(func(r obj) {
			r["locations"] = []obj{{"physicalLocation": obj{"artifactLocation": obj{"uri": "a"}, "region": obj{"startLine": 0}}}}
		}), "region"},
		"25000 results":       {repeat(MaxSARIFResults), ""},
		"25001 results":       {repeat(MaxSARIFResults + 1), "more results"},
		"25000 rules":         {manyRules(MaxSARIFRules - 2), ""},
		"25001 rules":         {manyRules(MaxSARIFRules - 1), "more rules"},
		"duplicate rule":      {rules(func(_ obj, rules []obj) { rules[1]["id"] = "a/b" }), "defined twice"},
		"rule without help":   {rules(func(_ obj, rules []obj) { delete(rules[0], "help") }), "help"},
		"name of 255":         {rules(func(_ obj, rules []obj) { rules[0]["name"] = strings.Repeat("x", 255) }), ""},
		"name of 256":         {rules(func(_ obj, rules []obj) { rules[0]["name"] = strings.Repeat("x", 256) }), "name"},
		"description of 1024": {rules(func(_ obj, rules []obj) { rules[0]["fullDescription"] = long(1024) }), ""},
		"description of 1025": {rules(func(_ obj, rules []obj) { rules[0]["shortDescription"] = long(1025) }), "description"},
		"100 extensions":      {sarifDocument(func(run obj) { run["tool"].(obj)["extensions"] = many(100, obj{"name": "e"}) }), ""},
		"101 extensions":      {sarifDocument(func(run obj) { run["tool"].(obj)["extensions"] = many(101, obj{"name": "e"}) }), "extensions"},
		"wrong type":          {sarifDocument(func(run obj) { run["results"] = "none" }), "invalid SARIF"},
	} {
		id, err := s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, test.document))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, _ := s.finish(t, id.GetID())
		why := s.errors(id.GetID())
		if want := map[bool]string{true: "complete", false: "failed"}[test.want == ""]; got.GetProcessingStatus() != want || !strings.Contains(why, test.want) {
			t.Errorf("%s: %s with %q, want %s with %q", name, got.GetProcessingStatus(), why, want, test.want)
		}
		if name == "25000 results" {
			if n := len(s.repo.alertsOn("refs/pull/1/head")); n < KeptSARIFResults || n > KeptSARIFResults+10 {
				t.Errorf("%d alerts of 25000 results", n)
			}
		}
	}
}

func many[T any](n int, v T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = v
	}
	return all
}

func TestCodeScanningCanBeOff(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{})
	s.repo.SetCodeScanning(false)
	_, err := s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, sarifDocument(nil)))
	wantStatus(t, err, 403, "must be enabled")
	_, _, err = s.client.CodeScanning.ListAlertsForRepo(ctx, "acme", "tools", nil)
	wantStatus(t, err, 403, "must be enabled")
	s.repo.SetCodeScanning(true)
	if _, err = s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, sarifDocument(nil))); err != nil {
		t.Error(err)
	}
}

func TestSARIFUploadsPerHour(t *testing.T) {
	t.Parallel()
	s := newScanning(t, Options{})
	s.repo.inst.sarifs = many(MaxSARIFUploadsPerHour-1, time.Now())
	if _, err := s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, sarifDocument(nil))); err != nil {
		t.Error(err)
	}
	_, err := s.upload(s.pr.HeadSHA(), "refs/pull/1/head", pack(t, sarifDocument(nil)))
	wantStatus(t, err, 403, "")
}
