package githubtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Commits carry this author and dates from epoch on, so that the same calls give
// the same SHAs.
const (
	commitName  = "Demo Author"
	commitEmail = "author@example.com"
)

// commit is what the stand-in knows of one commit.
type commit struct {
	sha, tree, message, date string
	parents                  []string
}

// gitEnv is the whole environment of git: nothing of the user's configuration.
func (s *Server) gitEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
	}
}

// run is git in the bare repository.
func (r *Repository) run(stdin []byte, args ...string) ([]byte, error) {
	return r.runWith(nil, stdin, args...)
}

// runWith is run with more variables.
func (r *Repository) runWith(env []string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command(r.s.git, append([]string{"--git-dir", r.dir}, args...)...)
	cmd.Env, cmd.Stdin = append(r.s.gitEnv(), env...), bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// initGit makes the bare repository. Fetching any SHA is what GitHub allows;
// pushing over HTTP is not supported here.
func (r *Repository) initGit() error {
	if err := os.MkdirAll(filepath.Dir(r.dir), 0o755); err != nil {
		return err
	}
	cmd := exec.Command(r.s.git, "init", "--quiet", "--bare", "--initial-branch", r.defaultBranch, r.dir)
	cmd.Env = r.s.gitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	config, err := os.OpenFile(filepath.Join(r.dir, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = config.WriteString("[uploadpack]\n\tallowAnySHA1InWant = true\n\tallowFilter = true\n[http]\n\treceivepack = false\n[gc]\n\tauto = 0\n")
	return errors.Join(err, config.Close())
}

// revision is what resolve accepts: names and SHAs, not git's expressions.
var revision = regexp.MustCompile(`^[\pL\pN_][\pL\pN_./+#%&=@-]*$`)

// resolve returns the SHA of the commit that a branch, a full ref or a SHA names.
func (r *Repository) resolve(ref string) (string, error) {
	if _, known := r.known[ref]; known {
		return ref, nil
	}
	if !revision.MatchString(ref) || strings.Contains(ref, "..") {
		return "", fmt.Errorf("%q is not a ref", ref)
	}
	out, err := r.run(nil, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

// commit reads a commit by its full SHA.
func (r *Repository) commit(sha string) (commit, error) {
	if k, known := r.known[sha]; known {
		return k, nil
	}
	if !fullSHA.MatchString(sha) {
		return commit{}, fmt.Errorf("%q is not a commit SHA", sha)
	}
	out, err := r.run(nil, "log", "-1", "--format=%H%n%T%n%P%n%cI%n%B", sha)
	if err != nil {
		return commit{}, err
	}
	f := strings.SplitN(string(out), "\n", 5)
	k := commit{sha: f[0], tree: f[1], parents: strings.Fields(f[2]), date: f[3], message: strings.TrimSpace(f[4])}
	r.known[sha] = k
	return k, nil
}

var fullSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// Entry is one path of a commit, as git stores it.
type Entry struct {
	// Mode is git's: 100644 ("" means that), 100755, 120000 for a symbolic link
	// or 160000 for a submodule.
	Mode string
	// Content is the file's content, the link's target or the submodule's SHA.
	Content []byte
}

// Commit makes one commit on a branch and returns its SHA. The parent is base (a
// branch or SHA), or the branch's tip when base is ""; a branch that exists is
// moved, as a force-push does. files holds whole contents by path; nil deletes
// one. Nobody is told: see Push.
func (r *Repository) Commit(branch, base, message string, files map[string][]byte) (string, error) {
	entries := make(map[string]Entry, len(files))
	for name, content := range files {
		entries[name] = Entry{Content: content}
	}
	return r.CommitEntries(branch, base, message, entries)
}

// CommitEntries is Commit for paths that are no plain files. An entry without
// content deletes its path.
func (r *Repository) CommitEntries(branch, base, message string, entries map[string]Entry) (string, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	ref := "refs/heads/" + branch
	parent, err := r.resolve(ref)
	if base != "" {
		if parent, err = r.resolve(base); err != nil {
			return "", fmt.Errorf("githubtest: base %s of commit on %s: %w", base, branch, err)
		}
	}
	r.ticks++
	when := epoch.Add(time.Duration(r.ticks) * time.Minute).Unix()
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\nauthor %s <%s> %d +0000\ncommitter %s <%s> %d +0000\ndata %d\n%s\n",
		ref, commitName, commitEmail, when, commitName, commitEmail, when, len(message), message)
	if parent != "" && err == nil {
		fmt.Fprintf(&in, "from %s\n", parent)
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		switch e := entries[name]; {
		case e.Content == nil:
			fmt.Fprintf(&in, "D %s\n", quotePath(name))
		case e.Mode == "160000":
			fmt.Fprintf(&in, "M 160000 %s %s\n", e.Content, quotePath(name))
		default:
			fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", cmp.Or(e.Mode, "100644"), quotePath(name), len(e.Content), e.Content)
		}
	}
	in.WriteString("\ndone\n")
	if _, err := r.run(in.Bytes(), "fast-import", "--quiet", "--force", "--done"); err != nil {
		return "", fmt.Errorf("githubtest: commit on %s: %w", branch, err)
	}
	r.pushed = r.s.now()
	return r.resolve(ref)
}

// quotePath writes a path the way fast-import reads any path.
func quotePath(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// treeEntry is one line of git ls-tree.
type treeEntry struct {
	mode, sha, name string
	size            int64
}

func (e treeEntry) kind() string {
	switch e.mode {
	case "040000":
		return "dir"
	case "120000":
		return "symlink"
	case "160000":
		return "submodule"
	}
	return "file"
}

// list returns the entry at name, or the entries of that directory.
func (r *Repository) list(sha, name string) ([]treeEntry, error) {
	read := func(spec string) ([]treeEntry, error) {
		args := []string{"ls-tree", "-z", "-l", sha}
		if spec != "" {
			args = append(args, "--", spec)
		}
		out, err := r.run(nil, args...)
		if err != nil {
			return nil, err
		}
		var entries []treeEntry
		for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			meta, file, found := strings.Cut(line, "\t")
			if f := strings.Fields(meta); found && len(f) == 4 {
				size, _ := strconv.ParseInt(f[3], 10, 64)
				entries = append(entries, treeEntry{mode: f[0], sha: f[2], size: size, name: file})
			}
		}
		return entries, nil
	}
	entries, err := read(name)
	if err == nil && name != "" && len(entries) == 1 && entries[0].kind() == "dir" {
		return read(name + "/")
	}
	return entries, err
}

func (r *Repository) blob(sha string) []byte {
	out, err := r.run(nil, "cat-file", "blob", sha)
	if err != nil {
		r.s.log.Error("githubtest: blob", "sha", sha, "error", err)
	}
	return out
}

// changedFile is one file of a pull request.
type changedFile struct {
	sha, name, previous, status string
	additions, deletions        int
}

// difference compares head with its merge base with base. It reads git's raw and
// numstat records, which come one after the other in one stream.
func (r *Repository) difference(base, head string) ([]changedFile, error) {
	out, err := r.run(nil, "diff", "--raw", "--numstat", "-z", "-M", "--no-abbrev", base+"..."+head)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var files []changedFile
	next := func() string {
		if len(fields) == 0 {
			return ""
		}
		f := fields[0]
		fields = fields[1:]
		return f
	}
	statuses := map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}
	counted := 0
	for len(fields) > 0 {
		f := next()
		if raw := strings.Fields(f); strings.HasPrefix(f, ":") && len(raw) == 5 {
			file := changedFile{sha: raw[3], status: statuses[raw[4][0]], name: next()}
			if raw[4][0] == 'R' || raw[4][0] == 'C' {
				file.previous, file.name = file.name, next()
			}
			if file.status == "removed" {
				file.sha = raw[2]
			}
			files = append(files, file)
			continue
		}
		numbers := strings.SplitN(f, "\t", 3)
		if len(numbers) != 3 || counted == len(files) {
			continue
		}
		if numbers[2] == "" { // a rename: two more names
			next()
			next()
		}
		files[counted].additions, _ = strconv.Atoi(numbers[0])
		files[counted].deletions, _ = strconv.Atoi(numbers[1])
		counted++
	}
	return files, nil
}
