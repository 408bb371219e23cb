package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// maxReport bounds what one review says, in bytes of JSON. It is far above any
// honest one (240 tools with a finding each are 150 KB) and below what a runner
// may write, so that one server with too much to say costs its own verdict and
// not that of the others. Comparisons of texts and schemas go before that.
const maxReport = 24 << 20

// bound takes what is said about servers away from those that say too much, the
// last ones first.
func (rv *auditing) bound(results []checked) {
	lock := &rv.out.Lock
	size := jsonSize(lock.Accepted)
	if size > maxReport/2 {
		for i := range lock.Accepted {
			for j := range lock.Accepted[i].Changes {
				leaveExcerpts(&lock.Accepted[i].Changes[j].Change)
			}
		}
		size = jsonSize(lock.Accepted)
	}
	if size > maxReport/2 {
		lock.Accepted, size = nil, 0
		lock.Error = &report.Error{Kind: report.ErrInput, Message: "this pull request changes more of the lock than can be told"}
	}
	places := map[string][]report.Place{}
	for _, p := range lock.Places {
		places[p.Key] = append(places[p.Key], p)
	}
	dropped := map[string]bool{}
	for i := range results {
		r := &results[i]
		more := jsonSize(r.report) + jsonSize(places[r.Key])
		if size+more > maxReport && changesOf(r.report) > 0 {
			for j := range r.report.Lock.Changes {
				leaveExcerpts(&r.report.Lock.Changes[j])
			}
			more = jsonSize(r.report) + jsonSize(places[r.Key])
		}
		if size+more <= maxReport {
			size += more
			continue
		}
		dropped[r.Key] = true
		failure := &report.Error{Kind: report.ErrInput, Message: fmt.Sprintf(
			"there is too much to report: %d findings and %d changes, over %d MB", len(r.report.Findings), changesOf(r.report), maxReport>>20)}
		r.report, r.snapshot = emptyServer(r.Server), nil
		r.report.Error = failure
	}
	if len(dropped) > 0 {
		lock.Places = slices.DeleteFunc(lock.Places, func(p report.Place) bool { return dropped[p.Key] })
	}
}

// leaveExcerpts takes the comparisons of texts and schemas away from a change.
func leaveExcerpts(c *lockfile.Change) { c.Text, c.Raw = nil, nil }

// boundBaseline keeps the number of known findings and, where it can be told,
// which ones are fixed.
func boundBaseline(b *report.Baseline) *report.Baseline {
	if b != nil && jsonSize(b.Fixed) > maxReport/4 {
		b.Fixed = nil
	}
	return b
}

func changesOf(s report.Server) int {
	if s.Lock == nil {
		return 0
	}
	return len(s.Lock.Changes)
}

// jsonSize is the size of v as a runner writes it.
func jsonSize(v any) int {
	var n counter
	e := json.NewEncoder(&n)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return maxReport + 1 // what cannot be written cannot be told
	}
	return int(n)
}

// counter counts what is written to it.
type counter int

var _ io.Writer = new(counter)

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
