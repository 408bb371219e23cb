package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	// maxAnswer bounds what a registry may answer. The abbreviated documents of
	// the largest npm packages have about 10 MB, the longest lists of PyPI 30.
	maxAnswer = 64 << 20
	// maxRedirects are followed; registries that redirect at all do it once.
	maxRedirects = 5
	// patience is how long one answer may take, its body included.
	patience = 60 * time.Second
)

// client asks registries over HTTP. Its errors name the host only: a URL may
// hold what the operator wants to keep.
type client struct{ http *http.Client }

func newClient(base *http.Client) client {
	c := *base
	c.Jar = nil
	c.CheckRedirect = checkRedirect
	if c.Timeout == 0 {
		c.Timeout = patience
	}
	return client{&c}
}

var (
	errTooManyRedirects = fmt.Errorf("redirects more than %d times", maxRedirects)
	errDowngrade        = errors.New("redirects from https to a place that is not")
)

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return errTooManyRedirects
	case via[0].URL.Scheme == "https" && req.URL.Scheme != "https":
		return errDowngrade
	}
	return nil
}

// errMissing is an answer that says: there is none of that name.
var errMissing = errors.New("not found")

// get returns the body of an answer, and its media type as the server gives it.
// The error is errMissing (404, 410), an ErrUnresolvable (401, 403), or a
// failure of the network or the registry.
func (c client) get(ctx context.Context, address, accept string) ([]byte, string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", errors.New("the registry's address is no URL")
	}
	req.Header.Set("User-Agent", "mcp-lint")
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, "", hostError(req.URL.Host, err)
	}
	defer resp.Body.Close()
	if err := checkStatus(req.URL.Host, resp.StatusCode); err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, "", hostError(req.URL.Host, err)
	}
	if len(body) > maxAnswer {
		return nil, "", fmt.Errorf("%s answered with more than %d MB", req.URL.Host, maxAnswer>>20)
	}
	return body, resp.Header.Get("Content-Type"), nil
}

// checkStatus gives an answer other than 200 its error.
func checkStatus(host string, status int) error {
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusNotFound, http.StatusGone:
		return errMissing
	case http.StatusUnauthorized, http.StatusForbidden:
		return unresolvablef("%s refuses an answer without credentials (HTTP %d), and none are sent", host, status)
	}
	return fmt.Errorf("%s answered with HTTP %d", host, status)
}

// hostError is a failed exchange without its URL.
func hostError(host string, err error) error {
	var full *url.Error
	if errors.As(err, &full) {
		err = full.Err
	}
	return fmt.Errorf("%s: %w", host, err)
}
