package source_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

func TestTreeListsEverything(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	sub := strings.Repeat("12", 20)
	inner := o.tree(file("deep.txt", "12345"))
	head := o.commit("refs/heads/main", o.tree(
		file(".gitattributes", "* export-ignore\n"),
		item{"100755", "blob", "run.sh", "#!/bin/sh\n"},
		item{"100664", "blob", "old mode", "x"},
		link("to", "run.sh"),
		item{"160000", "commit", "module", sub},
		item{"40000", "tree", "folder", inner},
		file("line\nbreak\t\x01ü", ""),
	))
	tree, err := o.fetch(o.request(head, "")).Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		mode      fs.FileMode
		size      int64
		submodule bool
	}
	want := map[string]row{
		".gitattributes":     {0o644, 16, false},
		"run.sh":             {0o755, 10, false},
		"old mode":           {0o644, 1, false},
		"to":                 {fs.ModeSymlink | 0o777, 6, false},
		"module":             {fs.ModeIrregular, 0, true},
		"folder/deep.txt":    {0o644, 5, false},
		"line\nbreak\t\x01ü": {0o644, 0, false},
	}
	if len(tree.Entries()) != len(want) {
		t.Errorf("%d entries, want %d: %+v", len(tree.Entries()), len(want), tree.Entries())
	}
	for _, e := range tree.Entries() {
		if got := (row{e.Mode, e.Size, e.Submodule()}); got != want[e.Path] {
			t.Errorf("%q: %+v, want %+v", e.Path, got, want[e.Path])
		}
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/heads/main", o.tree(
		file("*", "star"), file(":(glob)x", "magic"), file("a.json", "{}"), file("ab", "no"),
		item{"40000", "tree", "dir", o.tree(file("a.json", "inner"))},
		link("link", "a.json"),
	))
	repo := o.fetch(o.request(head, ""))
	for name, c := range map[string]struct {
		path string
		max  int64
		want string
		err  error
	}{
		"file":                 {"a.json", 2, "{}", nil},
		"file in a folder":     {"dir/a.json", 100, "inner", nil},
		"no pattern":           {"*", 100, "star", nil},
		"no pathspec magic":    {":(glob)x", 100, "magic", nil},
		"over the cap":         {"a.json", 1, "", source.ErrTooLarge},
		"nothing there":        {"b", 1, "", source.ErrNotFound},
		"prefix of a name":     {"a", 1, "", source.ErrNotFound},
		"folder":               {"dir", 1, "", source.ErrNotFound},
		"folder with slash":    {"dir/", 1, "", source.ErrNotFound},
		"symbolic link":        {"link", 100, "", source.ErrNotFound},
		"outside":              {"../a.json", 1, "", source.ErrNotFound},
		"absolute":             {"/etc/passwd", 1, "", source.ErrNotFound},
		"looks like an option": {"--help", 1, "", source.ErrNotFound},
		"empty":                {"", 1, "", source.ErrNotFound},
	} {
		got, err := repo.ReadFile(t.Context(), head, c.path, c.max)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", name, got, err, c.want, c.err)
		}
	}
	if _, err := repo.ReadFile(t.Context(), strings.Repeat("ab", 20), "a.json", 9); !errors.Is(err, source.ErrNotFound) {
		t.Errorf("unknown commit: %v", err)
	}
	if _, err := repo.ReadFile(t.Context(), "HEAD", "a.json", 9); err == nil {
		t.Error("a name instead of a SHA: no error")
	}
}
