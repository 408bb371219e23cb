package githubapp_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2ln_-"
	for in, want := range map[string]string{
		"token ghs_short":                       "token [redacted]",
		"ghs_4242_" + jwt + " is dead":          "[redacted] is dead",
		"ghp_" + strings.Repeat("x", 500) + ",": "[redacted],",
		"https://x-access-token:ghs_1@host/o/r": "https://[redacted]@host/o/r",
		"https://user:hunter2@host/":            "https://[redacted]@host/",
		"url=%3Aghs_abc":                        "url=%3A[redacted]",
		"github_pat_11AB_cd and gho_x":          "[redacted] and [redacted]",
		"Bearer " + jwt:                         "Bearer [redacted]",
		"Authorization: Basic eC1hY2Nlc3M6Z2hz": "Authorization: Basic [redacted]",
		"a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b": "a [redacted] b",
		"a -----BEGIN PRIVATE KEY-----\nMIIE\ncut":                                 "a [redacted]",
		"nothing to hide in https://github.com/o/r@v1 or high_score":               "nothing to hide in https://github.com/o/r@v1 or high_score",
		"": "",
	} {
		if got := githubapp.Redact(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestRedactAttrCleansWholeLogLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: githubapp.RedactAttr}))
	log.Error("message ghs_1", "text", "ghs_2", "error", errors.New("ghs_3"), slog.Group("g", "text", "ghs_4"), "number", 5)
	if got := out.String(); strings.Contains(got, "ghs_") || strings.Count(got, "[redacted]") != 4 || !strings.Contains(got, `"number":5`) {
		t.Error(got)
	}
}
