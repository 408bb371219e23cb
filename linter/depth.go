package linter

import (
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// TooDeep returns the fault of the first tool definition that nests deeper
// than [snapshot.MaxDepth], nil when there is none. Preset [Agents] refuses
// such a snapshot, and so does a lock under every preset.
func TooDeep(s *snapshot.Snapshot) *snapshot.Problem {
	for _, tool := range s.Tools {
		if tool.Depth <= snapshot.MaxDepth {
			continue
		}
		for _, p := range s.Problems {
			if p.Entity == tool && p.Kind == snapshot.TooDeep {
				return &p
			}
		}
		// The list of problems is bounded and was full before this tool.
		return &snapshot.Problem{
			Kind: snapshot.TooDeep, Entity: tool, Detail: strconv.Itoa(tool.Depth), Offset: tool.Node.Start(),
		}
	}
	return nil
}
