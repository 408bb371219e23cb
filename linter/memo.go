package linter

// Memo returns what build made for key: it is called once an entity and run,
// whichever rule asks first. It is for work of the rules' own that several of
// them share, like reading a text for phrases; key is a value of a type of
// theirs, as for context values. What it returns is read-only.
func (e *Entity) Memo(key any, build func() any) any {
	v, ok := e.memo[key]
	if !ok {
		v = build()
		if e.memo == nil {
			e.memo = map[any]any{}
		}
		e.memo[key] = v
	}
	return v
}
