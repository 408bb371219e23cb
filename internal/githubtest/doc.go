// Package githubtest is a GitHub on loopback: the REST endpoints that the bot
// uses, real smart-HTTP git, signed webhook deliveries, and plain pages to look
// at. Tests and `bot demo` talk to it with the same clients that talk to GitHub.
//
// It is strict where GitHub is strict. Every request and every response is
// checked against GitHub's own OpenAPI description (a subset of
// @octokit/openapi 23.0.2, embedded), and what that description cannot say – byte
// limits, a conclusion for every completed run, what code scanning refuses – is
// checked in code; limits.go names each limit with its source.
//
// # Addresses
//
// One listener plays a GitHub Enterprise Server, because that is what
// go-github's WithEnterpriseURLs and ghinstallation expect of a host that is not
// called api.*:
//
//	WebURL     http://127.0.0.1:PORT               pages and git
//	APIURL     http://127.0.0.1:PORT/api/v3/       REST (ghinstallation: without the last slash)
//	UploadURL  http://127.0.0.1:PORT/api/uploads/  nothing is uploaded there
//
// A second listener plays the api.* host of github.com: RootAPIURL serves the
// same REST endpoints at its root.
//
// # Life of a test
//
//	srv, err := githubtest.Start(githubtest.Options{WebhookURL: bot.URL})
//	defer srv.Close()
//	repo, err := srv.CreateRepository("acme", "tools", githubtest.RepositoryOptions{})
//	_, err = repo.Commit("main", "", "first", map[string][]byte{"README.md": []byte("hello\n")})
//	_, err = repo.Commit("feature", "main", "second", map[string][]byte{"a.txt": []byte("a\n")})
//	pr, err := repo.OpenPull("Add a", "feature", "main", githubtest.PullOptions{})
//	runs, err := srv.WaitForChecks(ctx, repo, pr.HeadSHA(), "mcp-lint")
//	if v := srv.Violations(); len(v) > 0 { … }
//
// The package is part of the bot (for the demo), so it does not import
// "testing". All state is in memory and in one temporary directory, which Close
// removes. A Server is safe for concurrent use; its handlers run one at a time.
package githubtest
