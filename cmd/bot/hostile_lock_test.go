package main

import (
	"encoding/json"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

// quoteJSON writes any text as JSON, characters as they are.
func quoteJSON(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// lockAttacks try to get past the lock.
func (a *arena) lockAttacks() []attack {
	hidden := launching("hostile.js", "hidden")
	other := locked(a.t, "own", strings.ReplaceAll(goodSnapshot, "find_tides", "find_ships"))
	renamed := strings.ReplaceAll(string(hidden.Content), `"own"`, `"mine"`)
	return []attack{
		{name: "the lock is gone", head: tree{"mcp-lint.lock": gone}, lint: passes, lock: fails, says: []string{"removes the lock file"}},
		{name: "the lock is gone and the server hostile", head: tree{"mcp-lint.lock": gone, ".mcp-lint.json": hidden}, lint: fails, lock: fails},
		{name: "the server has another key", head: tree{".mcp-lint.json": file(renamed)}, lint: fails, lock: fails},
		{
			name: "server and lock have another key", lint: fails, lock: fails, says: []string{"renames locked servers"},
			head: tree{".mcp-lint.json": file(renamed), "mcp-lint.lock": file(locked(a.t, "mine", goodSnapshot))},
		},
		{
			name: "the lock moves", lint: passes, lock: fails, says: []string{"lock: mcp-lint.lock → other.lock"},
			head: tree{"mcp-lint.lock": gone, "other.lock": file(a.lock), ".mcp-lint.json": file(`{"lock": "other.lock", ` + string(launching("server.js").Content[1:]))},
		},
		{
			name: "the lock moves out of the tree", lint: unchecked, lock: unchecked, says: []string{"stays in the repository"},
			head: tree{".mcp-lint.json": file(`{"lock": "../../marker.txt"}`)},
		},
		{name: "the lock has another hash", head: tree{"mcp-lint.lock": file(rehashed(a.lock))}, lint: passes, lock: fails},
		{name: "the lock is another server's", head: tree{"mcp-lint.lock": file(other)}, lint: passes, lock: fails},
		{name: "the lock has conflict markers", head: tree{"mcp-lint.lock": file("<<<<<<< ours\n" + a.lock + "=======\n>>>>>>> theirs\n")}, lint: unchecked, lock: fails},
		{
			name: "the lock is of a newer version", lint: unchecked, lock: fails, says: []string{"newer mcp-lint"},
			head: tree{"mcp-lint.lock": file(strings.ReplaceAll(a.lock, `"lockfileVersion": 1`, `"lockfileVersion": 2`))},
		},
		{
			name: "the lock is not exported", lint: passes, lock: fails,
			head: tree{".gitattributes": file("mcp-lint.lock export-ignore\n* filter=evil text eol=crlf\n"), "mcp-lint.lock": file(other)},
		},
		{name: "the branch is older than the lock", lint: passes, lock: fails, open: a.olderThanTheLock},
		{name: "a forged comment", lint: fails, lock: fails, open: forgedComment},
		{name: "a fork", lint: unchecked, lock: unchecked, open: fork(tree{".mcp-lint.json": hidden}), says: []string{"not started: fork"}},
		{name: "a fork without the lock", lint: unchecked, lock: fails, open: fork(tree{"mcp-lint.lock": gone})},
	}
}

// rehashed puts a wrong hash into a lock.
func rehashed(lock string) string {
	at := strings.LastIndex(lock, `"sha256": "`) + len(`"sha256": "`)
	return lock[:at] + strings.Repeat("0", 64) + lock[at+64:]
}

// olderThanTheLock leaves the base branch before it had a lock, and changes
// what the lock holds.
func (a *arena) olderThanTheLock(_ *arena, repo *githubtest.Repository) (*githubtest.PullRequest, error) {
	before := a.common()
	delete(before, "mcp-lint.lock")
	if _, err := repo.CommitEntries("old", "", "before the lock", before); err != nil {
		return nil, err
	}
	if _, err := repo.CommitEntries("main", "old", "the lock", tree{"mcp-lint.lock": file(a.lock)}); err != nil {
		return nil, err
	}
	if _, err := repo.CommitEntries("hostile", "old", "change", tree{
		"server.js": file(`"use strict"; const { serve, tool } = require("./mcp.js"); serve(() => ({ tools: [tool("find_tides", "And more.")] }));`),
	}); err != nil {
		return nil, err
	}
	return repo.OpenPull("old", "hostile", "main", githubtest.PullOptions{})
}

// forged is somebody's comment that looks like ours.
const forged = "<!-- mcp-lint:comment -->\nAll fine."

// forgedComment has somebody write a comment with our marker before ours.
func forgedComment(a *arena, repo *githubtest.Repository) (*githubtest.PullRequest, error) {
	pr, err := pull(repo, "hostile", tree{"README.md": file("x\n")})
	if err != nil {
		return nil, err
	}
	pr.Comment("mallory", forged)
	if _, err := repo.CommitEntries("hostile", "", "change", tree{".mcp-lint.json": launching("hostile.js", "hidden")}); err != nil {
		return nil, err
	}
	return pr, repo.Push("hostile")
}

// fork opens the pull request from another account's copy.
func fork(change tree) func(*arena, *githubtest.Repository) (*githubtest.PullRequest, error) {
	return func(_ *arena, repo *githubtest.Repository) (*githubtest.PullRequest, error) {
		copied, err := repo.Fork(repo.Owner + "-mallory")
		if err != nil {
			return nil, err
		}
		if _, err := copied.CommitEntries("hostile", "main", "change", change); err != nil {
			return nil, err
		}
		return repo.OpenPull("fork", "hostile", "main", githubtest.PullOptions{From: copied})
	}
}
