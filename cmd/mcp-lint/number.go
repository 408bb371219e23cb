package main

import (
	"math"
	"math/big"
	"regexp"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter"
)

var (
	decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
	// The prefixes that ECMAScript knows; none of them takes a sign.
	prefixed = regexp.MustCompile(`^0([xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$`)
)

// plainNumber reads a finite decimal number.
func plainNumber(s string) (float64, bool) {
	if !decimal.MatchString(s) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// looseNumber reads a number as ECMAScript's Number() does, which the second
// seed used: white space around it does not count, nothing at all is 0, and
// hexadecimal, octal and binary numbers are numbers. Infinity is none here.
func looseNumber(s string) (float64, bool) {
	s = linter.Trim(s)
	switch {
	case s == "":
		return 0, true
	case prefixed.MatchString(s):
		n, ok := new(big.Int).SetString(s, 0)
		if !ok {
			return 0, false
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, !math.IsInf(f, 0)
	}
	return plainNumber(s)
}
