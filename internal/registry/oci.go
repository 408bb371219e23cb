package registry

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/distribution/reference"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"
)

// oci asks container registries (the OCI distribution API), with the anonymous
// token that a registry gives to everybody.
type oci struct{ client client }

// Resolve asks which manifest a tag names now. Of an image for several systems
// it is the digest of the index, so that every system finds its own.
func (o oci) Resolve(ctx context.Context, p Package) (Exact, error) {
	name, err := reference.ParseNormalizedNamed(p.Name)
	if err != nil || !reference.IsNameOnly(name) {
		return "", unresolvablef("its name is none that a container image can have")
	}
	tagged, err := reference.WithTag(name, first(p.Spec, "latest"))
	if err != nil {
		return "", unresolvablef("its tag is none that a container image can have")
	}
	host := reference.Domain(tagged)
	digest, err := o.digest(ctx, tagged, false)
	if err != nil && loopback(host) && !errors.Is(err, errdef.ErrNotFound) {
		// As Docker does: a registry on this machine needs no certificate.
		digest, err = o.digest(ctx, tagged, true)
	}
	if err != nil {
		return "", ociError(host, tagged.String(), err)
	}
	return digest, nil
}

func (o oci) digest(ctx context.Context, image reference.NamedTagged, plain bool) (Exact, error) {
	repo, err := remote.NewRepository(image.Name())
	if err != nil {
		return "", unresolvablef("its name is none that a container image can have")
	}
	repo.PlainHTTP = plain
	// A registry says where tokens are given out; the library does not go where a
	// cloud keeps its keys for it, nor to this machine, nor from https to http.
	repo.Client = &auth.Client{
		Client: o.client.http,
		Header: http.Header{"User-Agent": {"mcp-lint"}},
		Cache:  auth.NewCache(), // one token for both requests below
	}
	found, err := repo.Manifests().Resolve(ctx, image.Tag())
	if err != nil && answered(err) {
		// A registry may leave the digest out of its answer to HEAD; it is then
		// computed from the manifest.
		body, closer, fetched := repo.Manifests().FetchReference(ctx, image.Tag())
		if fetched != nil {
			return "", fetched
		}
		closer.Close()
		found, err = body, nil
	}
	if err != nil {
		return "", err
	}
	if err := found.Digest.Validate(); err != nil || found.Digest.Algorithm() != "sha256" {
		return "", errors.New("the digest is of another kind than sha256")
	}
	return Exact(found.Digest), nil
}

// answered reports an error that is about what an answer of success lacks.
func answered(err error) bool {
	var (
		status *errcode.ErrorResponse
		netErr net.Error
	)
	return !errors.Is(err, errdef.ErrNotFound) && !errors.Is(err, auth.ErrBasicCredentialNotFound) &&
		!errors.As(err, &status) && !errors.As(err, &netErr)
}

// ociError gives an error its kind, without the URL and text of the registry.
func ociError(host, image string, err error) error {
	var status *errcode.ErrorResponse
	switch {
	case errors.Is(err, ErrUnresolvable):
		return err
	case errors.Is(err, errdef.ErrNotFound):
		return unresolvablef("the registry has no image %s", image)
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return unresolvablef("%s refuses an answer without credentials, and none are sent", host)
	case errors.As(err, &status):
		if kind := checkStatus(host, status.StatusCode); kind != nil && !errors.Is(kind, errMissing) {
			return kind
		}
		return unresolvablef("the registry has no image %s", image)
	}
	return hostError(host, err)
}

// loopback reports a host, with or without port, that is this machine.
func loopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && address.IsLoopback()
}
