package launch

import (
	"strings"
	"testing"
)

// A name comes again with every finding, so it has a length. The entry keeps
// its place in the list, and the message is not lost behind the name.
func TestLongNamesOfServersAreRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		strings.Repeat("é", maxKey):    "",
		strings.Repeat("é", maxKey+1):  "the server's name has 201 characters; expected at most 200",
		strings.Repeat("k", 1_000_000): "the server's name has 1000000 characters; expected at most 200",
	} {
		servers, err := ReadClientFile(".mcp.json", []byte(`{"mcpServers": {"`+name+`": {"command": "node"}}}`))
		if err != nil || len(servers) != 1 {
			t.Fatalf("%d servers, %v", len(servers), err)
		}
		switch invalid := servers[0].Invalid; {
		case want == "" && invalid != nil:
			t.Errorf("%d bytes: %.300v", len(name), invalid)
		case want != "" && (invalid == nil || !strings.HasSuffix(invalid.Error(), want) || len(invalid.Error()) > 1000):
			t.Errorf("%d bytes: %.300v, want %q", len(name), invalid, want)
		}
	}
}
