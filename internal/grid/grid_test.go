package grid

import (
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	l := Layout[string]{Columns: 5, Budget: 100, Again: func(s string) string { return s + "'" }}
	lay := func(cells ...any) string {
		for i := 0; i < len(cells); i += 3 {
			l.Put(cells[i].(string), cells[i+1].(int), cells[i+2].(int))
		}
		return strings.Join(l.EndRow(), " ")
	}
	for i, got := range []string{
		lay("a", 1, 2, "b", 2, 1), lay("c", 1, 1, "d", 1, 2), lay("e", 2, 1), lay("f", 9, 1),
	} {
		if want := []string{"a b b'", "a' c d", "e e' d'", "f f' f' f' f'"}[i]; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	lay("g", 1, 5)
	l.EndGroup()
	if got := lay("h", 1, 1); got != "h" {
		t.Errorf("behind the end of a group: %q", got)
	}
	l.Budget = 2
	if got := lay("i", 4, 1); got != "i i' i'" {
		t.Errorf("beyond the budget: %q", got)
	}
	if l.Columns = 1; !l.Put("j", 1, 1) || l.Put("k", 1, 1) {
		t.Error("a row of one column takes one cell")
	}
}

func TestSpan(t *testing.T) {
	for text, want := range map[string]int{"": 1, "0": 1, "-2": 1, "x": 1, " 3": 3, "99999": 1000, "99999999999999999999": 1} {
		if got := Span(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
