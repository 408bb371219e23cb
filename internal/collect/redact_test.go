package collect

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// However a server writes a secret, it is gone; what holds none stays as it is.
func TestRedactor(t *testing.T) {
	t.Parallel()
	r := newRedactor([]string{`se/same "k"`, "s3same-9", "tiny", "me:pass word", "912345", "object", "key-one-1\nkey  two-2\n}", "p\u00e4ssw\u00f6rd"})
	for _, tt := range []struct{ in, want string }{
		{`"open s3same-9!"`, `"open [redacted]!"`},
		{`{"s3same-9":1,"a":["xs3same-9s3same-9"]}`, `{"[redacted]":1,"a":["x[redacted][redacted]"]}`},
		{`"\u0073\u0033same-9"`, `"[redacted]"`},
		{`"se\/same \"k\""`, `"[redacted]"`},
		{`"?k=se%2Fsame+%22k%22&l=se%2fsame%20%22k%22"`, `"?k=[redacted]&l=[redacted]"`},
		{`"k=se%252Fsame%2B%2522k%2522"`, `"k=[redacted]"`},
		{`"se/same &#34;k&#34;"`, `"[redacted]"`},
		{`"{\"k\":\"se\\/same \\\"k\\\"\"}"`, `"{\"k\":\"[redacted]\"}"`},
		{`"\"{\\\"k\\\":\\\"se/same \\\\\\\"k\\\\\\\"\\\"}\""`, `"\"{\\\"k\\\":\\\"[redacted]\\\"}\""`},
		{`"YXMzc2FtZS05Yg== YWFzM3NhbWUtOWI="`, `"YX[redacted]Yg== YWF[redacted]WI="`},
		{`"{\"k\":\"se/same \\\"k\\\"\"}"`, `"{\"k\":\"[redacted]\"}"`},
		{`"Basic bWU6cGFzcyB3b3Jk"`, `"Basic [redacted]"`},
		{`"czNzYW1lLTk= czNzYW1lLTk"`, `"[redacted] [redacted]"`},
		{`{"default":912345,"max":9.12345e5}`, `{"default":"[redacted]","max":9.12345e5}`},
		{`{"type":"object","description":"an object"}`, `{"type":"object","description":"an object"}`},
		{`"key-one-1 key two-2 } key  two-2 }"`, `"[redacted] [redacted] }"`},
		{`"{\"k\":\"s3\\u0073ame-9\",\"l\":\"p\\u00e4ssw\\u00F6rd\"}"`, `"{\"k\":\"[redacted]\",\"l\":\"[redacted]\"}"`},
		{`"C:\\users \\u0041 \\ud800"`, `"C:\\users \\u0041 \\ud800"`},
		{`"tiny s3same-8"`, `"tiny s3same-8"`},
		{`{ "a" : 1.0, "a":1e2,"\ud800":"\u00e9" }`, `{ "a" : 1.0, "a":1e2,"\ud800":"\u00e9" }`},
	} {
		got, found := r.json([]byte(tt.in))
		if string(got) != tt.want || found != (tt.in != tt.want) {
			t.Errorf("%s\n became %s\n   want %s", tt.in, got, tt.want)
		}
	}
}

// A secret is found in the base64 of whatever stands around it, like the user
// before a token, and the rest of that stays.
func TestRedactorInBase64(t *testing.T) {
	t.Parallel()
	const secret = "a-T0ken>with?some~length"
	r := newRedactor([]string{secret})
	for before := range 7 {
		for after := range 4 {
			whole := strings.Repeat("u", before) + secret + strings.Repeat("x", after)
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
				encoded := encoding.EncodeToString([]byte(whole))
				got := r.text("Basic " + encoded + ".")
				if !strings.Contains(got, redacted) || len(got) > len("Basic .")+len(redacted)+before*4/3+after*4/3+8 {
					t.Errorf("%d before, %d after: %s became %s", before, after, encoded, got)
				}
			}
		}
	}
	if got := newRedactor([]string{"short"}).text("xxshortxx c2hvcnQ"); got != "xx[redacted]xx [redacted]" {
		t.Errorf("a short one: %s", got)
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add([]byte(`{"a":"s3same-9","b":[1,-2.5e+3,"\u0073"]}`))
	f.Add([]byte(`"\\"`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		r := newRedactor([]string{"s3same-9", "12345", `"\"`})
		got, _ := r.json(raw)
		if !json.Valid(got) {
			t.Fatalf("%s became %s", raw, got)
		}
		var v any
		if err := json.Unmarshal(got, &v); err != nil {
			return // numbers out of range
		}
		plain, _ := json.Marshal(v)
		if strings.Contains(string(plain), "s3same-9") {
			t.Fatalf("%s became %s", raw, got)
		}
		none := newRedactor([]string{"not in there, for it is longer than anything"})
		if same, found := none.json(raw); found && string(same) != string(raw) && !strings.Contains(string(raw), "longer") {
			t.Fatalf("%s became %s", raw, same)
		}
	})
}

func TestRedactorNamesWhatHeldASecret(t *testing.T) {
	t.Parallel()
	p := snapshot.Parts{
		ServerInfo:   []byte(`{"name":"tides"}`),
		Instructions: []byte(`"use s3same-9"`),
		Tools:        [][]byte{[]byte(`{"name":"clean"}`), []byte(`{"name":"leaks","description":"s3same-9"}`)},
		Resources:    [][]byte{[]byte(`{"uri":"a://s3same-9"}`)},
	}
	held := newRedactor([]string{"s3same-9"}).parts(&p)
	want := []snapshot.Ref{{Kind: "server", Name: "tides"}, {Kind: "tool", Name: "leaks"}, {Kind: "resource", Name: "a://[redacted]"}}
	if len(held) != len(want) {
		t.Fatalf("%v, want %v", held, want)
	}
	for i := range want {
		if held[i] != want[i] {
			t.Errorf("%v, want %v", held[i], want[i])
		}
	}
	if strings.Contains(string(snapshot.Assemble(p)), "s3same-9") {
		t.Error("the secret is still there")
	}
}

