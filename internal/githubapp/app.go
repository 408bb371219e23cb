// Package githubapp speaks to GitHub as an App: where its endpoints are, which
// token may do what for how long, how fast we may write, and how every failure
// is turned into something a worker can act on.
package githubapp

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// Config configures an [App]. ID, Key and Endpoints are required.
type Config struct {
	ID        int64
	Key       crypto.Signer // RSA; see [ParsePrivateKey]. It may live in a vault.
	Endpoints Endpoints
	// Version of this program, for the User-Agent; empty means "dev".
	Version string
	// Transport reaches the network; nil means one with timeouts and the
	// process's proxy settings.
	Transport http.RoundTripper
	// Now and Sleep are the clock; nil means the real one. Sleep returns the
	// context's error when it ends first.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// App is a GitHub App. It is safe for concurrent use.
type App struct {
	id        int64
	signer    jwtSigner
	endpoints Endpoints
	userAgent string
	network   http.RoundTripper
	now       func() time.Time
	sleep     func(context.Context, time.Duration) error
	self      *github.Client

	mu    sync.Mutex
	lanes map[int64]*lane // by installation
}

// New checks the configuration and returns the App. It does not talk to GitHub.
func New(c Config) (*App, error) {
	switch {
	case c.ID <= 0:
		return nil, fmt.Errorf("GitHub App id %d: expected the positive number on the App's settings page", c.ID)
	case c.Key == nil:
		return nil, errors.New("GitHub App: no private key")
	case c.Endpoints.API == nil:
		return nil, errors.New("GitHub App: no endpoints")
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	a := &App{
		id:        c.ID,
		signer:    jwtSigner{c.Key},
		endpoints: c.Endpoints,
		userAgent: "mcp-lint/" + c.Version,
		network:   c.Transport,
		now:       c.Now,
		sleep:     c.Sleep,
		lanes:     map[int64]*lane{},
	}
	if a.network == nil {
		a.network = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			ForceAttemptHTTP2:     true,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: time.Minute, // a SARIF upload is slow to be answered
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   8,
		}
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.sleep == nil {
		a.sleep = Sleep
	}
	a.self = a.client(a.appsTransport())
	return a, nil
}

// ID is the App's id.
func (a *App) ID() int64 { return a.id }

// Endpoints are where this App's GitHub is.
func (a *App) Endpoints() Endpoints { return a.endpoints }

// Client speaks as the App itself, for the endpoints below /app.
func (a *App) Client() *github.Client { return a.self }

// Identity is who we are, by GitHub's word.
type Identity struct {
	ID    int64
	Slug  string
	Owner string // login of the App's owner
}

// BotLogin is the login under which the App comments.
func (i Identity) BotLogin() string { return i.Slug + "[bot]" }

// Self asks GitHub who we are. A name set by hand would let the bot mistake
// its own comments (https://github.com/palantir/policy-bot/issues/206).
func (a *App) Self(ctx context.Context) (Identity, error) {
	app, _, err := a.self.Apps.Get(ctx, "")
	if err != nil {
		return Identity{}, fmt.Errorf("ask GitHub for the App's identity: %w", err)
	}
	if app.GetID() != a.id || app.GetSlug() == "" {
		return Identity{}, fmt.Errorf("GitHub says that we are App %d %q, expected App %d: private key and App id do not belong together", app.GetID(), app.GetSlug(), a.id)
	}
	return Identity{ID: app.GetID(), Slug: app.GetSlug(), Owner: app.GetOwner().GetLogin()}, nil
}

// MayCommit asks GitHub whether an installation grants contents: write, without
// minting a token that could.
func (a *App) MayCommit(ctx context.Context, installation int64) (bool, error) {
	i, _, err := a.self.Apps.GetInstallation(ctx, installation)
	if err != nil {
		return false, fmt.Errorf("ask GitHub what installation %d grants: %w", installation, err)
	}
	return i.GetPermissions().GetContents() == "write", nil
}

// appsTransport authenticates as the App, with a new JWT for each request.
func (a *App) appsTransport() *ghinstallation.AppsTransport {
	tr, err := ghinstallation.NewAppsTransportWithOptions(baseTransport{a}, a.id, ghinstallation.WithSigner(a.signer))
	if err != nil {
		panic(err) // only a missing signer is an error
	}
	// The library wants the base without the slash, /api/v3 included.
	tr.BaseURL = strings.TrimRight(a.endpoints.API.String(), "/")
	return tr
}

func (a *App) client(tr http.RoundTripper) *github.Client {
	c := github.NewClient(&http.Client{Transport: tr})
	c.BaseURL, c.UploadURL = a.endpoints.API, a.endpoints.Uploads
	c.UserAgent = a.userAgent
	return c
}

func (a *App) lane(installation int64) *lane {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.lanes[installation]
	if l == nil {
		l = newLane()
		a.lanes[installation] = l
	}
	return l
}

// Sleep waits, or returns the error of a context that ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
