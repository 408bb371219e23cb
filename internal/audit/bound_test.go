package audit

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// Many servers with much to compare lose the comparisons, not their verdicts.
func TestComparisonsGoBeforeVerdicts(t *testing.T) {
	t.Parallel()
	part := []lockfile.Part{{Op: lockfile.Added, Text: strings.Repeat("x", 4<<20)}}
	change := func() lockfile.Change {
		return lockfile.Change{Kind: lockfile.KindDescriptionChanged, Message: "description changed", Text: part, Raw: part}
	}
	rv := &auditing{}
	var results []checked
	for range 5 {
		rv.out.Lock.Accepted = append(rv.out.Lock.Accepted, report.LockedChanges{Changes: []report.Located{{Change: change()}}})
		c := checked{Server: launch.Server{Key: "k"}}
		c.report.Lock = &report.Lock{Changes: []lockfile.Change{change()}}
		results = append(results, c)
	}
	rv.bound(results)
	if rv.out.Lock.Error != nil || len(rv.out.Lock.Accepted) != 5 {
		t.Errorf("accepted: %+v", rv.out.Lock.Error)
	}
	kept := 0
	for _, c := range results {
		if c.report.Error != nil || c.report.Lock.Changes[0].Message == "" {
			t.Errorf("a verdict is lost: %+v", c.report.Error)
		}
		if c.report.Lock.Changes[0].Text != nil {
			kept++
		}
	}
	if size := jsonSize(rv.out.Lock.Accepted); size > maxReport/2 || kept == 0 {
		t.Errorf("%d bytes accepted, %d servers with their comparisons", size, kept)
	}
}
