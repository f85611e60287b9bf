// Package redact takes the values of secrets out of what programs print.
package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// minSecret is the shortest value, or line of one, that is searched for in texts, in
// bytes (DECISIONS 16).
const minSecret = 4

// Secrets returns what takes the values of secrets out of a text, which can be one
// line of what was printed.
func Secrets(secrets map[string]string) func(string) string {
	var pairs []string
	for name, value := range secrets {
		for _, form := range forms(value) {
			pairs = append(pairs, form, "{"+name+"}")
		}
	}
	if pairs == nil {
		return func(text string) string { return text }
	}
	return strings.NewReplacer(longestFirst(pairs)...).Replace
}

// forms are the texts that a value is found by: itself, each of its lines, and both
// as they stand in JSON.
func forms(value string) (all []string) {
	texts := []string{value}
	for line := range strings.Lines(value) {
		texts = append(texts, strings.TrimSpace(line))
	}
	for _, text := range texts {
		if len(text) >= minSecret {
			all = append(all, text, inJSON(text))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inJSON is a text as it stands between the quotation marks of JSON.
func inJSON(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return text
	}
	return b.String()[1 : b.Len()-len("\"\n")]
}

// longestFirst sorts pairs of a value and what stands for it: of values that begin
// alike the longest is meant.
func longestFirst(pairs []string) []string {
	all := slices.Collect(slices.Chunk(pairs, 2))
	slices.SortFunc(all, func(a, b []string) int { return len(b[0]) - len(a[0]) })
	return slices.Concat(all...)
}
