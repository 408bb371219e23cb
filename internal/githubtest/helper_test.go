package githubtest

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// start runs a server whose exchanges must all match GitHub's description.
func start(t *testing.T, opts Options) *Server {
	t.Helper()
	if opts.PrivateKey == nil {
		opts.PrivateKey = testKey()
	}
	srv, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range srv.Violations() {
			t.Errorf("violation: %s", v)
		}
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

// newRepo makes acme/NAME with one commit on main and one more on feature.
func newRepo(t *testing.T, srv *Server, name string, opts RepositoryOptions) (repo *Repository, base, head string) {
	t.Helper()
	repo, err := srv.CreateRepository("acme", name, opts)
	if err != nil {
		t.Fatal(err)
	}
	base = commitTo(t, repo, "main", "", map[string][]byte{"README.md": []byte("hello\n"), "dir/a.txt": []byte("a\nb\n")})
	head = commitTo(t, repo, "feature", "main", map[string][]byte{"README.md": []byte("hello\nworld\n"), "dir/a.txt": nil, "new \"file\"": {}})
	return repo, base, head
}

func commitTo(t *testing.T, repo *Repository, branch, base string, files map[string][]byte) string {
	t.Helper()
	sha, err := repo.Commit(branch, base, "change "+branch, files)
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

func openPull(t *testing.T, repo *Repository, title, head string, opts PullOptions) *PullRequest {
	t.Helper()
	p, err := repo.OpenPull(title, head, "main", opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// appClient speaks as the App, with the real transport.
func appClient(t *testing.T, srv *Server) *github.Client {
	t.Helper()
	tr, err := ghinstallation.NewAppsTransport(http.DefaultTransport, AppID, srv.PrivateKeyPEM())
	if err != nil {
		t.Fatal(err)
	}
	tr.BaseURL = strings.TrimSuffix(srv.APIURL, "/")
	return enterprise(t, srv, &http.Client{Transport: tr})
}

func enterprise(t *testing.T, srv *Server, hc *http.Client) *github.Client {
	t.Helper()
	client, err := github.NewClient(hc).WithEnterpriseURLs(srv.WebURL, srv.WebURL)
	if err != nil {
		t.Fatal(err)
	}
	if got := client.BaseURL.String(); got != srv.APIURL {
		t.Fatalf("go-github's base is %s, not APIURL %s", got, srv.APIURL)
	}
	if got := client.UploadURL.String(); got != srv.UploadURL {
		t.Fatalf("go-github's upload URL is %s, not UploadURL %s", got, srv.UploadURL)
	}
	return client
}

// installationTransport mints tokens with the real library.
func installationTransport(t *testing.T, srv *Server, repo *Repository, opts *github.InstallationTokenOptions) *ghinstallation.Transport {
	t.Helper()
	tr, err := ghinstallation.New(http.DefaultTransport, AppID, repo.InstallationID(), srv.PrivateKeyPEM())
	if err != nil {
		t.Fatal(err)
	}
	tr.BaseURL = strings.TrimSuffix(srv.APIURL, "/")
	if opts != nil {
		tr.InstallationTokenOptions = opts
	}
	return tr
}

// repoClient speaks as the installation, with everything that it grants.
func repoClient(t *testing.T, srv *Server, repo *Repository, opts *github.InstallationTokenOptions) *github.Client {
	t.Helper()
	return enterprise(t, srv, &http.Client{Transport: installationTransport(t, srv, repo, opts)})
}

func must[T any](t *testing.T) func(T, *github.Response, error) T {
	return func(v T, _ *github.Response, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// wantStatus checks that GitHub refused with a status and a message.
func wantStatus(t *testing.T, err error, status int, message string) {
	t.Helper()
	var answer *github.ErrorResponse
	var abuse *github.AbuseRateLimitError
	switch {
	case errors.As(err, &answer):
		if answer.Response.StatusCode != status || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want status %d with %q", err, status, message)
		}
	case errors.As(err, &abuse):
		if abuse.Response.StatusCode != status {
			t.Errorf("got %v, want status %d", err, status)
		}
	default:
		t.Errorf("got error %v, want status %d with %q", err, status, message)
	}
}

// wantViolation takes the violations, which must mention text.
func wantViolation(t *testing.T, srv *Server, text string) {
	t.Helper()
	got := srv.TakeViolations()
	if !strings.Contains(strings.Join(got, "\n"), text) {
		t.Errorf("violations %q do not mention %q", got, text)
	}
}

var ctx = context.Background()

func ptr[T any](v T) *T { return &v }
