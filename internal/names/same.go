package names

import (
	"slices"
	"strings"
)

// Shared reports whether two lists of words, as [Words] splits them, have one in
// common, singular or plural. Words of one or two letters say nothing.
func Shared(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool {
		return len(w) > 2 && !fillers[w] && slices.ContainsFunc(b, func(o string) bool {
			return stem(o) == stem(w) || strings.TrimSuffix(o, "s") == strings.TrimSuffix(w, "s")
		})
	})
}
