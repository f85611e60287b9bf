package names

import (
	"slices"
	"strings"
)

// Index finds the names among many that [Match] takes for one that is wanted,
// without comparing it with each.
type Index struct{ numbers map[string][]int32 }

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{map[string][]int32{}} }

// Add puts a name into the index, under its number. Numbers rise.
func (x *Index) Add(number int, have Name) {
	add := func(key string) {
		if list := x.numbers[key]; key != "" && (len(list) == 0 || list[len(list)-1] != int32(number)) {
			x.numbers[key] = append(list, int32(number))
		}
	}
	for _, text := range []string{have.Key, strings.Join(have.Words, ""), have.Plain, have.Whole} {
		add(text)
	}
	for _, c := range have.Concepts {
		add(":" + c)
	}
}

// Find appends the numbers of the names that may match one that is wanted; some
// of them may not.
func (x *Index) Find(dst []int32, want Name) []int32 {
	for _, text := range []string{want.Key, strings.Join(want.Words, ""), want.Plain, sorted(want.Words)} {
		dst = x.FindKey(dst, text)
	}
	for _, c := range want.Concepts {
		dst = x.FindKey(dst, ":"+c)
		for _, n := range near()[c] {
			dst = x.FindKey(dst, ":"+n)
		}
	}
	return dst
}

// FindKey appends the numbers of the names that have a key.
func (x *Index) FindKey(dst []int32, key string) []int32 { return append(dst, x.numbers[key]...) }

// Sorted puts numbers in order, each once.
func Sorted(numbers []int32) []int32 {
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
