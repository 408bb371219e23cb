package snapshot

import "bytes"

// Parts are the answers of a live server as raw JSON, each exactly one value
// as it came out of a JSON decoder ([encoding/json.RawMessage], say); Assemble
// does not check that again. An absent value is empty.
type Parts struct {
	ServerInfo, ProtocolVersion, Capabilities []byte
	// Instructions of the initialize result. Absent means that the server has
	// none: a live server has always been asked.
	Instructions []byte
	// The entities of each list. nil means that the server was not asked for
	// it; an empty slice, that it has none.
	Tools, Prompts, Resources, ResourceTemplates [][]byte
}

// Assemble joins the answers of a live server to the text of one saved
// snapshot, one entity a line, so that Parse is the only way in. A server that
// was asked for no list at all gets an empty list of tools.
func Assemble(p Parts) []byte {
	if p.Tools == nil && p.Prompts == nil && p.Resources == nil && p.ResourceTemplates == nil {
		p.Tools = [][]byte{}
	}
	if len(p.Instructions) == 0 {
		p.Instructions = []byte("null")
	}
	var b bytes.Buffer
	b.Grow(p.size())
	b.WriteString("{")
	separator := "\n"
	key := func(name string) {
		b.WriteString(separator + `"` + name + `":`)
		separator = ",\n"
	}
	value := func(name string, raw []byte) {
		if len(raw) > 0 {
			key(name)
			b.Write(raw)
		}
	}
	list := func(name string, entities [][]byte) {
		if entities == nil {
			return
		}
		key(name)
		for i, raw := range entities {
			b.WriteString([...]string{"[\n", ",\n"}[min(i, 1)])
			b.Write(raw)
		}
		if len(entities) == 0 {
			b.WriteByte('[')
		}
		b.WriteByte(']')
	}
	list("tools", p.Tools)
	list("resources", p.Resources)
	list("resourceTemplates", p.ResourceTemplates)
	list("prompts", p.Prompts)
	value("serverInfo", p.ServerInfo)
	value("protocolVersion", p.ProtocolVersion)
	value("capabilities", p.Capabilities)
	value("instructions", p.Instructions)
	b.WriteString("\n}\n")
	return b.Bytes()
}

// size is a little more than the length of the result.
func (p Parts) size() int {
	n := 256 + len(p.ServerInfo) + len(p.ProtocolVersion) + len(p.Capabilities) + len(p.Instructions)
	for _, list := range [...][][]byte{p.Tools, p.Prompts, p.Resources, p.ResourceTemplates} {
		for _, raw := range list {
			n += len(raw) + 2
		}
	}
	return n
}
