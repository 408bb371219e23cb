package report

import "testing"

// The command is pasted into a shell: a key is one word there, whatever it holds.
func TestLockCommandQuotesKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"files":           "mcp-lint lock --name=files",
		".mcp.json#files": "mcp-lint lock --name='.mcp.json#files'",
		"a b; rm -rf x":   "mcp-lint lock --name='a b; rm -rf x'",
		"it's":            `mcp-lint lock --name='it'\''s'`,
		"--accept":        "mcp-lint lock --name='--accept'",
		"$(x)`y`":         "mcp-lint lock --name='$(x)`y`'",
	} {
		if got := lockCommand(key, ""); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
}
