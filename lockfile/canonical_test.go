package lockfile_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

func TestCanonicalVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/canonical-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, Input, Canonical, SHA256 string }
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			n := value(t, v.Input)
			if got := string(lockfile.Canonical(n)); got != v.Canonical {
				t.Errorf("got  %s\nwant %s", got, v.Canonical)
			}
			if got := lockfile.Hash(n); got != v.SHA256 {
				t.Errorf("hash %s, want %s", got, v.SHA256)
			}
			again := value(t, v.Canonical)
			if got := string(lockfile.Canonical(again)); got != v.Canonical {
				t.Errorf("not stable: %s", got)
			}
		})
	}
}

func TestCanonicalOfNothingIsEmpty(t *testing.T) {
	t.Parallel()
	if got := lockfile.Canonical(nil); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

// A number may be as long as its sender likes; its canonical form takes time
// and room in proportion to that, not to its value.
func TestHugeNumbersAreCheap(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("7", 1_000_000)
	start := time.Now()
	for _, literal := range []string{"1e999999999", "1e" + long, long, "0." + long, long + "e-" + long, "-" + long + "." + long + "E+99999999"} {
		n := value(t, literal)
		if got := lockfile.Canonical(n); len(got) > len(literal)+30 {
			t.Errorf("%d bytes for a number of %d", len(got), len(literal))
		}
		// Comparing limits must not expand them either.
		old := tool(`{"properties":{"x":{"multipleOf":` + literal + `,"maximum":` + literal + `}}}`)
		compareTexts(t, old, tool(`{"properties":{"x":{"multipleOf":7e-999999999,"maximum":1}}}`))
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
}

func FuzzCanonicalNumber(f *testing.F) {
	for _, s := range []string{"0", "-0.0", "10", "1e1", "1.50e+300", "9007199254740993", "1e-7", "123456e-3", "1e99999999999999999999", "10e99999999999999999", "0.1e-99999999999999999", "10e999999999999999999", "-25e99999999999999999", "0.00000000000000000000001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		if !json.Valid([]byte(literal)) {
			return
		}
		literal = strings.TrimSpace(literal)
		s, err := snapshot.Parse("", []byte(`{"tools":[],"prompts":[`+literal+`]}`))
		if err != nil || len(s.Prompts) != 1 || s.Prompts[0].Node.Type() != snapshot.Number {
			return
		}
		once := string(lockfile.Canonical(s.Prompts[0].Node))
		if twice := string(lockfile.Canonical(value(t, once))); twice != once {
			t.Errorf("%s gives %s, which gives %s", literal, once, twice)
		}
		if len(literal) > 30 {
			return
		}
		// Where a double can tell, the value is the same.
		var before, after float64
		if json.Unmarshal([]byte(literal), &before) == nil {
			if err := json.Unmarshal([]byte(once), &after); err != nil || before != after {
				t.Errorf("%s is %g, %s is %g", literal, before, once, after)
			}
		}
		// Another spelling of the same value has the same form.
		if mantissa, exponent, ok := strings.Cut(strings.ToLower(literal), "e"); !ok {
			if got := string(lockfile.Canonical(value(t, mantissa+"e0"))); got != once {
				t.Errorf("%se0 gives %s, want %s (%s)", mantissa, got, once, exponent)
			}
		}
	})
}
