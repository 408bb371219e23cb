package snapshot

import "iter"

// Get returns a member of the definition, nil when there is none.
func (e *Entity) Get(key string) *Node {
	if e == nil {
		return nil
	}
	return e.Node.Get(key)
}

// Text returns the decoded text of a member of the definition, "" when there
// is none or it is no text.
func (e *Entity) Text(key string) string { return e.Get(key).Text() }

// Entities yields everything that the snapshot lists, in the order of reports:
// tools, prompts, resources, resource templates, each in document order.
func (s *Snapshot) Entities() iter.Seq[*Entity] {
	return func(yield func(*Entity) bool) {
		for _, list := range [...][]*Entity{s.Tools, s.Prompts, s.Resources, s.ResourceTemplates} {
			for _, e := range list {
				if !yield(e) {
					return
				}
			}
		}
	}
}
