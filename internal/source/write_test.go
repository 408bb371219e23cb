package source_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

// contents reads what is below dir: files with their content ("x:" in front
// when executable), links as "-> target".
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		switch {
		case err != nil:
			return err
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			got[rel] = "-> " + target
			return err
		case d.Type().IsRegular():
			b, err := os.ReadFile(name)
			info, _ := d.Info()
			if got[rel] = string(b); info.Mode()&0o111 != 0 {
				got[rel] = "x:" + string(b)
			}
			return err
		case !d.IsDir():
			t.Errorf("%s is %s", rel, d.Type())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestWriteToWritesWhatGitHolds(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	big := noise(3 << 20)
	dir, w, err := o.written(source.Limits{}, o.tree(
		// archive would drop the lock, checkout would rewrite the text and run
		// the filter: neither happens.
		file(".gitattributes", "mcp-lint.lock export-ignore\n*.txt text eol=crlf ident filter=evil\n"),
		file("mcp-lint.lock", "{}\n"),
		file("a.txt", "one\ntwo $Id$\n"),
		item{"100755", "blob", "run.sh", "#!/bin/sh\n"},
		item{"40000", "tree", "sub", o.tree(file("big", big), file("empty", ""))},
		file("with space and\nnewline", "ok"),
	))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		".gitattributes": "mcp-lint.lock export-ignore\n*.txt text eol=crlf ident filter=evil\n",
		"mcp-lint.lock":  "{}\n", "a.txt": "one\ntwo $Id$\n", "run.sh": "x:#!/bin/sh\n",
		"sub/big": big, "sub/empty": "", "with space and\nnewline": "ok",
	}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%.2000s", diff)
	}
	if w.Files != 7 || len(w.Skipped) != 0 {
		t.Errorf("told %d files, skipped %v", w.Files, w.Skipped)
	}
}

func TestWriteToHostileNames(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	evil := o.tree(file("config", "[core]\nfsmonitor = touch /tmp/owned\n"))
	deep := o.tree(file("f", ""))
	for range 70 {
		deep = o.tree(item{"40000", "tree", "d", deep})
	}
	inner := o.tree(file("inner", ""))
	cases := map[string]struct {
		item   item
		path   string
		reason string
	}{
		"parent":            {file("../up", "x"), "../up", "leaves"},
		"parent folder":     {item{"40000", "tree", "..", inner}, "../inner", "leaves"},
		"here":              {item{"40000", "tree", ".", inner}, "./inner", "leaves"},
		"climbs in between": {file("a/../../up", "x"), "a/../../up", "leaves"},
		"absolute":          {file("/tmp/abs", "x"), "/tmp/abs", "not a relative path"},
		"double slash":      {file("a//b", "x"), "a//b", "leaves"},
		"repository":        {item{"40000", "tree", ".git", evil}, ".git/config", "belongs to git"},
		"other case":        {item{"40000", "tree", ".GiT", evil}, ".GiT/config", "belongs to git"},
		"short name":        {item{"40000", "tree", "GIT~1", evil}, "GIT~1/config", "belongs to git"},
		"repository below":  {item{"40000", "tree", "pkg", o.tree(item{"40000", "tree", ".git", evil})}, "pkg/.git/config", "belongs to git"},
		"git as a file":     {file(".git", "gitdir: /tmp/evil"), ".git", "belongs to git"},
		"submodule":         {item{"160000", "commit", "module", strings.Repeat("12", 20)}, "module", "submodule"},
		"long name":         {file(strings.Repeat("n", 256), ""), strings.Repeat("n", 256), "longer than 255"},
		"long path":         {file(strings.Repeat("nnnnnnnn/", 150)+"n", ""), strings.Repeat("nnnnnnnn/", 150) + "n", "longer than 1024"},
		"deep path":         {item{"40000", "tree", "d", deep}, strings.Repeat("d/", 71) + "f", "deeper than 64"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOriginLike(t, o)
			dir, w, err := o.written(source.Limits{}, o.tree(file("README", "kept"), c.item))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"README": "kept"}, contents(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if len(w.Skipped) != 1 || w.Skipped[0].Path != c.path || !strings.Contains(w.Skipped[0].Reason, c.reason) {
				t.Errorf("skipped %q, want %q because it %q", w.Skipped, c.path, c.reason)
			}
			if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 2 {
				// The two are the repository's and this one.
				t.Errorf("beside the tree: %v, %v", left, err)
			}
		})
	}
}

