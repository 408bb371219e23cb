package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// maxBody is more than any body GitHub takes (10 MB of SARIF in base64).
const maxBody = 64 << 20

// obj is a JSON object on its way out.
type obj = map[string]any

// route is what the stand-in does for one operation of the description.
type route struct {
	app     bool     // authenticated as the App (JWT), not as an installation
	needs   []string // permissions, as "checks:write"; one of them suffices
	creates bool     // counts against the secondary limit on content creation
	handle  func(*call) reply
}

// call is one authenticated request. Handlers run with the server's lock held.
type call struct {
	s      *Server
	r      *http.Request
	body   []byte
	params map[string]string
	token  *token      // nil for App requests
	repo   *Repository // nil when the path names none
	now    time.Time
}

// reply is a handler's answer; a nil body sends none.
type reply struct {
	status int
	body   any
	header http.Header
	inst   *installation // who pays for it, nil for the App
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

// refuse is an error in GitHub's shape.
func refuse(status int, format string, args ...any) reply {
	return reply{status: status, body: obj{
		"message": fmt.Sprintf(format, args...), "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status),
	}}
}

func invalid(format string, args ...any) reply {
	return refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+format, args...)
}

func notFound() reply { return refuse(http.StatusNotFound, "Not Found") }

// decode reads the request's JSON, which has been checked against the
// description before.
func (c *call) decode(into any) error {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil
	}
	return json.Unmarshal(c.body, into)
}

func (c *call) id(name string) int64 {
	n, _ := strconv.ParseInt(c.params[name], 10, 64)
	return n
}

// address is the request's own URL without the query. RequestURI still has the
// prefix of the GHES style API, which the handler does not see.
func (c *call) address() string {
	path, _, _ := strings.Cut(c.r.RequestURI, "?")
	return "http://" + c.r.Host + path
}

func (c *call) query(name string) string { return c.r.URL.Query().Get(name) }

// allRoutes maps operation ids to handlers; each file adds its own group.
func allRoutes() map[string]route {
	all := map[string]route{}
	for _, group := range []map[string]route{
		appRoutes(), hookRoutes(), repoRoutes(), pullRoutes(), checkRoutes(), suiteRoutes(), sarifRoutes(), alertRoutes(), commentRoutes(), reactionRoutes(), gitDataRoutes(),
	} {
		maps.Copy(all, group)
	}
	return all
}

// serveAPI answers one REST request: find, authenticate, limit, check, handle,
// check again. The order is GitHub's where it can be observed.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	start := s.now()
	time.Sleep(s.opts.Latency)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		s.send(w, r, "", start, refuse(http.StatusRequestEntityTooLarge, "Payload Too Large"), nil)
		return
	}
	in, err := s.desc.find(r)
	if err != nil || s.routes[in.Route.Operation.OperationID].handle == nil {
		s.violation("%s %s: outside the described subset", r.Method, r.URL.Path)
		s.send(w, r, "", start, notFound(), nil)
		return
	}
	op := in.Route.Operation.OperationID
	f := s.takeFault(r.Method, r.URL.Path)
	if f != nil {
		time.Sleep(f.delay)
	}
	var answer reply
	if f != nil && f.status != 0 {
		answer = f.reply()
	} else {
		answer = s.answer(r, in, body)
	}
	if f != nil && f.drop {
		s.record(r, op, 0, start)
		panic(http.ErrAbortHandler) // the client sees a closed connection
	}
	s.send(w, r, op, start, answer, in)
}

// answer processes a request under the lock.
func (s *Server) answer(r *http.Request, in *openapi3filter.RequestValidationInput, body []byte) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	route := s.routes[in.Route.Operation.OperationID]
	c := &call{s: s, r: r, body: body, params: in.PathParams, now: s.now()}
	if bad := s.authenticate(c, route); bad != nil {
		return *bad
	}
	if bad := s.limit(c, route); bad != nil {
		return *bad
	}
	if bad := s.checkRequest(c, in); bad != nil {
		return *bad
	}
	if bad := s.authorize(c, route); bad != nil {
		return *bad
	}
	answer := route.handle(c)
	if r.Method != http.MethodGet && answer.status < 400 {
		s.notify()
	}
	if c.token != nil {
		answer.inst = c.token.inst
		answer.header = merge(answer.header, answer.inst.rateHeader())
	}
	return answer
}

