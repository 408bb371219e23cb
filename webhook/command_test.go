package webhook

import (
	"strings"
	"testing"
	"time"
)

func TestCommandIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		comment string
		want    command
	}{
		"alone":                        {"/mcp-lint recheck", command{what: "recheck"}},
		"with line ends of a browser":  {"Thanks!\r\n\r\n/mcp-lint recheck\r\n", command{what: "recheck"}},
		"a line of a paragraph":        {"Thanks!\n/mcp-lint recheck  \nplease", command{what: "recheck"}},
		"the first of two":             {"/mcp-lint run\n/mcp-lint recheck", command{what: "run"}},
		"after an unknown one":         {"/mcp-lint dance\n/mcp-lint recheck", command{what: "recheck"}},
		"after a quote":                {"> old\n\n/mcp-lint recheck", command{what: "recheck"}},
		"run on a commit":              {"/mcp-lint run 0123abc", command{"run", "0123abc"}},
		"run on a whole commit":        {"/mcp-lint run " + strings.Repeat("a", 40), command{"run", strings.Repeat("a", 40)}},
		"run on no commit":             {"/mcp-lint run main", command{}},
		"run on too few characters":    {"/mcp-lint run 0123ab", command{}},
		"unknown":                      {"/mcp-lint foo", command{}},
		"no word":                      {"/mcp-lint", command{}},
		"too many words":               {"/mcp-lint recheck now", command{}},
		"capital letters":              {"/MCP-lint recheck", command{}},
		"another program":              {"/mcp-linter recheck", command{}},
		"two spaces":                   {"/mcp-lint  recheck", command{}},
		"inside a sentence":            {"Say /mcp-lint recheck", command{}},
		"indented":                     {" /mcp-lint recheck", command{}},
		"quoted":                       {"> /mcp-lint recheck", command{}},
		"lazily quoted":                {"> Somebody wrote\n/mcp-lint recheck", command{}},
		"code fence":                   {"```\n/mcp-lint recheck\n```", command{}},
		"code fence, not closed":       {"~~~text\n/mcp-lint recheck", command{}},
		"code fence of longer fences":  {"````\n```\n/mcp-lint recheck\n```\n````", command{}},
		"code span over lines":         {"/mcp-lint `recheck`", command{}},
		"list":                         {"- x\n/mcp-lint recheck", command{}},
		"HTML comment":                 {"<!--\n/mcp-lint recheck\n-->", command{}},
		"details":                      {"<details>\n/mcp-lint recheck\n</details>", command{}},
		"too long":                     {"/mcp-lint recheck\n" + strings.Repeat("x", maxCommented), command{}},
		"many quotes":                  {strings.Repeat("> ", 49) + "\n\n/mcp-lint recheck", command{what: "recheck"}},
		"too many quotes":              {strings.Repeat("> ", 50) + "\n\n/mcp-lint recheck", command{}},
		"too many lists":               {"x\n" + strings.Repeat("1) - ", 25) + "\n\n/mcp-lint recheck", command{}},
		"a long line":                  {strings.Repeat("-", 80) + "\n\n/mcp-lint recheck", command{what: "recheck"}},
		"other white space at the end": {"/mcp-lint recheck\t", command{what: "recheck"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := commandIn(c.comment); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// A comment is read before GitHub has its answer.
func TestHostileCommentsAreReadQuickly(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{">", "> ", "- ", "1. ", "[", "`", "```\n", "<!--", "* \n", ">\n", "    ", "[a]: b\n", "<details>\n"} {
		comment := strings.Repeat(piece, (maxCommented-40)/len(piece)) + "\n" + commandWord + " recheck"
		start := time.Now()
		commandIn(comment)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q: %s", piece, took)
		}
	}
}

func FuzzCommandIn(f *testing.F) {
	f.Add("/mcp-lint recheck")
	f.Add("> a\n\n/mcp-lint run 0123abc\r\n")
	f.Fuzz(func(t *testing.T, comment string) {
		c := commandIn(comment)
		if c.what == "" {
			return
		}
		line := strings.TrimSpace(commandWord + " " + c.what + " " + c.commit)
		if !strings.HasPrefix(comment, line) && !strings.Contains(comment, "\n"+line) {
			t.Errorf("%+v is at the start of no line of %q", c, comment)
		}
	})
}
