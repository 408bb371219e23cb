// Package browsertest opens pages in the system's headless browser, for tests
// of what a page with hostile text does there.
package browsertest

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Result is what came of opening a page.
type Result struct {
	// DOM is the document as the browser has it in the end.
	DOM string
	// Console holds what the page's console shows, complaints of its content
	// security policy among them: one line a message.
	Console []string
}

// Open opens an address and waits until the page is at rest. Without a browser
// it skips the test.
func Open(t testing.TB, address string) Result {
	t.Helper()
	cmd := exec.Command(browser(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", address)
	cmd.WaitDelay = 5 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, dom, stderr.String())
	}
	r := Result{DOM: string(dom)}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, ":CONSOLE") {
			r.Console = append(r.Console, strings.TrimSpace(line))
		}
	}
	return r
}

// browser is a headless browser of the system, or a skip.
func browser(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed")
	return ""
}
