package mention

import (
	"slices"
	"strings"
)

// IsTradeNumber reports whether a text is a GTIN of 8, 12, 13 or 14 digits,
// whose last one checks the others (GS1 General Specifications, 7.9).
func IsTradeNumber(s string) bool {
	if strings.Trim(s, "0123456789") != "" || !slices.Contains([]int{8, 12, 13, 14}, len(s)) {
		return false
	}
	sum := 0
	for i, c := range s {
		sum += int(c-'0') * (1 + (len(s)-i+1)%2*2)
	}
	return sum%10 == 0
}

// IsBookNumber reports whether a text is an ISBN of 10 or 13 digits, with or
// without hyphens, whose last one checks the others (ISO 2108). That of 13 is a
// GTIN.
func IsBookNumber(s string) bool {
	s = strings.NewReplacer("-", "", " ", "", "‐", "", "–", "", "x", "X").Replace(s)
	if len(s) != 10 {
		return len(s) == 13 && s[:2] == "97" && IsTradeNumber(s)
	}
	sum := 0
	for i, c := range s {
		at := strings.IndexRune("0123456789X", c)
		if at < 0 || at == 10 && i < 9 {
			return false
		}
		sum += at * (10 - i)
	}
	return sum%11 == 0
}
