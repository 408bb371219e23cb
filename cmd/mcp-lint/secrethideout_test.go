package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

// hideout is a machine of its own for one run of the program: a folder to work
// in, a home, a temporary folder, and servers that hear everything. Nothing but
// the program writes there.
type hideout struct {
	t      *testing.T
	dir    string // holds work, home, tmp
	note   string // what a server over stdio heard; it stands elsewhere
	remote *remoteTattler
	vars   map[string]string
	inputs map[string]string // as they were written, by their path below dir
}

func newHideout(t *testing.T, files map[string]string) *hideout {
	t.Helper()
	outside := t.TempDir()
	h := &hideout{t: t, dir: t.TempDir(), note: filepath.Join(outside, "heard"), remote: newRemoteTattler(), inputs: map[string]string{}}
	t.Cleanup(h.remote.Close)
	registries := registrytest.Start()
	t.Cleanup(registries.Close)
	registries.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0"}, "versions": {"1.4.0": {}}}`
	h.vars = map[string]string{
		"HEARD": h.note, "REMOTE_URL": h.remote.URL, "REMOTE_HOST": h.remote.Listener.Addr().String(),
		"PATH": filepath.Join(outside, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME": filepath.Join(h.dir, "home"), "TMPDIR": filepath.Join(h.dir, "tmp"), "XDG_CACHE_HOME": filepath.Join(h.dir, "home", "cache"), "NO_COLOR": "1",
		"npm_config_registry": strings.Replace(registries.URL, "://", "://me:"+secretCore("registry")+"@", 1) + "/npm/",
		// The secrets that variables hold.
		"MK_PASSED": secretOf("passed"), "MK_UNPASSED": secretOf("unpassed"), "EXPANDED": secretOf("expanded"),
		"DSN": "postgres://u:" + secretCore("dsn") + "@db/x", "HEADER_VALUE": secretOf("headerenv"),
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{filepath.Join(h.dir, "work"), h.vars["HOME"], h.vars["TMPDIR"], filepath.Join(outside, "bin")} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"mcp-lint", "tattler"} {
		if err := os.Symlink(self, filepath.Join(outside, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join("work", filepath.FromSlash(name))
		h.inputs[path] = h.expand(text)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(h.dir, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(h.dir, path), []byte(h.inputs[path]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// expand looks up the places of the hideout in an argument.
func (h *hideout) expand(text string) string {
	for _, name := range []string{"HEARD", "REMOTE_URL", "REMOTE_HOST"} {
		text = strings.ReplaceAll(text, "$"+name, h.vars[name])
	}
	return text
}

func (h *hideout) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(filepath.SplitList(h.vars["PATH"])[0], "mcp-lint"), args...)
	cmd.Dir = filepath.Join(h.dir, "work")
	cmd.Env = []string{}
	for name, value := range h.vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// run runs the program and returns its exit code and what it printed.
func (h *hideout) run(stdin string, args ...string) (code int, printed []byte) {
	h.t.Helper()
	cmd := h.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	printed, err := cmd.CombinedOutput()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		h.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), printed
}

// heard is everything that reached a server.
func (h *hideout) heard() string {
	note, err := os.ReadFile(h.note)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
	return string(note) + h.remote.said()
}

// traces are the files that are there by now, without those of the user, by
// their path. The temporary folder must be empty again.
func (h *hideout) traces(rewritten []string) map[string][]byte {
	h.t.Helper()
	left, err := os.ReadDir(h.vars["TMPDIR"])
	if err != nil || len(left) > 0 {
		h.t.Errorf("the temporary folder still holds %v %v", left, err)
	}
	traces := map[string][]byte{}
	err = filepath.WalkDir(h.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(h.dir, path)
		if text, ok := h.inputs[name]; ok && (text == string(data) || slices.Contains(rewritten, filepath.ToSlash(strings.TrimPrefix(name, "work"+string(filepath.Separator))))) {
			return err
		}
		traces[name] = data
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return traces
}

// holds reports whether a trace has the secret of a place: in small or capital
// letters, backwards, or in base64 at any place.
func holds(data []byte, place string) bool {
	core := strings.ToLower(secretCore(place))
	folded := bytes.ToLower(data)
	if bytes.Contains(folded, []byte(core)) || bytes.Contains(folded, []byte(reversed(core))) {
		return true
	}
	for shift := range 3 {
		// Without the characters that hold bits of what stands around it.
		encoded := base64Of(strings.Repeat("\x00", shift) + secretCore(place))
		from := (shift*8 + 5) / 6
		to := (shift + len(secretCore(place))) * 8 / 6
		if bytes.Contains(data, []byte(encoded[from:to])) {
			return true
		}
	}
	return false
}

// around is what stands around the secret of a place.
func around(data []byte, place string) string {
	at := max(0, strings.Index(strings.ToLower(string(data)), strings.ToLower(secretCore(place))))
	return string(data[max(0, at-200):min(len(data), at+100)])
}

func base64Of(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}
