package githubapp

import (
	"bytes"
	"container/list"
	"io"
	"net/http"
	"sync"
)

const (
	cacheEntries = 64
	cacheBody    = 64 << 10 // bytes; larger answers are not kept
)

// cache remembers answers of one installation by their ETag. It never answers
// by itself: GitHub is asked every time, with the caller's own token, and says
// 304 – which costs nothing of the hourly limit (docs.github.com: best practices
// for using the REST API). So a narrower token reads nothing that a wider one
// has fetched. Installations never share one.
type cache struct {
	mu    sync.Mutex
	items map[string]*list.Element // of *cached
	order list.List                // the last used in front
}

type cached struct {
	key, etag string
	header    http.Header
	body      []byte
}

func cacheKey(r *http.Request) string { return r.URL.String() + "\n" + r.Header.Get("Accept") }

func (c *cache) get(key string) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.items[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached)
}

func (c *cache) put(v *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = map[string]*list.Element{}
	}
	if e := c.items[v.key]; e != nil {
		e.Value = v
		c.order.MoveToFront(e)
		return
	}
	c.items[v.key] = c.order.PushFront(v)
	if len(c.items) > cacheEntries {
		last := c.order.Back()
		delete(c.items, c.order.Remove(last).(*cached).key)
	}
}

// send sends a request, as a conditional one when the answer is known.
func (c *cache) send(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	if r.Method != http.MethodGet || r.Header.Get("If-None-Match") != "" || r.Header.Get("Range") != "" {
		return next.RoundTrip(r)
	}
	known := c.get(cacheKey(r))
	if known != nil {
		r = r.Clone(r.Context())
		r.Header.Set("If-None-Match", known.etag)
	}
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if known != nil && resp.StatusCode == http.StatusNotModified {
		resp.Body.Close()
		return known.answer(resp), nil
	}
	if etag := resp.Header.Get("ETag"); resp.StatusCode == http.StatusOK && etag != "" && resp.ContentLength <= cacheBody {
		return c.keep(r, resp, etag)
	}
	return resp, nil
}

// keep reads the answer and remembers it if it is small.
func (c *cache) keep(r *http.Request, resp *http.Response, etag string) (*http.Response, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, cacheBody+1))
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	rest := resp.Body
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), rest), rest}
	if len(body) <= cacheBody {
		c.put(&cached{key: cacheKey(r), etag: etag, header: resp.Header.Clone(), body: body})
	}
	return resp, nil
}

// answer is the known answer, with what GitHub says now about limits.
func (k *cached) answer(now *http.Response) *http.Response {
	header := k.header.Clone()
	for name, values := range now.Header {
		header[name] = values
	}
	header.Set("X-From-Cache", "1") // go-github's sign
	header.Del("Content-Length")
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: now.Proto, ProtoMajor: now.ProtoMajor, ProtoMinor: now.ProtoMinor,
		Header: header, Body: io.NopCloser(bytes.NewReader(k.body)), ContentLength: int64(len(k.body)), Request: now.Request,
	}
}
