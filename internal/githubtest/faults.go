package githubtest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"slices"
	"time"
)

// fault is one thing that is made to go wrong for requests that match.
type fault struct {
	method, pattern string
	times           int
	status          int           // answered instead of processing; 0 processes
	retryAfter      time.Duration // with a status
	delay           time.Duration // before anything else
	drop            bool          // process, then close the connection without an answer
}

// Fail answers the next times requests of that method ("" = any) and path with
// status instead of processing them. The pattern is for path.Match, where * stops
// at a slash, against the path without /api/v3: "/repos/*/*/check-runs". A
// retryAfter over zero adds the header, and makes 403 and 429 the answer to a
// secondary rate limit. Git requests have the path "/OWNER/NAME.git/…".
func (s *Server) Fail(method, pattern string, status, times int, retryAfter time.Duration) {
	s.addFault(fault{method: method, pattern: pattern, status: status, times: times, retryAfter: retryAfter})
}

// Delay holds the next times matching requests back before they are processed.
func (s *Server) Delay(method, pattern string, delay time.Duration, times int) {
	s.addFault(fault{method: method, pattern: pattern, delay: delay, times: times})
}

// DropResponse processes the next times matching requests and then closes the
// connection without an answer: what a client sees that must not write twice.
func (s *Server) DropResponse(method, pattern string, times int) {
	s.addFault(fault{method: method, pattern: pattern, drop: true, times: times})
}

func (s *Server) addFault(f fault) {
	if _, err := path.Match(f.pattern, ""); err != nil {
		panic("githubtest: pattern " + f.pattern + ": " + err.Error()) // a mistake in a test, found at once
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// takeFault uses up the oldest fault that matches.
func (s *Server) takeFault(method, urlPath string) *fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if hit, _ := path.Match(f.pattern, urlPath); !hit || (f.method != "" && f.method != method) {
			continue
		}
		if f.times--; f.times <= 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return f
	}
	return nil
}

func (f *fault) reply() reply {
	limited := f.status == http.StatusForbidden || f.status == http.StatusTooManyRequests
	if limited && f.retryAfter > 0 {
		return secondaryLimit(f.status, f.retryAfter)
	}
	answer := refuse(f.status, "%s", http.StatusText(f.status))
	if f.retryAfter > 0 {
		answer.header = http.Header{"Retry-After": {seconds(f.retryAfter)}}
	}
	return answer
}

// Request is one request that the server answered.
type Request struct {
	Method, Path string // Path without /api/v3
	Operation    string // of the description, "git" for git, "" when unknown
	Status       int    // 0 when the answer was dropped
	Time         time.Time
}

func (s *Server) record(r *http.Request, op string, status int, start time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Operation: op, Status: status, Time: start})
}

// Requests lists all API and git requests so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Violations lists every exchange that did not match GitHub's description. It
// must be empty at the end of a test, whichever side was wrong.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// TakeViolations returns the violations and forgets them, for tests that provoke some.
func (s *Server) TakeViolations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.violations
	s.violations = nil
	return taken
}

func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + hex.EncodeToString(sum[:]) + `"`
}
