package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Every payload that GitHub's own client library collected, of every event, is
// answered with 202. It needs npm and the network, and says so when they lack.
func TestEveryKnownPayload(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short: fetches an npm package")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, argv := range [][]string{
		{"npm", "pack", "--silent", "@octokit/webhooks-examples@7.6.1"},
		{"tar", "xzf", "octokit-webhooks-examples-7.6.1.tgz"},
	} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("the package cannot be had here: %s: %v: %.200s", argv[0], err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "package", "*", "index.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in the package: %v", err)
	}
	b := newBench(t)
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var events []struct {
			Name     string
			Examples []json.RawMessage
		}
		if err := json.Unmarshal(text, &events); err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			for i, payload := range e.Examples {
				total++
				w := b.serve(request(fmt.Sprintf("example-%d", total), e.Name, string(payload)))
				if w.Code != 202 {
					t.Errorf("%s, event %s, example %d: status %d: %s", filepath.Base(filepath.Dir(file)), e.Name, i, w.Code, w.Body)
				}
			}
		}
	}
	if total < 500 {
		t.Errorf("only %d examples", total)
	}
	t.Logf("%d payloads", total)
}
