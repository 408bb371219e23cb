package source

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// stderrBytes is how much of git's last words is kept for an error.
	stderrBytes = 4 << 10
	// listBytes bounds the list of a tree, which a few nested trees can make
	// astronomically long.
	listBytes = 64 << 20
	// killed processes get this long to close their pipes.
	waitDelay = 5 * time.Second
)

// passed are the operator's settings that git needs to reach the network. All
// else of our environment stays out of git's.
var passed = []string{
	"PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
	"http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
}

// git runs git on one repository. Nothing but its own settings counts: no
// system, user or repository configuration of value, no prompts, no helpers.
type git struct {
	dir    string // the bare repository, or the .git of a work tree
	local  bool   // somebody else's: never reach the network for it
	limits Limits
	// anonymous: no token is ever sent, so a server may say at the first request
	// that the repository has moved (GitLab does for URLs without .git).
	anonymous bool
	httpsOnly bool // and never sent on to http
}

// environment is git's whole environment. The header, when not empty, goes to
// the origin of url only; it is here because argv is readable by every process
// of the machine and configuration files outlive us.
func (g git) environment(url, header string) []string {
	protocols := "http:https"
	switch {
	case g.local:
		protocols = "none" // a partial clone would fetch, by a command of its own configuration
	case g.httpsOnly:
		protocols = "https"
	}
	redirects := "false"
	if g.anonymous {
		redirects = "initial"
	}
	env := []string{
		"GIT_DIR=" + g.dir, "HOME=" + g.dir, "XDG_CONFIG_HOME=" + g.dir, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=" + protocols, "GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0",
	}
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	config := [][2]string{
		{"credential.helper", ""},
		{"core.hooksPath", os.DevNull},
		{"core.attributesFile", os.DevNull},
		{"core.fsmonitor", "false"},
		{"gc.auto", "0"},
		{"maintenance.auto", "false"},
		{"fetch.recurseSubmodules", "false"},
		{"fetch.unpackLimit", "1"}, // one pack, not a file for each object
		{"http.followRedirects", redirects},
		{"http.lowSpeedLimit", "1000"}, // bytes a second …
		{"http.lowSpeedTime", "30"},    // … for half a minute: given up
	}
	if header != "" {
		config = append(config, [2]string{"http." + url + ".extraHeader", header})
	}
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(config)))
	for i, c := range config {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+c[0], "GIT_CONFIG_VALUE_"+n+"="+c[1])
	}
	return env
}

// authorization is the header with which GitHub accepts an App's token for git
// (docs.github.com: authenticating as a GitHub App installation).
func authorization(token string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))
}

// command prepares a git process.
func (g git) command(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = env
	cmd.Dir = filepath.Dir(g.dir)
	inGroup(cmd)
	cmd.WaitDelay = waitDelay
	return cmd
}

// output runs a git command that needs no network and returns its output.
func (g git) output(ctx context.Context, max int64, args ...string) ([]byte, error) {
	var out bytes.Buffer
	limited := &limitedWriter{w: &out, left: max}
	err := g.run(ctx, g.environment("", ""), limited, args...)
	if limited.exceeded {
		// git may have died of the closed pipe before it could be told.
		return nil, fmt.Errorf("git %s: %w: its output is over %d bytes", args[0], ErrTooLarge, max)
	}
	return out.Bytes(), err
}

// fetch runs a git fetch and ends it when more than FetchBytes have come.
func (g git) fetch(ctx context.Context, url, token string, args ...string) error {
	header := ""
	if token != "" {
		header = authorization(token)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go g.watchSize(ctx, cancel)
	args = append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--no-recurse-submodules"}, args...)
	err := g.run(ctx, g.environment(url, header), io.Discard, args...)
	if err == nil && g.size() > g.limits.FetchBytes {
		err = g.tooBig() // faster than the watch
	}
	return err
}

func (g git) tooBig() error {
	return fmt.Errorf("%w: the repository is over %d MB", ErrTooLarge, g.limits.FetchBytes>>20)
}

// watchSize ends the context when the repository outgrows its limit: git has no
// such limit for fetching.
func (g git) watchSize(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if g.size() > g.limits.FetchBytes {
				cancel(g.tooBig())
				return
			}
		}
	}
}

func (g git) size() (n int64) {
	// Files come and go while git works; what cannot be read does not count.
	_ = filepath.WalkDir(filepath.Join(g.dir, "objects"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// run runs git to its end, within the time limit.
func (g git) run(ctx context.Context, env []string, out io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, g.limits.Timeout)
	defer cancel()
	cmd := g.command(ctx, env, args...)
	var last tail
	cmd.Stdout, cmd.Stderr = out, &last
	return g.explain(ctx, args[0], cmd.Run(), last.String())
}

// explain gives git's failure the words and the kind that callers know. What
// git printed may quote the server: it is quoted, never passed on raw.
func (g git) explain(ctx context.Context, command string, err error, stderr string) error {
	if err == nil {
		return nil
	}
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return fmt.Errorf("git %s: not done after %s: %w", command, g.limits.Timeout, cause)
	case cause != nil:
		return fmt.Errorf("git %s: %w", command, cause)
	case !errors.As(err, &exit):
		return fmt.Errorf("git %s: %w", command, err)
	}
	kind := err
	for _, k := range []struct {
		says string
		is   error
	}{
		{"not our ref", ErrNotFound},
		{"couldn't find remote ref", ErrNotFound},
		{"not found", ErrNotFound}, // repository 'URL' not found
		{"Not a valid object name", ErrNotFound},
		{"not a tree object", ErrNotFound},
		{"could not get object info", ErrNotFound},
		{"returned error: 410", ErrNotFound},
		{"Authentication failed", ErrUnauthorized},
		{"could not read Username", ErrUnauthorized},
		{"returned error: 401", ErrUnauthorized},
		{"returned error: 403", ErrUnauthorized},
	} {
		if strings.Contains(stderr, k.says) {
			kind = k.is
			break
		}
	}
	return fmt.Errorf("git %s: %w: %q", command, kind, strings.TrimSpace(stderr))
}

// limitedWriter fails beyond its limit, which ends the process that writes.
type limitedWriter struct {
	w        io.Writer
	left     int64
	exceeded bool
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		l.exceeded = true
		return 0, ErrTooLarge
	}
	l.left -= int64(len(p))
	return l.w.Write(p)
}

// tail keeps the last bytes written to it.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - stderrBytes; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.b) }