func TestWriteToLinks(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	three := func(i ...item) item {
		return item{"40000", "tree", "p", o.tree(item{"40000", "tree", "q", o.tree(item{"40000", "tree", "r", o.tree(i...)})})}
	}
	inside := map[string]struct {
		item   item
		path   string
		target string
	}{
		"beside":             {link("l", "README"), "l", "README"},
		"itself":             {link("l", "l"), "l", "l"},
		"dangling":           {link("l", "nowhere/x"), "l", "nowhere/x"},
		"folder":             {link("l", "."), "l", "."},
		"up and down":        {three(link("l", "../../../README")), "p/q/r/l", "../../../README"},
		"dots and slashes":   {three(link("l", "./..//../x")), "p/q/r/l", "./..//../x"},
		"named like parents": {link("l", "..a/...b"), "l", "..a/...b"},
	}
	for name, c := range inside {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOriginLike(t, o)
			dir, w, err := o.written(source.Limits{}, o.tree(file("README", "kept"), c.item))
			if got := contents(t, dir); err != nil || got[c.path] != "-> "+c.target || len(w.Skipped) > 0 {
				t.Errorf("got %v, %v, skipped %v", got, err, w.Skipped)
			}
		})
	}
	outside := map[string]item{
		"absolute":            link("l", "/etc/passwd"),
		"parent":              link("l", ".."),
		"out":                 link("l", "../outside"),
		"one too many":        three(link("l", "../../../../x")),
		"in and out":          link("l", "a/../../x"),
		"back through a name": three(link("l", "a/../x")), // a may be a link to the root
		"empty":               link("l", ""),
		"zero byte":           link("l", "a\x00b"),
		"too long":            link("l", strings.Repeat("a", 5000)),
	}
	for name, i := range outside {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOriginLike(t, o)
			dir, w, err := o.written(source.Limits{}, o.tree(file("README", "kept"), i))
			if diff := cmp.Diff(map[string]string{"README": "kept"}, contents(t, dir)); diff != "" || err != nil {
				t.Errorf("%v, files (-want +got):\n%s", err, diff)
			}
			if len(w.Skipped) != 1 || !strings.Contains(w.Skipped[0].Reason, "symbolic link") {
				t.Errorf("skipped %q", w.Skipped)
			}
		})
	}
}

// Trees that git itself would never make.
func TestWriteToContradictions(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	outside := t.TempDir()
	for name, c := range map[string]struct {
		items []item
		want  map[string]string
	}{
		"file twice":        {[]item{file("a", "first"), file("a", "second")}, map[string]string{"a": "first"}},
		"file and link":     {[]item{link("a", "b"), file("a", "text")}, map[string]string{"a": "text"}},
		"file and folder":   {[]item{file("a", "text"), {"40000", "tree", "a", o.tree(file("b", "1"))}}, map[string]string{"a": "text"}},
		"link and folder":   {[]item{link("a", outside), {"40000", "tree", "a", o.tree(file("b", "1"))}}, map[string]string{}},
		"good link, folder": {[]item{link("a", "c"), {"40000", "tree", "a", o.tree(file("b", "1"))}}, map[string]string{"a": "-> c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOriginLike(t, o)
			dir, w, err := o.written(source.Limits{}, o.tree(c.items...))
			if diff := cmp.Diff(c.want, contents(t, dir)); diff != "" || err != nil {
				t.Errorf("%v, files (-want +got):\n%s", err, diff)
			}
			if len(w.Skipped) != 2-len(c.want) {
				t.Errorf("skipped %q", w.Skipped)
			}
		})
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}

func TestWriteToLimits(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	var many []item
	for i := range 30 {
		many = append(many, item{"40000", "tree", fmt.Sprintf("d%02d", i), o.tree(item{"40000", "tree", "e", o.tree(file("f", "1234567890"))})})
	}
	tree := o.tree(many...)
	bomb := o.tree(file("f", ""))
	for range 8 {
		var ten []item
		for i := range 10 {
			ten = append(ten, item{"40000", "tree", fmt.Sprint(i), bomb})
		}
		bomb = o.tree(ten...)
	}
	for name, c := range map[string]struct {
		limits source.Limits
		says   string
	}{
		"files":   {source.Limits{Files: 29}, "30 files, at most 29"},
		"folders": {source.Limits{Files: 59}, "more than 59 folders"},
		"bytes":   {source.Limits{Bytes: 299}, "more than 0 MB"},
		"none":    {source.Limits{Files: 60, Bytes: 300}, ""},
	} {
		dir, _, err := o.written(c.limits, tree)
		if c.says == "" {
			if err != nil || len(contents(t, dir)) != 30 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrTooLarge and %q", name, err, c.says)
		}
		if got := contents(t, dir); len(got) > 0 {
			t.Errorf("%s: %d files written before the error", name, len(got))
		}
	}
	// A hundred million files in nine objects.
	r := o.request(o.commit("refs/heads/bomb", bomb), "")
	if _, err := o.fetch(r).Tree(t.Context(), r.Head); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("bomb: %v, want ErrTooLarge", err)
	}
}

func TestWriteToNeedsAnEmptyDirectoryAndTime(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	head := o.commit("refs/heads/main", o.tree(file("a", noise(1<<20))))
	tree, err := o.fetch(o.request(head, "")).Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "there"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.WriteTo(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("full directory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.WriteTo(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSkippedEntriesAreCountedBeyondTheNamedOnes(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	items := make([]item, 130)
	for i := range items {
		items[i] = item{"160000", "commit", fmt.Sprintf("m%03d", i), strings.Repeat("12", 20)}
	}
	_, w, err := o.written(source.Limits{}, o.tree(items...))
	if err != nil || len(w.Skipped) != 100 || w.MoreSkipped != 30 {
		t.Errorf("%d named, %d more, %v", len(w.Skipped), w.MoreSkipped, err)
	}
}
