package visible

import (
	"slices"
	"strings"
)

// isTradeNumber reports whether a text is a GTIN of 8, 12, 13 or 14 digits,
// whose last one checks the others (GS1 General Specifications, 7.9).
func isTradeNumber(s string) bool {
	if !isDigits(s) || !slices.Contains([]int{8, 12, 13, 14}, len(s)) {
		return false
	}
	sum := 0
	for i, c := range s {
		n := int(c - '0')
		if (len(s)-i)%2 == 0 {
			n *= 3
		}
		sum += n
	}
	return sum%10 == 0
}

// isBookNumber reports whether a text is an ISBN of 10 or 13 digits, with or
// without hyphens, whose last one checks the others (ISO 2108).
func isBookNumber(s string) bool {
	s = strings.NewReplacer("-", "", " ", "", "‐", "", "–", "").Replace(s)
	if len(s) == 13 {
		return (strings.HasPrefix(s, "978") || strings.HasPrefix(s, "979")) && isTradeNumber(s)
	}
	if len(s) != 10 || !isDigits(s[:9]) || s[9] != 'X' && s[9] != 'x' && !isDigits(s[9:]) {
		return false
	}
	sum := 0
	for i := range 10 {
		n := int(s[i] - '0')
		if s[i]|0x20 == 'x' {
			n = 10
		}
		sum += n * (10 - i)
	}
	return sum%11 == 0
}
