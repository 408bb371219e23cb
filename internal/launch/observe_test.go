package launch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// observed lists what is seen in a file: entry, rule, line.
func observed(t *testing.T, file, data string) []string {
	t.Helper()
	servers, err := ReadClientFile(file, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, s := range servers {
		for _, o := range Observe(s) {
			line := fmt.Sprintf("%s: %s:%d", s.Key, o.Rule, o.Location.Line)
			if o.Lower {
				line += " lower"
			}
			if o.Message == "" || o.Fix == "" || o.Location.Column == 0 {
				t.Errorf("%s: %+v lacks something", s.Key, o)
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

// C077, with what must be found and what must be silent.
func TestSecretsAndAddressesOfTheOpenCase(t *testing.T) {
	t.Parallel()
	want := []string{
		"argkey: config/plain-text-secret:28",
		"envkey: config/plain-text-secret:19",
		"plain: config/cleartext-url:4",
		"query: config/plain-text-secret:10",
	}
	data := caseFile(t, "C077-secrets.json")
	if diff := cmp.Diff(want, observed(t, ".mcp.json", data)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	servers, _ := ReadClientFile(".mcp.json", []byte(data))
	for _, s := range servers {
		for _, o := range Observe(s) {
			for _, secret := range []string{"tok-9f8e7d6c5b4a39281706f5e4d3c2", "s3cr3t-sample-value-9f8e7d"} {
				if strings.Contains(fmt.Sprint(o), secret) {
					t.Errorf("%s: %v says the secret", s.Key, o)
				}
			}
		}
	}
}

func TestObservationsOfOtherOpenCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, data string
		want       []string
	}{
		{".vscode/mcp.json", caseFile(t, "C070-vscode-mcp.jsonc"), []string{}},
		{".claude.json", caseFile(t, "C071-claude-code-user.json"), []string{}},
		{"cline_mcp_settings.json", caseFiles(t, "C076-four-clients.json")["cline_mcp_settings.json"], []string{"mail: config/auto-approve:11 lower"}},
		{".gemini/settings.json", caseFiles(t, "C076-four-clients.json")[".gemini/settings.json"], []string{"maps: config/auto-approve:6"}},
		{"opencode.json", caseFiles(t, "C076-four-clients.json")["opencode.json"], []string{}},
		{".mcp.json", caseFile(t, "C079-bom-crlf-dup.json"), []string{"files#2: config/duplicate-key:4"}},
		{"server.json", caseFiles(t, "C080-not-configs.json")["server.json"], []string{}},
		{".mcp.json", `{"mcpServers": {"a": {"command": "x",
			"command": "y", "env": {"A": "1",
			"A": "2"}}, "b": {"command": 7, "env": {"KEY": "a1b2c3d4e5"}}}}`,
			[]string{"a: config/duplicate-key:2", "a: config/duplicate-key:3", "b: launch/unreadable-entry:3"}},
		{".mcp.json", `{"mcpServers": {"a": {"url": "http://${HOST}/mcp"}, "b": {"url": "http://localhost/mcp"}, "c": {"url": "http://x.example/mcp"}}}`,
			[]string{"c: config/cleartext-url:1"}},
		// Secrets inside of values.
		{".mcp.json", `{"mcpServers": {"a": {"command": "x", "env": {
			"HEADERS": "{\"Authorization\": \"Bearer a1b2c3d4e5f6g7h8\", \"X-Version\": \"2\"}",
			"OTHERS": "{\"Authorization\": \"Bearer <token>\", \"nested\": {\"a\": 1}}", "BROKEN": "{Authorization"}},
			"b": {"command": "docker", "args": ["run", "--env=API_KEY=a1b2c3d4e5f6g7h8",
				"--env=MODE=fast", "--mount=type=bind,src=/a1b2c3d4e5f6g7h8,dst=/x", "-e", "MODE=fast"]},
			"c": {"command": "x", "args": [
				"--header=X-Api-Key: a1b2c3d4e5f6g7h8"]}}}`,
			[]string{"a: config/plain-text-secret:2", "b: config/plain-text-secret:4", "c: config/plain-text-secret:7"}},
	} {
		if diff := cmp.Diff(tt.want, observed(t, tt.file, tt.data)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.file, diff)
		}
	}
	servers, _ := ReadClientFile(".mcp.json", []byte(caseFile(t, "C079-bom-crlf-dup.json")))
	if message := Observe(servers[1])[0].Message; !strings.Contains(message, "line 3") {
		t.Errorf("%q; want both lines", message)
	}
}

func TestSecretsByNameAndForm(t *testing.T) {
	t.Parallel()
	random := "Zk3v9QpL2xWm7RtY4bNc8sDf6hJg1"
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"API_KEY", random, true},
		{"apiKey", random, true},
		{"GITHUB_TOKEN", "tok-9f8e7d6c5b4a39281706f5e4d3c2", true},
		{"ANYTHING", "ghp_" + random + "abc", true},
		{"ANYTHING", "AKIA2E0A8F3B244C9986", true},
		{"NOTE", "sk-learn-for-the-best-of-all-models", false},
		{"DB_PASSWORD", "swordfish", true},
		{"DB_PASSWORD", "correct horse", true},
		{"AWS_SECRET_ACCESS_KEY", random, true},
		{"KEY", "${KEY:-" + random + "}", true},
		{"KEY", "${KEY}", false},
		{"KEY", "${env:KEY}", false},
		{"KEY", "{env:KEY}", false},
		{"KEY", "${input:key}", false},
		{"KEY", "$KEY", false},
		{"KEY", "%KEY%", false},
		{"KEY", "$(pass show a1b2c3d4)", false},
		{"KEY", "op://vault/a1b2c3d4/key", false},
		{"KEY", "", false},
		{"KEY", "<your key>", false},
		{"API_KEY", "YOUR_API_KEY", false},
		{"API_KEY", "your-api-key-123abc", false},
		{"API_KEY", "xxxxxxxx1", false},
		{"API_KEY", "sk-...", false},
		{"API_KEY", "my-secret-key", false},
		{"PASSWORD", "changeme", false},
		{"API_KEY", "change-me-a1b2c3d4", false},
		{"API_KEY", "change-it-a1b2c3d4", true},
		{"PASSWORD", "postgres", false},
		{"TOKEN", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", false},
		{"AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE", false},
		{"AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", false},
		{"TIDES_PASSWORD", "tides", false},
		{"TIDES_PASSWORD", "tides1", true},
		{"PUBLIC_KEY", random, false},
		{"TOKEN_URL", "https://a1b2c3d4.example/token", false},
		{"KEY_FILE", "/etc/keys/a1b2c3d4.pem", false},
		{"SSH_KEY", "/etc/keys/a1b2c3d4.pem", false},
		{"MAX_TOKENS", "4096", false},
		{"LEVEL", "debug", false},
		{"TEAM_KEY", "blue-harbour-0412", false},
	} {
		if _, got := isSecret(tt.name, tt.value); got != tt.want {
			t.Errorf("%s=%s: %v, want %v", tt.name, tt.value, got, tt.want)
		}
	}
}

func TestWhereSecretsStand(t *testing.T) {
	t.Parallel()
	const random = "Zk3v9QpL2xWm7RtY4bNc8sDf6hJg1"
	for entry, want := range map[string]string{
		`{"command": "x", "args": ["--api-key", "` + random + `"]}`:                                                           `the argument "api-key" holds`,
		`{"command": "x", "args": ["--api-key=` + random + `"]}`:                                                              `the argument "api-key" holds`,
		`{"command": "x", "args": ["--api-key=${KEY}", "--token", "--verbose", "a1b2c3d4"]}`:                                  "",
		`{"command": "docker", "args": ["run", "-e", "API_TOKEN=` + random + `", "img"]}`:                                     `the argument "API_TOKEN" holds`,
		`{"command": "docker", "args": ["run", "-e", "API_TOKEN", "img"]}`:                                                    "",
		`{"command": "npx", "args": ["mcp-remote", "https://a.example", "--header", "Authorization: Bearer ` + random + `"]}`: `the header "Authorization" holds`,
		`{"command": "npx", "args": ["mcp-remote", "https://a.example", "--header", "Authorization:${AUTH}"]}`:                "",
		`{"command": "npx", "args": ["mcp-remote", "https://a.example?token=` + random + `"]}`:                                `the address's parameter "token" holds`,
		`{"command": "sh", "args": ["-c", "API_KEY=` + random + ` exec npx a-mcp"]}`:                                          `the argument "API_KEY" holds`,
		`{"command": "x", "args": ["sk-ant-` + random + `"]}`:                                                                 "an argument holds a secret in plain text: it has the form of an Anthropic key",
		`{"command": "x", "args": ["postgres://app:hunter2@db.example/app"]}`:                                                 "the address's user info holds",
		`{"command": "x", "args": ["git+https://git@example.com/a/b.git@v1.0.0"]}`:                                            "",
		`{"command": "x", "env": {"DATABASE_URL": "postgres://app:hunter2@db.example/app"}}`:                                  `the variable "DATABASE_URL"'s user info holds`,
		`{"command": "x", "env": {"DATABASE_URL": "postgres://app:${PASSWORD}@db.example/app"}}`:                              "",
		`{"url": "https://user:hunter2@a.example/mcp"}`:                                                                       "the address's user info holds",
		`{"url": "https://a.example/mcp/sk-ant-` + random + `/x"}`:                                                            "the address's path holds",
		`{"url": "https://a.example/mcp?mode=` + random + `"}`:                                                                "",
		`{"url": "https://a.example/mcp", "headers": {"X-Api-Key": "` + random + `"}}`:                                        `the header "X-Api-Key" holds`,
		`{"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer swordfish"}}`:                                  `the header "Authorization" holds`,
		`{"url": "https://a.example/mcp", "headers": {"Accept": "text/html"}}`:                                                "",
		`{"url": "http://[::1]:80/mcp"}`:                                                                                      "",
		`{"url": "http://127.0.0.9/mcp"}`:                                                                                     "",
		`{"url": "http://app.localhost/mcp"}`:                                                                                 "",
		`{"url": "http://${HOST}/mcp"}`:                                                                                       "",
		`{"url": "http://10.0.0.1/mcp"}`:                                                                                      "http://10.0.0.1 is reached without encryption",
		`{"url": "HTTP://a.example/mcp?x=marker"}`:                                                                            "http://a.example is reached without encryption",
	} {
		servers, err := ReadClientFile(".mcp.json", []byte(`{"mcpServers": {"a": `+entry+`}}`))
		if err != nil || servers[0].Invalid != nil {
			t.Fatalf("%s: %v, %v", entry, err, servers)
		}
		var messages []string
		for _, o := range Observe(servers[0]) {
			messages = append(messages, o.Message)
			if strings.Contains(o.Message+o.Fix+o.Subject, random) || strings.Contains(o.Message+o.Fix, "hunter2") || strings.Contains(o.Message, "marker") {
				t.Errorf("%s: %v says the value", entry, o)
			}
		}
		switch got := strings.Join(messages, "\n"); {
		case want == "" && got != "", want != "" && (len(messages) != 1 || !strings.HasPrefix(got, want)):
			t.Errorf("%s:\n%q, want %q", entry, got, want)
		}
	}
}

// The same server in another client's file may hold a secret that this one has not.
func TestTwinsAreObserved(t *testing.T) {
	t.Parallel()
	twin := readFile(t, ".cursor/mcp.json", `{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "a1b2c3d4e5f6g7h8"}}}}`)[0]
	s := readFile(t, ".mcp.json", `{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "${API_KEY}"}}}}`)[0]
	s.Twins = []Server{twin}
	seen := Observe(s)
	if len(seen) != 1 || seen[0].Rule != "config/plain-text-secret" || seen[0].Location.File != ".cursor/mcp.json" {
		t.Errorf("%+v", seen)
	}
}

// Nobody reads thousands of findings about one entry, and no name that is a secret
// itself is said.
func TestObservationsAreBoundedAndSilent(t *testing.T) {
	t.Parallel()
	const token = "ghp_Zk3v9QpL2xWm7RtY4bNc8sDf6hJg1abc"
	var env strings.Builder
	for i := range 300 {
		fmt.Fprintf(&env, `"KEY_%d_TOKEN": "a1b2c3d4e5f6g7h8", `, i)
	}
	many := Observe(readFile(t, ".mcp.json", `{"mcpServers": {"a": {"command": "x", "env": {`+env.String()+`}}}}`)[0])
	if len(many) != maxObservations {
		t.Errorf("%d observations, want %d", len(many), maxObservations)
	}
	for _, o := range Observe(readFile(t, ".mcp.json", `{"mcpServers": {"a": {"command": "x", "env": {"`+token+`": "`+token+`"}}}}`)[0]) {
		if strings.Contains(fmt.Sprint(o), token) {
			t.Errorf("%+v says the secret", o)
		}
	}
}

func readFile(t *testing.T, file, data string) []Server {
	t.Helper()
	servers, err := ReadClientFile(file, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return servers
}