// checkRequest holds the request against the description. What fails here is a
// fault of the client that GitHub would refuse as well.
func (s *Server) checkRequest(c *call, in *openapi3filter.RequestValidationInput) *reply {
	if len(c.body) > 0 && !json.Valid(c.body) {
		s.addViolation("%s %s: body is not JSON", c.r.Method, c.r.URL.Path)
		bad := refuse(http.StatusBadRequest, "Problems parsing JSON")
		return &bad
	}
	// ghinstallation sends "null" for no options, which GitHub takes as no body.
	if optional := in.Route.Operation.RequestBody; optional != nil && !optional.Value.Required && string(bytes.TrimSpace(c.body)) == "null" {
		c.body = nil
	}
	if err := s.desc.checkRequest(c.r.Context(), in, c.body); err != nil {
		why := explain(err)
		s.addViolation("%s %s: request: %s", c.r.Method, c.r.URL.Path, why)
		bad := invalid("%s", why)
		return &bad
	}
	return nil
}

// send writes an answer, after holding it against the description.
func (s *Server) send(w http.ResponseWriter, r *http.Request, op string, start time.Time, answer reply, in *openapi3filter.RequestValidationInput) {
	var body []byte
	header := merge(http.Header{}, answer.header)
	if answer.body != nil {
		var err error
		if body, err = json.Marshal(answer.body); err != nil {
			s.violation("%s %s: response: %v", r.Method, r.URL.Path, err)
		}
		header.Set("Content-Type", "application/json; charset=utf-8")
	}
	header.Set("X-GitHub-Media-Type", "github.v3; format=json")
	if in != nil {
		if err := s.desc.checkResponse(r.Context(), in, answer.status, header, body); err != nil {
			s.violation("%s %s: response %d: %s", r.Method, r.URL.Path, answer.status, explain(err))
		}
	}
	if r.Method == http.MethodGet && answer.status == http.StatusOK && len(body) > 0 {
		tag := etag(body)
		header.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			answer.status, body = http.StatusNotModified, nil
			s.refund(answer.inst)
		}
	}
	s.record(r, op, answer.status, start)
	s.log.Debug("githubtest", "method", r.Method, "path", r.URL.Path, "status", answer.status)
	maps.Copy(w.Header(), header)
	w.WriteHeader(answer.status)
	w.Write(body)
}

func merge(into, from http.Header) http.Header {
	if into == nil {
		into = http.Header{}
	}
	maps.Copy(into, from)
	return into
}

func (s *Server) violation(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addViolation(format, args...)
}

// addViolation is violation for callers that hold mu.
func (s *Server) addViolation(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// page cuts one page out of all and links to the others, as GitHub does.
func page[T any](c *call, all []T) ([]T, http.Header) {
	number := atLeast(1, c.query("page"), 1)
	size := min(atLeast(1, c.query("per_page"), 30), MaxPerPage)
	last := max(1, (len(all)+size-1)/size)
	var links []string
	link := func(rel string, n int) {
		q := c.r.URL.Query()
		q.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf("<%s?%s>; rel=%q", c.address(), q.Encode(), rel))
	}
	if number > 1 {
		link("prev", number-1)
		link("first", 1)
	}
	if number < last {
		link("next", number+1)
		link("last", last)
	}
	header := http.Header{}
	if len(links) > 0 {
		header.Set("Link", strings.Join(links, ", "))
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], header
}

// listed answers with one page of all, each converted by to.
func listed[T any](c *call, all []T, to func(T) obj) reply {
	part, header := page(c, all)
	out := make([]obj, len(part))
	for i, item := range part {
		out[i] = to(item)
	}
	return reply{status: http.StatusOK, body: out, header: header}
}

// counted is listed for the endpoints that wrap the list and count it.
func counted[T any](c *call, key string, all []T, to func(T) obj) reply {
	answer := listed(c, all, to)
	answer.body = obj{"total_count": len(all), key: answer.body}
	return answer
}

func atLeast(low int, text string, otherwise int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low {
		return otherwise
	}
	return n
}