// What of an address and of variables is a secret.
func TestSecrets(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.example/mcp":                                     "",
		"https://a.example/mcp?tools=issues,repos":                  "",
		"https://a.example/mcp?read_only=true&tools=web_search_exa": "",
		"https://a.example/mcp?q=plain-words":                       "plain-words plain-words q=plain-words",
		"https://a.example/mcp?token=opens":                         "opens opens token=opens",
		"https://a.example/mcp?q=a%20B9-xyz":                        "a B9-xyz a%20B9-xyz q=a%20B9-xyz",
		"https://me:sesame@a.example/":                              "me sesame me:sesame me:sesame",
		"https://a.example/s/Vx7Qo9kZ4bT2/mcp":                      "Vx7Qo9kZ4bT2",
		"https://a.example/0f8fad5b-d9cb-469f-a165-70867728950e":    "0f8fad5b-d9cb-469f-a165-70867728950e",
		"https://a.example/v2beta1/mcp-2025-06-18/protocol20250618": "",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(urlSecrets(u), " "); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	for _, tt := range []struct {
		name, value string
		lookedUp    bool
		want        int
	}{
		{"ACME_TOKEN", "sesame-1", false, 1}, {"ACME_TOKEN", "debug", true, 1}, {"LOG_LEVEL", "debug", true, 0},
		{"LOG_LEVEL", "debug", false, 0}, {"REGION", "eu-north-1", false, 0}, {"REGION", "eu-north-1", true, 1},
		{"MONKEY", "banana", false, 0}, {"ssh-key", "abcdef", false, 1},
	} {
		if got := PassedSecrets(tt.name, tt.value, tt.lookedUp); len(got) != tt.want {
			t.Errorf("%s=%s: %v", tt.name, tt.value, got)
		}
	}
	for name, want := range map[string]bool{
		"API_TOKEN": true, "X-Auth-Token": true, "exaApiKey": true, "Authorization": true, "Cookie": true, "GITHUB_PAT": true, "AWS_ACCESS_KEY_ID": true,
		"TOKEN_FILE": false, "AUTH_TYPE": false, "MAX_TOKENS": false, "MONKEY": false, "SESSION_STORE": false, "X-Team": false, "PATH": false,
	} {
		if NamesSecret(name) != want {
			t.Errorf("%s names a secret: %v", name, !want)
		}
	}
	for _, tt := range []struct{ value, want string }{
		{"postgres://tides:se%2Fsame@db.example/x?sslmode=require", "se%2Fsame se/same"},
		{"mongodb://u:sesame@h1:27017,h2:27017/x", "sesame sesame"},
		{"psql postgres://u:sesame-1@h || psql //u:p@h", "sesame-1 sesame-1"},
		{"https://sesame@git.example/x.git", "sesame sesame"},
		{"https://a.example/?mode=fast&api_key=sesame#a@b", "sesame"},
		{"https://a.example/@scope/x?to=a@b", ""},
		{"://@ ://", ""},
	} {
		if got := strings.Join(PassedSecrets("SOURCE", tt.value, false), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.value, got, tt.want)
		}
	}
	if got := strings.Join(PassedSecrets("AUTH", "Bearer sesame", true), "|"); got != "Bearer sesame|sesame" {
		t.Errorf("a variable with a scheme: %q", got)
	}
	for _, word := range []string{"Authorization: Bearer sesame", "--header=Authorization: Bearer sesame"} {
		if got := strings.Join(ArgvSecrets([]string{"npx", "--header", word}), "|"); got != "Bearer sesame|sesame" {
			t.Errorf("%s: %q", word, got)
		}
	}
	argv := []string{"env", "ACME_TOKEN=sesame-1", "node", "--api-key", "sesame-2", "--password=sesame-3", "--auth-type", "oauth", "--key", "--verbose"}
	if got := strings.Join(ArgvSecrets(argv), " "); got != "sesame-1 sesame-2 sesame-3" {
		t.Errorf("argv: %q", got)
	}
	if got := strings.Join(HeaderSecrets("Basic bWU6c2VzYW1l"), " "); got != "Basic bWU6c2VzYW1l bWU6c2VzYW1l me:sesame sesame" {
		t.Errorf("basic: %s", got)
	}
	if got := strings.Join(HeaderSecrets("Bearer sesame"), "|"); got != "Bearer sesame|sesame" {
		t.Errorf("bearer: %s", got)
	}
}

// Failures show nothing of what a server was handed, not even words that nothing
// marks as a secret.
func TestMask(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("https://a.example/harbour/b%20c?x=1")
	if err != nil {
		t.Fatal(err)
	}
	remote := quoter{secrets: newRedactor(urlSecrets(u)), address: u}
	if got, want := remote.foreign("Cannot POST /harbour/b%20c (/harbour/b c) at https://harbour/b c"), "Cannot POST [path] ([path]) at https://harbour/b c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	local := quoter{secrets: newRedactor(nil), command: Command{Argv: []string{"node", "harbour", "--mode=quays"}, Env: map[string]string{"A": "berths"}}}
	if got, want := local.foreign("node: no harbour, quays, berths or locks"), "node: no [argument], [argument], [redacted] or locks"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
