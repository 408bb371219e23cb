package jsonc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// UnknownKey is the error for a key that nobody reads; it names the nearest
// valid one, or all of them when none is near.
func (m Member) UnknownKey(valid []string) error {
	return m.Unknown("key", valid)
}

// Errorf is an *Error at the member's name.
func (m Member) Errorf(format string, args ...any) error {
	return &Error{Location: m.Location(), Path: m.Value.path, Message: fmt.Sprintf(format, args...)}
}

// Unknown is the error for a name inside the document that stands for nothing
// known: what says what it should have been ("rule").
func (m Member) Unknown(what string, valid []string) error {
	return m.Errorf("unknown %s; %s", what, Suggest(m.Name, valid))
}

// maxListed is how many names a message lists; a longer list helps nobody.
const maxListed = 20

// Suggest says which valid name was probably meant, or lists all of them when
// none is near and they are few.
func Suggest(name string, valid []string) string {
	best := linter.Nearest(name, valid)
	if best != "" {
		return "did you mean " + strconv.Quote(best) + "?"
	}
	if len(valid) > maxListed {
		return fmt.Sprintf("none of the %d known ones is near", len(valid))
	}
	return "expected one of " + snapshot.Visible(strings.Join(slices.Sorted(slices.Values(valid)), ", "))
}
