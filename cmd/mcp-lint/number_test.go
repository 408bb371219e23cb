package main

import (
	"math"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ loose, plain float64 }{ // NaN for none
		"":             {0, math.NaN()},
		" \t\u3000":    {0, math.NaN()},
		"70":           {70, 70},
		" 70\n":        {70, math.NaN()},
		"+7.5":         {7.5, 7.5},
		"-1":           {-1, -1},
		".5":           {0.5, 0.5},
		"5.":           {5, 5},
		"1e2":          {100, 100},
		"1E-2":         {0.01, 0.01},
		"0x1f":         {31, math.NaN()},
		"0X1F":         {31, math.NaN()},
		"0b101":        {5, math.NaN()},
		"0o17":         {15, math.NaN()},
		"017":          {17, 17},
		"-0x1":         {math.NaN(), math.NaN()},
		"0x":           {math.NaN(), math.NaN()},
		"0x1p4":        {math.NaN(), math.NaN()},
		"1_000":        {math.NaN(), math.NaN()},
		"0x1_0":        {math.NaN(), math.NaN()},
		"1e":           {math.NaN(), math.NaN()},
		".":            {math.NaN(), math.NaN()},
		"1 2":          {math.NaN(), math.NaN()},
		"Infinity":     {math.NaN(), math.NaN()},
		"inf":          {math.NaN(), math.NaN()},
		"NaN":          {math.NaN(), math.NaN()},
		"1e999":        {math.NaN(), math.NaN()},
		"70%":          {math.NaN(), math.NaN()},
		"\u0664\u0662": {math.NaN(), math.NaN()}, // digits, but not these
	} {
		for name, read := range map[string]func(string) (float64, bool){"loose": looseNumber, "plain": plainNumber} {
			expected := want.loose
			if name == "plain" {
				expected = want.plain
			}
			n, ok := read(text)
			if ok == math.IsNaN(expected) || ok && n != expected {
				t.Errorf("%s %q: got %g, %v; want %g", name, text, n, ok, expected)
			}
		}
	}
}

func TestMilliseconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1": time.Millisecond, "1.5": 1500 * time.Microsecond, "1e-9": 1, "1e300": longestTimeout, "0xffffffffffffffff": longestTimeout,
	} {
		var m milliseconds
		if err := m.Set(text); err != nil || m.time != want {
			t.Errorf("%q: got %s, %v; want %s", text, m.time, err, want)
		}
	}
}
