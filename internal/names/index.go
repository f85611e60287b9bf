package names

import (
	"slices"
	"strings"
)

// Index finds the names among many that [Match] takes for one that is wanted,
// without comparing it with each.
type Index struct {
	byText    map[string][]int32
	byConcept map[string][]int32
}

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{byText: map[string][]int32{}, byConcept: map[string][]int32{}}
}

// Add puts a name into the index, under its number. Numbers rise.
func (x *Index) Add(number int, have Name) {
	text := func(s string) {
		if list := x.byText[s]; s != "" && (len(list) == 0 || list[len(list)-1] != int32(number)) {
			x.byText[s] = append(list, int32(number))
		}
	}
	text(have.Key)
	text(strings.Join(have.Words, ""))
	text(have.Plain)
	text(have.Whole)
	for _, c := range have.Concepts {
		x.byConcept[c] = append(x.byConcept[c], int32(number))
	}
}

// Find appends the numbers of the names that may match one that is wanted; some
// of them may not.
func (x *Index) Find(dst []int32, want Name) []int32 {
	for _, text := range []string{want.Key, strings.Join(want.Words, ""), want.Plain, sorted(want.Words)} {
		dst = append(dst, x.byText[text]...)
	}
	for _, c := range want.Concepts {
		dst = append(dst, x.byConcept[c]...)
		for _, n := range near()[c] {
			dst = append(dst, x.byConcept[n]...)
		}
	}
	return dst
}

// FindKey appends the numbers of the names that have a key.
func (x *Index) FindKey(dst []int32, key string) []int32 { return append(dst, x.byText[key]...) }

// Sorted puts numbers in order, each once.
func Sorted(numbers []int32) []int32 {
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
