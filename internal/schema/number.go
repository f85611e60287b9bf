package schema

import (
	"cmp"
	"strconv"
	"strings"
)

// A number is kept as text: 1e400 is a valid JSON number, and a library that
// expands 1e99999999 does not come back. checkNumber says, in words that
// follow "the number", why text is too much; empty if it is not.
func checkNumber(text string) string {
	if len(text) > maxNumberText {
		return "has more than " + strconv.Itoa(maxNumberText) + " characters"
	}
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return ""
	}
	e, err := strconv.Atoi(text[i+1:])
	if err != nil || e > maxExponent || e < -maxExponent {
		return "has an exponent beyond ±" + strconv.Itoa(maxExponent)
	}
	return ""
}

// NumberOK reports whether text is a JSON number of reasonable size: at most
// 400 characters, the exponent between -400 and 400. Whoever reads numbers
// from a page asks before doing arithmetic with them.
func NumberOK(text string) bool {
	return scanNumber(text) == len(text) && text != "" && checkNumber(text) == ""
}

// scanNumber returns the length of the JSON number (RFC 8259, section 6) that
// text begins with, 0 if none.
func scanNumber(text string) int {
	i := 0
	if strings.HasPrefix(text, "-") {
		i++
	}
	switch n := scanDigits(text[i:]); {
	case n == 0:
		return 0
	case text[i] == '0':
		i++ // no digit may follow
	default:
		i += n
	}
	if strings.HasPrefix(text[i:], ".") {
		n := scanDigits(text[i+1:])
		if n == 0 {
			return 0
		}
		i += 1 + n
	}
	if i == len(text) || text[i]|0x20 != 'e' {
		return i
	}
	i++
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	n := scanDigits(text[i:])
	if n == 0 {
		return 0
	}
	return i + n
}

func scanDigits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// decimal is a number in its one normal form: digits × 10^exp, where digits
// neither begins nor ends with a zero. Zero has no digits.
type decimal struct {
	neg    bool
	digits string
	exp    int
}

// toDecimal reads a number that passed checkNumber.
func toDecimal(text string) decimal {
	var d decimal
	text, d.neg = strings.CutPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		d.exp, _ = strconv.Atoi(text[i+1:])
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.exp -= len(fraction)
	d.digits = strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(d.digits, "0")
	d.exp += len(d.digits) - len(trimmed)
	d.digits = trimmed
	if d.digits == "" {
		return decimal{}
	}
	return d
}

func (d decimal) isInteger() bool { return d.exp >= 0 }

// key is equal for equal numbers, however they were written.
func (d decimal) key() string {
	sign := "+"
	if d.neg {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exp)
}

// exceeds reports whether the integer d is greater than top, without building it.
func (d decimal) exceeds(top int64) bool {
	if d.neg || d.digits == "" {
		return false
	}
	limit := strconv.FormatInt(top, 10)
	size := len(d.digits) + d.exp
	if c := cmp.Compare(size, len(limit)); c != 0 {
		return c > 0
	}
	return d.digits+strings.Repeat("0", max(d.exp, 0)) > limit
}
