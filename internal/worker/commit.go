package worker

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/store"
)

// makeCommit makes a commit of the offered lock on top of the commit that was
// checked, as an object that no branch holds yet. against says why not.
//
// No author is sent: then GitHub makes the commit our bot's, and signs it.
func (q *request) makeCommit(ctx context.Context, gh *github.Client, o *store.Offer) (sha, against string, err error) {
	parent, _, err := gh.Git.GetCommit(ctx, q.Owner, q.Repo, o.SHA)
	if err != nil {
		return "", "", fmt.Errorf("checked commit: %w", err)
	}
	base := parent.GetTree().GetSHA()
	mode, against, err := q.lockMode(ctx, gh, base, o.Path)
	if err != nil || against != "" {
		return "", against, err
	}
	blob, _, err := gh.Git.CreateBlob(ctx, q.Owner, q.Repo, &github.Blob{Content: &o.Lock, Encoding: github.String("utf-8")})
	if err != nil {
		return "", "", fmt.Errorf("blob: %w", err)
	}
	tree, _, err := gh.Git.CreateTree(ctx, q.Owner, q.Repo, base, []*github.TreeEntry{
		{Path: &o.Path, Mode: &mode, Type: github.String("blob"), SHA: blob.SHA},
	})
	if err != nil {
		return "", "", fmt.Errorf("tree: %w", err)
	}
	commit, _, err := gh.Git.CreateCommit(ctx, q.Owner, q.Repo, &github.Commit{
		Message: github.String(q.message(o)), Tree: tree, Parents: []*github.Commit{{SHA: &o.SHA}},
	}, nil)
	if err != nil {
		return "", "", fmt.Errorf("commit: %w", err)
	}
	return commit.GetSHA(), "", nil
}

// message says who asked: the commit is the bot's, the decision is not.
func (q *request) message(o *store.Offer) string {
	return fmt.Sprintf("Accept what the MCP servers say now\n\nThe lock as it was computed for check run %d.\n\nRequested-by: %s (id %d)\n",
		q.CheckRunID, q.Sender, q.SenderID)
}

// lockMode returns the file mode of the lock in a tree. It goes there step by
// step: everything on the way must be a folder, and the lock a plain file, so
// that no link and no submodule of the pull request takes us elsewhere.
func (q *request) lockMode(ctx context.Context, gh *github.Client, tree, path string) (mode, against string, err error) {
	const no = "the lock file, or a folder that it is in, is no plain file or folder on this branch"
	names := strings.Split(path, "/")
	for i, name := range names {
		listed, _, err := gh.Git.GetTree(ctx, q.Owner, q.Repo, tree, false)
		if err != nil {
			return "", "", fmt.Errorf("tree: %w", err)
		}
		entry := entryOf(listed, name)
		last := i == len(names)-1
		switch mode := entry.GetMode(); {
		case last && entry.GetType() == "blob" && (mode == "100644" || mode == "100755"):
			return mode, "", nil
		case last || entry.GetType() != "tree" || mode != "040000":
			return "", no, nil
		}
		tree = entry.GetSHA()
	}
	return "", no, nil
}

// entryOf finds an entry by its exact name; nil, which has no mode, for none.
func entryOf(t *github.Tree, name string) *github.TreeEntry {
	for _, e := range t.Entries {
		if e.GetPath() == name {
			return e
		}
	}
	return nil
}
