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
// it, so it survives edits elsewhere in the file and new wordings. What is
// suppressed is counted last: a suppression that takes members out of a group
// must not give what is left of it another fingerprint.
//
// A member of a finding on the server that stands for a tool has the
// fingerprint that it would have on the tool: it is the same fault, whether few
// tools have it or many.
func (r *run) fingerprint() {
	seen := map[string]int{}
	var buf []byte
	next := func(f *Finding, entity snapshot.Ref, path, subject string) string {
		buf = buf[:0]
		for _, part := range [...]string{
			f.Rule, r.snapshot.Key, string(entity.Kind), entity.Name, path, subject,
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
			f.Fingerprint = next(f, f.Entity, f.Path, f.Subject)
			for j := range f.Items {
				item := &f.Items[j]
				entity, path := memberOf(f.Entity, item.Path)
				item.Fingerprint = next(f, entity, path, item.Subject)
			}
		}
	}
}

func appendPart(buf []byte, part string) []byte {
	buf = strconv.AppendInt(buf, int64(len(part)), 10)
	buf = append(buf, ':')
	return append(buf, part...)
}

// memberOf returns what a pointer inside an entity is about: on the server,
// /tools/NAME is a tool.
func memberOf(e snapshot.Ref, pointer string) (snapshot.Ref, string) {
	list, rest := snapshot.CutToken(pointer)
	if e.Kind != snapshot.KindServer || list != "tools" || rest == "" {
		return e, pointer
	}
	name, inside := snapshot.CutToken(rest)
	return snapshot.Ref{Kind: snapshot.KindTool, Name: name}, inside
}
