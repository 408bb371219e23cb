package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

// What a server does while it is asked stands in no lock. It is news only where
// the base's server does not do it as well.
func TestOddServerIsNewOnce(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	quiet := string(hostileFile(t, "server.js").Content)
	noisy := strings.Replace(quiet, `"use strict";`, `"use strict"; console.log("ready to serve");`, 1)
	base := map[string]string{".mcp.json": `{"mcpServers": {"own": {"command": "node", "args": ["server.js"]}}}`,
		"mcp.js": string(hostileFile(t, "mcp.js").Content), "server.js": quiet, "mcp-lint.lock": locked(t, "own", goodSnapshot)}
	s.commit("main", "", base)
	bot := s.start()
	said := func(branch string) (titles []string) {
		t.Helper()
		pr, err := s.repo.OpenPull(branch, branch, "main", githubtest.PullOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.wait(bot, pr.HeadSHA())
		for _, run := range s.gh.CheckRuns(s.repo, pr.HeadSHA()) {
			for _, a := range run.Annotations {
				titles = append(titles, a.Path+": "+a.Title)
			}
		}
		return titles
	}
	s.commit("adds", "main", map[string]string{"server.js": noisy})
	if got := said("adds"); !slices.Equal(got, []string{"mcp-lint.lock: server/stdout-noise in server"}) {
		t.Errorf("a pull request that makes the server odd: %q", got)
	}
	s.commit("main", "", map[string]string{"server.js": noisy})
	s.commit("other", "main", map[string]string{"README.md": "x\n"})
	if got := said("other"); len(got) != 0 {
		t.Errorf("another one after that: %q", got)
	}
}
