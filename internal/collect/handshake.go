package collect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// preferredVersion is the revision we ask for: the newest that is spoken with
// initialize. Newer, stateless servers are asked with server/discover when they
// refuse it.
const preferredVersion = "2025-11-25"

// discoverVersion makes the typed layer ask with server/discover first.
const discoverVersion = "2026-07-28"

// greeting is what a server says of itself in its first answer, as it was written.
type greeting struct {
	serverInfo, version, capabilities, instructions jsontext.Value

	offered  object
	declared bool // capabilities are an object, as they must be
}

// offers reports whether a list may be asked for: the server offers it, or says
// nothing that could be understood about what it offers.
func (h greeting) offers(capability string) bool { return !h.declared || h.offered.has(capability) }

// hello reads the answer to initialize or server/discover and notes what in it
// is not as it must be. Official clients refuse the whole server for that.
func (s *session) hello() greeting {
	answer := decode(s.rec.result())
	h := greeting{
		serverInfo:   answer["serverInfo"],
		version:      answer["protocolVersion"],
		capabilities: answer["capabilities"],
		instructions: answer["instructions"],
	}
	_, discovered := answer["supportedVersions"]
	if discovered {
		if meta := decode(answer["_meta"]); meta[mcp.MetaKeyServerInfo] != nil {
			h.serverInfo = meta[mcp.MetaKeyServerInfo]
		}
		h.version = jsontext.Value(encode(s.client.InitializeResult().ProtocolVersion))
	} else {
		s.judgeVersion(answer)
	}
	h.offered = decode(h.capabilities)
	h.declared = h.offered != nil

	if !h.declared {
		s.malformed("capabilities", h.capabilities, "an object")
	}
	for _, name := range []string{"tools", "prompts", "resources"} {
		if value, there := h.offered[name]; there && value.Kind() != '{' {
			s.malformed("capabilities."+name, value, "an object")
		}
	}
	switch info := decode(h.serverInfo); {
	case discovered && h.serverInfo == nil:
		// Stateless servers should name themselves with each answer, and need not.
	case info == nil:
		s.malformed("serverInfo", h.serverInfo, "an object with name and version")
	case info["name"].Kind() != '"' || info["version"].Kind() != '"':
		s.malformed("serverInfo", h.serverInfo, "an object with the texts name and version")
	}
	if h.instructions != nil && h.instructions.Kind() != '"' {
		s.malformed("instructions", h.instructions, "a text")
	}
	return h
}

// malformed notes a member of the first answer that is not what it must be.
func (s *session) malformed(name string, value jsontext.Value, want string) {
	if value == nil {
		s.odd.add(MalformedHandshake, name, "%s is missing; expected %s", name, want)
		return
	}
	s.odd.add(MalformedHandshake, name, "%s is %s; expected %s", name, s.quoted(value), want)
}

// judgeVersion notes a protocol version that does not exist. An older one is
// none of the server's faults: it may answer with the newest that it has.
func (s *session) judgeVersion(answer object) {
	value, there := answer["protocolVersion"]
	switch {
	case !there:
		s.odd.add(ProtocolVersion, "", "initialize is answered without a protocol version")
	case !isRevision(answer.text("protocolVersion")):
		s.odd.add(ProtocolVersion, "", "initialize is answered with protocol version %s, which does not exist; clients that do not know a version hang up",
			s.quoted(value))
	}
}

// isRevision reports whether a version is a published revision of the protocol.
func isRevision(version string) bool {
	return slices.Contains(mcp.SupportedProtocolVersions(), version)
}

// wantedVersion is the newest revision that the refusal of preferredVersion
// names, in its data or its text, or the one of stateless servers when it names
// none.
func wantedVersion(refusal *jsonrpc.Error) string {
	date := regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)
	named := date.FindAllString(string(refusal.Data)+" "+refusal.Message, -1)
	named = slices.DeleteFunc(named, func(v string) bool { return v == preferredVersion || !isRevision(v) })
	if len(named) == 0 {
		return discoverVersion
	}
	return slices.MaxFunc(named, strings.Compare)
}
