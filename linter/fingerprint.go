package linter

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// fingerprint gives every finding and every item its fingerprint: the lower
// hex SHA-256 of rule, server key, entity kind, entity name, pointer, subject
// and the ordinal among findings that are equal in all of these, each written
// as its length in bytes, a colon and the text. Lines and messages are not in
// it, so it survives edits elsewhere in the file and new wordings. A tool that
// is a member of a finding on the server counts as the entity of its own: when
// a fault comes to or goes from other tools, and is told once for several or
// on one again, it stays the same fault. What is suppressed is counted last: a
// suppression that takes members out of a group must not give what is left of
// it another fingerprint.
func (r *run) fingerprint() {
	seen := map[string]int{}
	var buf []byte
	next := func(rule string, on snapshot.Ref, path, subject string) string {
		buf = buf[:0]
		for _, part := range [...]string{
			rule, r.snapshot.Key, string(on.Kind), on.Name, path, subject,
		} {
			buf = appendPart(buf, part)
		}
		ordinal := seen[string(buf)]
		seen[string(buf)] = ordinal + 1
		sum := sha256.Sum256(appendPart(buf, strconv.Itoa(ordinal)))
		return hex.EncodeToString(sum[:])
	}
	for _, suppressed := range [...]bool{false, true} {
		for i := range r.found {
			f := &r.found[i]
			if (f.Suppressed != nil) != suppressed {
				continue
			}
			on := f.Entity
			if f.observed && on.Kind == snapshot.KindServer {
				on.Name = "" // it is not known when the server cannot be asked
			}
			f.Fingerprint = next(f.Rule, on, f.Path, f.Subject)
			for j := range f.Items {
				item := &f.Items[j]
				on, path := f.Entity, item.Path
				if item.Of != nil {
					on, path = item.Of.Ref, item.inside()
				}
				item.Fingerprint = next(f.Rule, on, path, item.Subject)
			}
		}
	}
}

func appendPart(buf []byte, part string) []byte {
	buf = strconv.AppendInt(buf, int64(len(part)), 10)
	buf = append(buf, ':')
	return append(buf, part...)
}
