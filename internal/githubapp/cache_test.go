package githubapp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// What is remembered is bounded, in number and in size.
func TestTheCacheForgets(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"e"`)
		if r.Header.Get("If-None-Match") == `"e"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if strings.Contains(r.URL.Path, "large") {
			io.WriteString(w, strings.Repeat("x", 100<<10))
		}
		fmt.Fprintf(w, "%s", r.URL.Path)
	})
	client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
	ask := func(path string) (fromCache bool, body string) {
		t.Helper()
		req, err := client.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.BareDo(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Header.Get("X-From-Cache") != "", string(b)
	}
	for range 2 {
		if cached, body := ask("large"); cached || len(body) != 100<<10+len("/api/v3/large") {
			t.Errorf("a large answer: from memory %v, %d bytes", cached, len(body))
		}
	}
	for i := range 64 {
		ask(fmt.Sprint("a", i))
	}
	if cached, body := ask("a0"); !cached || body != "/api/v3/a0" {
		t.Errorf("a0: from memory %v, %q", cached, body)
	}
	ask("b") // one too many: a1 is the one not used for longest
	if cached, _ := ask("a0"); !cached {
		t.Error("a0 was forgotten though it had just been used")
	}
	if cached, body := ask("a1"); cached || body != "/api/v3/a1" {
		t.Errorf("a1: from memory %v, %q", cached, body)
	}
}
