// Package shorten shortens texts that nobody has checked, for messages, logs and what
// else has a bound.
package shorten

import (
	"strings"
	"unicode/utf8"
)

// Bytes returns the text, or its first n bytes at most, which end between two
// characters, and an ellipsis behind them.
func Bytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return Prefix(text, n) + "…"
}

// Prefix returns the text, or the whole characters of it that n bytes hold.
func Prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// Line is [Characters] for a text in one line, its white space folded.
func Line(text string, n int) string { return Characters(strings.Join(strings.Fields(text), " "), n) }

// Characters returns the text, or its first n-1 characters and an ellipsis.
func Characters(text string, n int) string {
	if len(text) <= n { // no more characters than bytes
		return text
	}
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
