package lockfile

import (
	"math/big"
	"strconv"
	"strings"
)

// maxExponentDigits bounds the exponents that are understood. A longer one is
// kept as written: its value is of no use to anybody, and adding to it would
// need arithmetic on numbers as long as the sender likes. maxExponent is the
// largest with so many digits.
const (
	maxExponentDigits = 17
	maxExponent       = 99_999_999_999_999_999
)

// decimal is the exact value of a JSON number: 0.DIGITS × 10^point, negative
// when neg. Digits has neither leading nor trailing zeros; zero is the empty
// string, without sign.
type decimal struct {
	neg    bool
	digits string
	point  int64
	// asIs is the tidied literal of a number whose exponent is over
	// maxExponentDigits; the other fields are then unset except neg.
	asIs string
}

// parseDecimal reads a JSON number literal. The literal must be valid JSON.
func parseDecimal(literal string) decimal {
	var d decimal
	s := literal
	if strings.HasPrefix(s, "-") {
		d.neg, s = true, s[1:]
	}
	exponent := ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exponent = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	leading := len(whole) + len(fraction) - len(digits)
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return decimal{}
	}
	negExp := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(exponent, "+-0")
	if len(exponent) > maxExponentDigits {
		sign := ""
		if negExp {
			sign = "-"
		}
		mantissa := strings.TrimPrefix(s, "-")
		return decimal{neg: d.neg, asIs: mantissa + "e" + sign + exponent}
	}
	var exp int64
	if exponent != "" {
		exp, _ = strconv.ParseInt(exponent, 10, 64) // digits only, and few of them
	}
	if negExp {
		exp = -exp
	}
	d.digits = digits
	d.point = exp + int64(len(whole)-leading)
	if e := d.point - 1; e > maxExponent || e < -maxExponent {
		// Moving the point has made it too large: what is written must be read
		// again as the same.
		return decimal{neg: d.neg, asIs: d.mantissa() + "e" + strconv.FormatInt(e, 10)}
	}
	return d
}

// mantissa is the digits with the point behind the first.
func (d decimal) mantissa() string {
	if len(d.digits) == 1 {
		return d.digits
	}
	return d.digits[:1] + "." + d.digits[1:]
}

// append writes the one spelling of the value: that of ECMAScript's
// Number::toString (and so of RFC 8785, section 3.2.2.3), with all digits.
func (d decimal) append(b []byte) []byte {
	if d.neg {
		b = append(b, '-')
	}
	if d.asIs != "" {
		return append(b, d.asIs...)
	}
	n := int64(len(d.digits))
	switch {
	case n == 0:
		return append(b, '0')
	case n <= d.point && d.point <= 21:
		b = append(b, d.digits...)
		return append(b, strings.Repeat("0", int(d.point-n))...)
	case 0 < d.point && d.point <= 21:
		b = append(b, d.digits[:d.point]...)
		b = append(b, '.')
		return append(b, d.digits[d.point:]...)
	case -6 < d.point && d.point <= 0:
		b = append(b, "0."...)
		b = append(b, strings.Repeat("0", int(-d.point))...)
		return append(b, d.digits...)
	}
	b = append(append(b, d.mantissa()...), 'e')
	if d.point > 0 {
		b = append(b, '+')
	}
	return strconv.AppendInt(b, d.point-1, 10)
}

// appendNumber appends the canonical spelling of a JSON number literal.
func appendNumber(b []byte, literal string) []byte {
	if plainInteger(literal) {
		return append(b, literal...)
	}
	return parseDecimal(literal).append(b)
}

// plainInteger tells literals that are their own canonical spelling: almost
// all numbers of a schema.
func plainInteger(s string) bool {
	if len(s) == 0 || len(s) > 21 || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// compare returns -1, 0 or 1, and false when a number is not understood.
func (d decimal) compare(e decimal) (int, bool) {
	if d.asIs != "" || e.asIs != "" {
		return 0, d == e
	}
	if ds, es := d.sign(), e.sign(); ds != es || ds == 0 {
		return cmpInt(ds, es), true
	}
	c := cmpInt(d.point, e.point)
	if c == 0 {
		c = strings.Compare(d.digits, e.digits) // as fractions: a prefix is smaller
	}
	if d.neg {
		c = -c
	}
	return c, true
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func cmpInt[T int | int64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// multipleOf reports whether d is a whole multiple of e. It says false when
// that would need numbers of more than a few hundred digits.
func (d decimal) multipleOf(e decimal) bool {
	const digits = 400
	if d.asIs != "" || e.asIs != "" || e.digits == "" {
		return false
	}
	if d.digits == "" {
		return true
	}
	// As integers: digits × 10^(point - len(digits)), both over one power.
	dExp, eExp := d.point-int64(len(d.digits)), e.point-int64(len(e.digits))
	low := min(dExp, eExp)
	if dExp-low > digits || eExp-low > digits || len(d.digits) > digits || len(e.digits) > digits {
		return false
	}
	return new(big.Int).Rem(scaled(d.digits, dExp-low), scaled(e.digits, eExp-low)).Sign() == 0
}

func scaled(digits string, zeros int64) *big.Int {
	n, _ := new(big.Int).SetString(digits+strings.Repeat("0", int(zeros)), 10) // decimal digits only
	return n
}
