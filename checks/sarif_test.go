package checks_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

func (w *world) ref() string { return fmt.Sprintf("refs/pull/%d/head", w.pr.Number) }

// document is a SARIF log with that many runs of one category and one result.
func document(runs int) []byte {
	text := func(s string) any { return map[string]any{"text": s} }
	run := map[string]any{
		"tool": map[string]any{"driver": map[string]any{"name": "mcp-lint", "version": "1", "rules": []any{map[string]any{
			"id": "a/b", "shortDescription": text("s"), "fullDescription": text("f"), "help": text("h"),
		}}}},
		"automationDetails": map[string]any{"id": "mcp-lint/app/"},
		"results": []any{map[string]any{
			"ruleId": "a/b", "message": text("m"), "partialFingerprints": map[string]any{"primaryLocationLineHash": "abc"},
			"locations": []any{map[string]any{"physicalLocation": map[string]any{
				"artifactLocation": map[string]any{"uri": "a.json"}, "region": map[string]any{"startLine": 1},
			}}},
		}},
	}
	log := map[string]any{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []any{}}
	for range runs {
		log["runs"] = append(log["runs"].([]any), run)
	}
	b, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		panic(err)
	}
	return b
}

func (w *world) upload(d *disk, doc []byte) checks.SARIFOutcome {
	w.t.Helper()
	out, err := w.worker(d).UploadSARIF(w.t.Context(), doc, w.ref(), w.sha)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func TestSARIFIsUploadedAndAwaited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{SARIFPendingPolls: 3}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	out := w.upload(d, document(1))
	if out.Status != checks.SARIFComplete || out.ID == "" || out.Reason != "" {
		t.Errorf("got %+v", out)
	}
	ups := w.srv.SARIFs(w.repo)
	if len(ups) != 1 || ups[0].Status != "complete" || ups[0].Ref != w.ref() || ups[0].CommitSHA != w.sha || ups[0].Results != 1 || ups[0].ID != out.ID {
		t.Errorf("GitHub has %+v", ups)
	}
	if strings.Contains(string(ups[0].Document), "\n  ") {
		t.Error("the indentation was sent, too")
	}
	if w.slept != 500*time.Millisecond+time.Second+2*time.Second+4*time.Second {
		t.Errorf("waited %s for three times pending", w.slept)
	}
	if again := w.upload(d, document(1)); again.ID != out.ID || w.count("code-scanning/upload-sarif") != 1 {
		t.Errorf("again: %+v", again)
	}
}

func TestSARIFOutcomes(t *testing.T) {
	t.Parallel()
	granted := maps.Clone(githubtest.DefaultPermissions())
	delete(granted, "security_events")
	noise := make([]byte, 12<<20)
	rand.Read(noise)
	large := strings.Replace(string(document(1)), `"2.1.0"`, `"2.1.0", "x": "`+hex.EncodeToString(noise)+`"`, 1)
	noLocation := strings.Replace(string(document(1)), `"locations"`, `"elsewhere"`, 1)
	for name, c := range map[string]struct {
		repo    githubtest.RepositoryOptions
		doc     string
		status  checks.SARIFStatus
		says    string
		uploads int
	}{
		"code scanning is off":    {githubtest.RepositoryOptions{CodeScanningOff: true}, string(document(1)), checks.SARIFUnavailable, "must be enabled", 1},
		"permission not granted":  {githubtest.RepositoryOptions{Permissions: granted}, string(document(1)), checks.SARIFUnavailable, "not been granted", 0},
		"two runs of a category":  {githubtest.RepositoryOptions{}, string(document(2)), checks.SARIFFailed, "same category", 1},
		"result without location": {githubtest.RepositoryOptions{}, noLocation, checks.SARIFFailed, "at least one location", 1},
		"over 10 MB compressed":   {githubtest.RepositoryOptions{}, large, checks.SARIFTooLarge, "10 MB", 0},
		"no JSON":                 {githubtest.RepositoryOptions{}, "{", checks.SARIFFailed, "not valid JSON", 0},
	} {
		w := newWorld(t, githubtest.Options{}, c.repo)
		d := &disk{kill: -1}
		for range 2 { // the second time from memory
			out := w.upload(d, []byte(c.doc))
			if out.Status != c.status || !strings.Contains(out.Reason+strings.Join(out.Errors, " "), c.says) || out.Reason == "" {
				t.Errorf("%s: %+v, want %s %q", name, out, c.status, c.says)
			}
		}
		if n := w.count("code-scanning/upload-sarif"); n != c.uploads {
			t.Errorf("%s: %d uploads, want %d", name, n, c.uploads)
		}
	}
}

func TestSARIFWithoutAClientIsUnavailable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	client, _ := w.app.Installation(w.repo.InstallationID(), githubapp.WriteScope(w.repo.ID))
	p, err := checks.New(checks.Options{Client: client, AppID: 1, BotLogin: "b", Owner: "acme", Repo: "tools"})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := p.UploadSARIF(t.Context(), document(1), w.ref(), w.sha); err != nil || out.Status != checks.SARIFUnavailable {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestSARIFStaysPendingForABoundedTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{SARIFPendingPolls: 8}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	out := w.upload(d, document(1))
	if out.Status != checks.SARIFPending || out.ID == "" || w.slept > 31*time.Second {
		t.Errorf("got %+v after %s", out, w.slept)
	}
	if out = w.upload(d, document(1)); out.Status != checks.SARIFComplete || w.count("code-scanning/upload-sarif") != 1 {
		t.Errorf("later: %+v, %d uploads", out, w.count("code-scanning/upload-sarif"))
	}
}

// The worker died between the upload and its answer; GitHub has processed it.
func TestALostUploadIsFoundAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	out := w.upload(d, document(1))
	s := d.state(t)
	s.SARIF.ID, s.SARIF.Outcome = "", nil
	if err := d.save(s); err != nil {
		t.Fatal(err)
	}
	if again := w.upload(d, document(1)); again.ID != out.ID || w.count("code-scanning/upload-sarif") != 1 {
		t.Errorf("got %+v, %d uploads; want %s again", again, w.count("code-scanning/upload-sarif"), out.ID)
	}
}

func TestSARIFFaultsAreForALaterAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: -1}
	w.srv.Fail(http.MethodPost, "/repos/*/*/code-scanning/sarifs", http.StatusForbidden, 1, time.Minute)
	var later *githubapp.RetryLater
	if _, err := w.worker(d).UploadSARIF(t.Context(), document(1), w.ref(), w.sha); !errors.As(err, &later) {
		t.Errorf("rate limit: %v; it must not pass as 'unavailable'", err)
	}
	w.sleep(t.Context(), 2*time.Minute)
	w.srv.Fail(http.MethodPost, "/repos/*/*/code-scanning/sarifs", http.StatusBadGateway, 9, 0)
	if _, err := w.worker(d).UploadSARIF(t.Context(), document(1), w.ref(), w.sha); err == nil {
		t.Error("GitHub is down: no error")
	}
}
