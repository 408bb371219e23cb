package githubtest

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// openAPISubset holds those operations of GitHub's published REST description
// (@octokit/openapi 23.0.2) that the bot uses or will use, without prose.
//
//go:embed openapi-subset.json
var openAPISubset []byte

// description finds and checks requests and responses.
type description struct {
	router routers.Router
}

// loadDescription parses the embedded description once; it is read-only afterwards.
var loadDescription = sync.OnceValues(func() (*description, error) {
	doc, err := openapi3.NewLoader().LoadFromData(openAPISubset)
	if err != nil {
		return nil, fmt.Errorf("githubtest: embedded description: %w", err)
	}
	withSlashes(doc)
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Value.Content {
				refuseUnknownKeys(media.Schema)
			}
		}
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("githubtest: embedded description: %w", err)
	}
	return &description{router: router}, nil
})

// withSlashes lets the parameters that hold paths and refs match slashes, which
// OpenAPI has no way to say.
func withSlashes(doc *openapi3.T) {
	replace := strings.NewReplacer("/contents/{path}", "/contents/{path:.*}", "/git/ref/{ref}", "/git/ref/{ref:.+}", "/git/refs/{ref}", "/git/refs/{ref:.+}",
		"/branches/{branch}", "/branches/{branch:.+}", "/commits/{ref}/check", "/commits/{ref:.+}/check")
	for path, item := range doc.Paths.Map() {
		if wider := replace.Replace(path); wider != path {
			doc.Paths.Delete(path)
			doc.Paths.Set(wider, item)
		}
	}
}

// refuseUnknownKeys closes the objects of a request body: GitHub answers 422 with
// `"x" is not a permitted key`, the description leaves every object open.
func refuseUnknownKeys(ref *openapi3.SchemaRef) {
	if ref == nil {
		return
	}
	schema := ref.Value
	if len(schema.Properties) > 0 && schema.AdditionalProperties.Has == nil && schema.AdditionalProperties.Schema == nil {
		closed := false
		schema.AdditionalProperties.Has = &closed
	}
	for _, property := range schema.Properties {
		refuseUnknownKeys(property)
	}
	refuseUnknownKeys(schema.Items)
}

// find returns the operation of r, or an error when the description has none.
func (d *description) find(r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	route, params, err := d.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	for name, value := range params { // gorilla/mux leaves them as they came
		if plain, err := url.PathUnescape(value); err == nil {
			params[name] = plain
		}
		if value == "" { // the root directory; the library takes "" as missing
			params[name] = "/"
		}
	}
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			MultiError: true, SkipSettingDefaults: true, RejectWhenRequestBodyNotSpecified: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}, nil
}

// checkRequest returns what is wrong with a request; nil means it is as described.
func (d *description) checkRequest(ctx context.Context, in *openapi3filter.RequestValidationInput, body []byte) error {
	known := []string{}
	for _, p := range append(slices.Clone(in.Route.PathItem.Parameters), in.Route.Operation.Parameters...) {
		known = append(known, p.Value.Name)
	}
	for name := range in.Request.URL.Query() {
		if !slices.Contains(known, name) {
			return fmt.Errorf("query parameter %q is not described", name)
		}
	}
	in.Request.Body = io.NopCloser(bytes.NewReader(body))
	return openapi3filter.ValidateRequest(ctx, in)
}

// checkResponse returns what is wrong with our own answer. Error statuses need
// not be described (GitHub describes few), but those that are must match.
func (d *description) checkResponse(ctx context.Context, in *openapi3filter.RequestValidationInput, status int, header http.Header, body []byte) error {
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: status, Header: header,
		Options: &openapi3filter.Options{MultiError: true, IncludeResponseStatus: status < 400},
	}
	return openapi3filter.ValidateResponse(ctx, out.SetBodyBytes(body))
}

// explain shortens a validation error to its reasons: the library's own text
// repeats whole schemas and values.
func explain(err error) string {
	var reasons []string
	var walk func(where string, err error)
	walk = func(where string, err error) {
		switch e := err.(type) { // the outermost error first: errors.As would skip the parameter's name
		case openapi3.MultiError:
			for _, one := range e {
				walk(where, one)
			}
		case *openapi3.SchemaError:
			reasons = append(reasons, where+"/"+strings.Join(e.JSONPointer(), "/")+": "+e.Reason)
		case *openapi3filter.RequestError:
			if e.Parameter != nil {
				where = "parameter " + e.Parameter.Name + " "
			}
			if e.Err != nil {
				walk(where, e.Err)
				return
			}
			reasons = append(reasons, where+e.Reason)
		case *openapi3filter.ResponseError:
			if e.Err != nil {
				walk(where, e.Err)
				return
			}
			reasons = append(reasons, where+e.Reason)
		default:
			reasons = append(reasons, where+err.Error())
		}
	}
	walk("", err)
	return strings.Join(reasons, "; ")
}
