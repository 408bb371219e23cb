// Package severity is the one scale on which findings and lock changes are
// judged, so that a report can compare both with one threshold.
package severity

import (
	"fmt"
)

// Level is how bad a finding or change is. The zero value is Off.
type Level int

// The levels, in ascending order. Off switches a rule off; as a threshold
// (--fail-on never) it means that nothing fails.
const (
	Off Level = iota
	Info
	Warning
	Error
)

var names = [...]string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

// Levels lists the levels that a finding can have, worst first.
func Levels() []Level { return []Level{Error, Warning, Info} }

// String returns off, info, warning or error.
func (l Level) String() string {
	if l < Off || l > Error {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return names[l]
}

// Reaches reports whether l is at or above the threshold. Nothing reaches Off.
func (l Level) Reaches(threshold Level) bool { return threshold != Off && l >= threshold }

// Parse reads a level name. "never" is accepted for Off, the spelling of
// --fail-on.
func Parse(s string) (Level, error) {
	for l, name := range names {
		if s == name {
			return Level(l), nil
		}
	}
	if s == "never" {
		return Off, nil
	}
	return Off, fmt.Errorf("unknown severity %q: expected info, warning, error, or never/off", s)
}

// MarshalText writes the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (l *Level) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	if err != nil {
		return err
	}
	*l = v
	return nil
}
