package mention

import (
	"strings"
	"unicode"
)

// The sizes of the number of a thing, in bytes and in digits.
const (
	maxCode     = 40
	leastDigits = 3
)

// IsCode reports whether a word may be the number of a thing that is sold: it
// has at least three digits, letters and few signs, and is no address.
func IsCode(s string) bool {
	if len(s) < leastDigits || len(s) > maxCode || strings.Contains(s, "//") {
		return false
	}
	digits := 0
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case unicode.IsLetter(c), strings.ContainsRune("-_./#+", c):
		default:
			return false
		}
	}
	return digits >= leastDigits
}

// IsLetterCode reports whether a text is the number of a thing without a digit:
// capital letters in three groups or more, "AB-CDE-F".
func IsLetterCode(s string) bool {
	return len(s) >= 6 && len(s) <= maxCode && strings.Count(s, "-") >= 2 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" && !strings.Contains(s, "--")
}

// LeadingCode returns the number that a text begins with and then describes:
// "TE502955-1293415 Housse" is TE502955-1293415. It is the text itself where
// there are several numbers, or none.
func LeadingCode(s string) string {
	code, rest, more := strings.Cut(strings.TrimSpace(s), " ")
	if !more || !IsCode(code) || strings.ContainsAny(rest, "0123456789") || !strings.ContainsFunc(rest, unicode.IsLower) {
		return s
	}
	return code
}
