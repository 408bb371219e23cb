package collect

import (
	"net/url"
	"strings"
	"sync"
	"testing"
)

// However a server writes what it was handed, and wherever a text is cut, no
// message has any of it.
func TestForeign(t *testing.T) {
	t.Parallel()
	const (
		secret = "s3same-word-1"
		pem    = "-----BEGIN KEY-----\nAAAAbbbbCCCCdddd\nEEEEffff\n-----END KEY-----"
	)
	long := strings.Repeat("lOng-", 2000)
	address, err := url.Parse("https://a.example/s/AbCdEf-012345-xyz/mcp%20x")
	if err != nil {
		t.Fatal(err)
	}
	q := quoter{
		secrets: newRedactor([]string{secret, pem, long}),
		command: Command{Argv: []string{"./serve", "--dir=two  words"}, Env: map[string]string{"MODE": "plain  value"}},
		address: address,
	}
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "it is " + secret + ".", "it is [redacted]."},
		{"escapes of JSON", `{"k":"\u0073\u0033same\u002dword-1"}`, `{"k":"[redacted]"}`},
		{"lines", "key:\n" + pem, "key: [redacted]"},
		{"one of its lines", "at AAAAbbbbCCCCdddd", "at [redacted]"},
		{"blanks", "two  words and plain  value", "[argument] and [redacted]"},
		{"path", "no route /s/AbCdEf-012345-xyz/mcp x or /s/AbCdEf-012345-xyz/mcp%20x", "no route [path] or [path]"},
		{"part of a path", "no key AbCdEf-012345-xyz in https://mcp.example", "no key [path] in https://mcp.example"},
		{"very long", "it is " + long, "it is [redacted]"},
		{"blanks before the cut", "x" + strings.Repeat(" ", 4<<10-4) + secret, "x [redacted]"},
		{"nothing but cut", strings.Repeat(secret, 2<<10), ""},
	} {
		got := q.foreign(tt.in)
		if tt.want != "" && got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if rest := strings.ReplaceAll(got, redacted, ""); strings.Contains(rest, "s3s") || strings.Contains(rest, "lOng") {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
	// Wherever the cut is.
	for n := range 64 {
		masked := q.foreign(strings.Repeat(long, 3) + strings.Repeat("y", n) + secret + strings.Repeat(" "+secret, 800))
		if rest := strings.ReplaceAll(masked, redacted, ""); strings.Trim(rest, " y…") != "" {
			t.Fatalf("%d: %q", n, masked)
		}
	}
}

// A line whose beginning was not kept, or that has not ended, may hold a part of
// a secret, which nobody recognises.
func TestHalvesOfSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	const secret = "hunter22-hunter22"
	// 64 KB are kept: of the first secret, the second half.
	flood := secret + "\n" + strings.Repeat("x", 64<<10-len(secret)/2-1)
	c := fakeCommand(t, `{"server":[{"at":"start","stderr":"`+strings.ReplaceAll(flood, "\n", " ")+`"},{"at":"start","exit":1}]}`)
	c.Env["TOKEN"] = secret
	_, err := Stdio(t.Context(), c, bare(t))
	if f := failureOf(t, err); strings.Contains(f.Message, "hunter") || strings.Contains(f.Message, "ter22") {
		t.Errorf("%.200s", f.Message)
	}

	o := bare(t)
	var mu sync.Mutex
	var said []string
	o.Progress = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, line)
	}
	c = fakeCommand(t, `{"server":[
		{"at":"start","stderr":"10 %\r20 %\rtoken hunter22-hun"},
		{"at":"initialize","wait_ms":250000,"reply":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"slow","version":"1"}}}
	]}`)
	c.Env["TOKEN"] = secret
	if _, err := Stdio(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if all := strings.Join(said, "\n"); !strings.HasSuffix(all, "the server says: 20 %") || strings.Contains(all, "hunter") {
		t.Errorf("progress: %q", all)
	}
}
