package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// skippedMax is how many left-out entries are named.
const skippedMax = 100

// linkBytes is the longest target of a symbolic link (PATH_MAX on Linux).
const linkBytes = 4096

// Skipped is an entry that WriteTo left out.
type Skipped struct {
	Path   string // foreign text
	Reason string
}

// Written is what WriteTo did.
type Written struct {
	Files   int // regular files and symbolic links
	Bytes   int64
	Skipped []Skipped // the first 100
	// MoreSkipped counts those beyond.
	MoreSkipped int
}

func (w *Written) skip(name, reason string) {
	if len(w.Skipped) < skippedMax {
		w.Skipped = append(w.Skipped, Skipped{name, reason})
	} else {
		w.MoreSkipped++
	}
}

// WriteTo writes the tree below dir, which must exist and be empty. Nothing is
// written outside of it, and no link in it leads outside. Submodules and names
// that could do harm are skipped and told. It fails with ErrTooLarge before
// writing anything when the tree is over the limits.
func (t *Tree) WriteTo(ctx context.Context, dir string) (Written, error) {
	var w Written
	files, links := t.plan(&w)
	if err := t.measure(files, links); err != nil {
		return Written{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Written{}, err
	}
	defer root.Close()
	if err := empty(root); err != nil {
		return Written{}, err
	}
	// Links come last: while files are written there is none to walk through.
	all := append(files[:len(files):len(files)], links...)
	err = t.git.blobs(ctx, all, func(e Entry, content io.Reader) error { return w.write(root, e, content) })
	if err != nil {
		return Written{}, fmt.Errorf("write the tree of %s: %w", t.sha, err)
	}
	return w, nil
}

// plan sorts the entries and skips what must not be written.
func (t *Tree) plan(w *Written) (files, links []Entry) {
	isLink := map[string]bool{}
	for _, e := range t.entries {
		if e.Mode&fs.ModeSymlink != 0 {
			isLink[e.Path] = true
		}
	}
	for _, e := range t.entries {
		if reason := t.git.limits.refused(e.Path); reason != "" {
			w.skip(e.Path, reason)
		} else if e.Submodule() {
			w.skip(e.Path, "it is a submodule, whose content belongs to another repository")
		} else if below(e.Path, isLink) {
			w.skip(e.Path, "one of its folders is a symbolic link")
		} else if e.Mode&fs.ModeSymlink != 0 {
			links = append(links, e)
		} else {
			files = append(files, e)
		}
	}
	return files, links
}

// below reports whether one of the folders of name is in the set.
func below(name string, set map[string]bool) bool {
	for d := path.Dir(name); len(set) > 0 && d != "."; d = path.Dir(d) {
		if set[d] {
			return true
		}
	}
	return false
}

// measure checks the limits on what is going to be written.
func (t *Tree) measure(files, links []Entry) error {
	l := t.git.limits
	if n := len(files) + len(links); n > l.Files {
		return fmt.Errorf("%w: the tree of %s has %d files, at most %d are checked", ErrTooLarge, t.sha, n, l.Files)
	}
	var bytes int64
	dirs := map[string]bool{}
	for _, list := range [][]Entry{files, links} {
		for _, e := range list {
			bytes += e.Size
			for d := path.Dir(e.Path); d != "." && !dirs[d]; d = path.Dir(d) {
				dirs[d] = true
			}
			if bytes > l.Bytes {
				return fmt.Errorf("%w: the tree of %s has more than %d MB", ErrTooLarge, t.sha, l.Bytes>>20)
			}
			if len(dirs) > l.Files {
				return fmt.Errorf("%w: the tree of %s has more than %d folders", ErrTooLarge, t.sha, l.Files)
			}
		}
	}
	return nil
}

func empty(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.ReadDir(1); !errors.Is(err, io.EOF) {
		return errors.Join(errors.New("source: the directory to write to is not empty"), err)
	}
	return nil
}

// write writes one entry. A tree that names a path twice, or as file and
// folder, is no reason to give up the rest.
func (w *Written) write(root *os.Root, e Entry, content io.Reader) error {
	if d := path.Dir(e.Path); d != "." {
		if err := root.MkdirAll(d, 0o755); err != nil {
			w.skip(e.Path, "one of its folders is a file")
			return nil
		}
	}
	if e.Mode&fs.ModeSymlink != 0 {
		return w.link(root, e, content)
	}
	f, err := root.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, e.Mode)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			w.skip(e.Path, "the tree names this path more than once")
			return nil
		}
		return err
	}
	n, err := io.Copy(f, content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	w.Files++
	w.Bytes += n
	return nil
}

func (w *Written) link(root *os.Root, e Entry, content io.Reader) error {
	if e.Size > linkBytes {
		w.skip(e.Path, "the symbolic link's target is too long")
		return nil
	}
	b, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	target := string(b)
	if !staysInside(path.Dir(e.Path), target) {
		w.skip(e.Path, "the symbolic link leads out of the repository")
		return nil
	}
	if err := root.Symlink(target, e.Path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			w.skip(e.Path, "the tree names this path more than once")
			return nil
		}
		return err
	}
	w.Files++
	w.Bytes += int64(len(b))
	return nil
}

// staysInside tells whether a link in folder dir can only lead to places below
// the root. ".." is accepted in front only, where it climbs real folders:
// behind a name that is a link itself it would climb somewhere else.
func staysInside(dir, target string) bool {
	if target == "" || path.IsAbs(target) || strings.ContainsRune(target, 0) {
		return false
	}
	named := false
	for _, p := range strings.Split(target, "/") {
		if p == ".." && named {
			return false
		}
		named = named || p != ".." && p != "." && p != ""
	}
	inside := path.Join(dir, target)
	return inside != ".." && !strings.HasPrefix(inside, "../")
}

// blobs hands the content of each entry to f, in order, with one git process.
func (g git) blobs(ctx context.Context, entries []Entry, f func(Entry, io.Reader) error) error {
	if len(entries) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, g.limits.Timeout)
	defer cancel()
	cmd := g.command(ctx, g.environment("", ""), "cat-file", "--batch", "--buffer")
	var hashes strings.Builder
	for _, e := range entries {
		hashes.WriteString(e.Hash + "\n")
	}
	var last tail
	cmd.Stdin, cmd.Stderr = strings.NewReader(hashes.String()), &last
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = eachBlob(bufio.NewReaderSize(stdout, 64<<10), entries, f)
	if err != nil {
		ended := ctx.Err() != nil // and not by us
		cancel()                  // the rest is of no use
		waitErr := cmd.Wait()
		if ended {
			return g.explain(ctx, "cat-file", waitErr, last.String())
		}
		return err
	}
	return g.explain(ctx, "cat-file", cmd.Wait(), last.String())
}

func eachBlob(out *bufio.Reader, entries []Entry, f func(Entry, io.Reader) error) error {
	for _, e := range entries {
		header, err := out.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
		if want := fmt.Sprintf("%s blob %d\n", e.Hash, e.Size); header != want {
			return fmt.Errorf("git cat-file: got %q, expected %q", header, want)
		}
		content := &io.LimitedReader{R: out, N: e.Size}
		if err := f(e, content); err != nil {
			return err
		}
		// What f did not read, and the newline behind the content.
		if _, err := io.CopyN(io.Discard, out, content.N+1); err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
	}
	return nil
}
