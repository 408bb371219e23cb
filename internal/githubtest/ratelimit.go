package githubtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// limit counts a request and refuses it when a primary or secondary limit is
// used up. Only installations are counted: the App's own few calls are not worth it.
func (s *Server) limit(c *call, route route) *reply {
	if c.token == nil || c.r.URL.Path == "/rate_limit" {
		return nil
	}
	inst := c.token.inst
	inst.roll(c.now)
	if inst.used >= inst.primary {
		bad := refuse(http.StatusForbidden, "API rate limit exceeded for installation ID %d.", inst.id)
		bad.header = inst.rateHeader()
		return &bad
	}
	inst.used++
	if !route.creates || s.opts.ContentWritesPerMinute < 0 {
		return nil
	}
	for _, window := range []struct {
		length time.Duration
		most   int
	}{{time.Minute, s.opts.ContentWritesPerMinute}, {time.Hour, ContentWritesPerHour}} {
		if wait := overLimit(inst.writes, c.now, window.length, window.most); wait > 0 {
			bad := secondaryLimit(http.StatusForbidden, wait)
			return &bad
		}
	}
	inst.writes = append(inst.writes, c.now)
	return nil
}

// roll starts a new hour when the old one is over and forgets old writes.
func (i *installation) roll(now time.Time) {
	if !now.Before(i.resets) {
		i.used, i.resets = 0, now.Add(time.Hour)
	}
	old := func(t time.Time) bool { return t.Before(now.Add(-time.Hour)) }
	i.writes = slices.DeleteFunc(i.writes, old)
	i.sarifs = slices.DeleteFunc(i.sarifs, old)
}

// overLimit returns how long to wait until fewer than most of the sorted times
// lie within the window that ends now; 0 means no wait.
func overLimit(times []time.Time, now time.Time, window time.Duration, most int) time.Duration {
	if len(times) < most {
		return 0
	}
	return max(0, times[len(times)-most].Add(window).Sub(now))
}

// secondaryLimit is the answer that clients recognise by its documentation_url:
// go-github turns it into AbuseRateLimitError.
func secondaryLimit(status int, wait time.Duration) reply {
	bad := refuse(status, "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.")
	bad.body.(obj)["documentation_url"] = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	bad.header = http.Header{"Retry-After": {seconds(wait)}}
	return bad
}

// seconds rounds up, so that a client which obeys never comes too early.
func seconds(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}

func (i *installation) rateHeader() http.Header {
	h := http.Header{}
	h.Set("X-RateLimit-Limit", strconv.Itoa(i.primary))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(i.primary-i.used))
	h.Set("X-RateLimit-Used", strconv.Itoa(i.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(i.resets.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
	return h
}

// refund takes a request off the primary limit: answers 304 are free (docs,
// best-practices-for-using-the-rest-api.md).
func (s *Server) refund(inst *installation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if inst != nil {
		inst.used--
	}
}

func getRateLimit(c *call) reply {
	inst := c.token.inst
	inst.roll(c.now)
	core := obj{"limit": inst.primary, "used": inst.used, "remaining": inst.primary - inst.used, "reset": inst.resets.Unix()}
	search := obj{"limit": 30, "used": 0, "remaining": 30, "reset": inst.resets.Unix()}
	return ok(obj{"resources": obj{"core": core, "search": search}, "rate": core})
}
