package source

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Entry is one file of a tree.
type Entry struct {
	// Path has slashes and is exactly as in git: foreign text, not checked.
	Path string
	// Mode is 0644, 0755, or fs.ModeSymlink with 0777. Submodules, which have
	// no content here, are fs.ModeIrregular.
	Mode fs.FileMode
	Size int64 // 0 for submodules
	Hash string
}

// Submodule tells whether the entry is another repository's commit.
func (e Entry) Submodule() bool { return e.Mode&fs.ModeIrregular != 0 }

// Tree is the list of a commit's files. It is read-only.
type Tree struct {
	git     git
	sha     string
	entries []Entry
}

// Entries returns all entries in git's order. The caller must not change them.
func (t *Tree) Entries() []Entry { return t.entries }

// Tree lists the files of a commit (or of a tree object). Errors: ErrNotFound, ErrTooLarge (of the
// list itself).
func (r *Repository) Tree(ctx context.Context, sha string) (*Tree, error) {
	if !isObject(sha) {
		return nil, fmt.Errorf("source: %q is no full commit SHA", sha)
	}
	list, err := r.git.output(ctx, listBytes, "ls-tree", "-r", "-z", "--long", "--full-tree", sha)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", sha, err)
	}
	entries, err := parseList(list)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", sha, err)
	}
	return &Tree{git: r.git, sha: sha, entries: entries}, nil
}

// ReadFile returns one regular file of a fetched commit. Symbolic links are not
// followed. Errors: ErrNotFound (nothing there, or no regular file),
// ErrTooLarge (more than max bytes).
func (r *Repository) ReadFile(ctx context.Context, sha, name string, max int64) ([]byte, error) {
	if !isObject(sha) {
		return nil, fmt.Errorf("source: %q is no full commit SHA", sha)
	}
	if !fs.ValidPath(name) || name == "." || strings.ContainsRune(name, 0) {
		return nil, fmt.Errorf("read %q: %w: no path inside a repository", name, ErrNotFound)
	}
	list, err := r.git.output(ctx, listBytes, "ls-tree", "-z", "--long", "--full-tree", sha, "--", name)
	if err != nil {
		return nil, fmt.Errorf("read %q at %s: %w", name, sha, err)
	}
	entries, err := parseList(list)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %q at %s: %w", name, sha, err)
	case len(entries) != 1 || entries[0].Path != name:
		return nil, fmt.Errorf("read %q at %s: %w", name, sha, ErrNotFound)
	case !entries[0].Mode.IsRegular():
		return nil, fmt.Errorf("read %q at %s: %w: it is no regular file", name, sha, ErrNotFound)
	case entries[0].Size > max:
		return nil, fmt.Errorf("read %q at %s: %w: %d bytes, at most %d are read", name, sha, ErrTooLarge, entries[0].Size, max)
	}
	content, err := r.git.output(ctx, max, "cat-file", "blob", entries[0].Hash)
	if err != nil {
		return nil, fmt.Errorf("read %q at %s: %w", name, sha, err)
	}
	return content, nil
}

// parseList reads the records of ls-tree -z --long: "mode type hash size\tpath".
// Folders (listed without -r) are left out as irregular entries.
func parseList(list []byte) ([]Entry, error) {
	var entries []Entry
	for len(list) > 0 {
		record, rest, ended := bytes.Cut(list, []byte{0})
		list = rest
		head, name, named := strings.Cut(string(record), "\t")
		f := strings.Fields(head)
		if !ended || !named || len(f) != 4 {
			return nil, fmt.Errorf("git ls-tree: unexpected record %.80q", record)
		}
		e := Entry{Path: name, Hash: f[2]}
		// Old repositories hold modes like 100664, with zeros in front.
		switch mode, _ := strconv.ParseUint(f[0], 8, 32); {
		case f[1] != "blob":
			e.Mode = fs.ModeIrregular
		case mode&0o170000 == 0o120000:
			e.Mode = fs.ModeSymlink | 0o777
		case mode&0o100 != 0:
			e.Mode = 0o755
		default:
			e.Mode = 0o644
		}
		if f[1] == "blob" {
			size, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git ls-tree: %w: no size of %q", ErrNotFound, name)
			}
			e.Size = size
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// refused says why a path must not be written, or "" when it may.
func (l Limits) refused(name string) string {
	if len(name) > l.PathBytes {
		return fmt.Sprintf("the path is longer than %d bytes", l.PathBytes)
	}
	if path.IsAbs(name) || strings.ContainsRune(name, 0) {
		return "not a relative path"
	}
	parts := strings.Split(name, "/")
	if len(parts) > l.Depth {
		return fmt.Sprintf("the path is deeper than %d folders", l.Depth)
	}
	for _, p := range parts {
		switch lower := strings.ToLower(p); {
		case p == "" || p == "." || p == "..":
			return "the path leaves its folder"
		case lower == ".git" || lower == "git~1":
			// A planted repository would be obeyed by any git that runs here;
			// the other spellings mean the same on other file systems.
			return "the name belongs to git itself"
		case len(p) > 255:
			return "a name is longer than 255 bytes"
		}
	}
	return ""
}
