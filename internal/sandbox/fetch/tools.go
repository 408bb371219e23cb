package fetch

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// tools are the operator's programs, by real path.
type tools struct {
	runtime string // node or Python
	manager string // npm's script or uv; "" when there is only pip
	binds   []string
}

// findTools looks in the operator's PATH.
func findTools(e Ecosystem, lookup func(string) (string, bool)) (tools, error) {
	path, _ := lookup("PATH")
	var t tools
	find := func(names ...string) (string, error) {
		var firstErr error
		for _, name := range names {
			binds, resolved, err := sandbox.Toolchain(name, path)
			if err == nil {
				t.binds = append(t.binds, binds...)
				return resolved, nil
			}
			if firstErr == nil {
				firstErr = err
			}
		}
		return "", firstErr
	}
	var err error
	if e == NPM {
		if t.runtime, err = find("node"); err != nil {
			return t, failuref(NoTool, err, "node is not in PATH: install Node.js to start servers of npm")
		}
		if t.manager, err = find("npm"); err != nil {
			return t, failuref(NoTool, err, "npm is not in PATH: install npm to start servers of npm")
		}
		// The script itself, not a link to it: we start it with node.
		if t.manager, err = filepath.EvalSymlinks(t.manager); err != nil {
			return t, failuref(NoTool, err, "npm cannot be read")
		}
		return t, nil
	}
	if t.runtime, err = find("python3", "python"); err != nil {
		return t, failuref(NoTool, err, "python3 is not in PATH: install Python to start servers of PyPI")
	}
	// uv installed beside this Python needs no further bind.
	beside := filepath.Join(filepath.Dir(t.runtime), "uv")
	if _, err := os.Stat(beside); err == nil {
		t.manager = beside
	} else if t.manager, err = find("uv"); err != nil {
		t.manager = ""
	}
	return t, nil
}

// path is PATH for our own commands and for servers: their runtime first.
func (t tools) path(more ...string) string {
	dirs := append(append([]string{}, more...), filepath.Dir(t.runtime), "/usr/local/bin", "/usr/bin", "/bin")
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// identity changes when the runtime does: an installation is for one version.
func (t tools) identity() string {
	info, err := os.Stat(t.runtime)
	if err != nil {
		return t.runtime
	}
	return fmt.Sprint(t.runtime, info.Size(), info.ModTime().UnixNano(), runtime.GOARCH)
}
