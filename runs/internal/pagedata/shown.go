package pagedata

import "strings"

// shown knows which texts a browser shows. The document of a page has also
// what style sheets hide: the rows that a filter took away, the other tabs.
type shown struct {
	all    bool
	names  map[string]bool
	stream string
}

func newShown(texts []string) shown {
	if texts == nil {
		return shown{all: true}
	}
	s := shown{names: make(map[string]bool, len(texts))}
	folded := make([]string, 0, len(texts))
	for _, t := range texts {
		t = fold(t)
		s.names[t] = true
		folded = append(folded, t)
	}
	s.stream = strings.Join(folded, " ")
	return s
}

// has reports whether the text, or what an element shows beside it, is seen.
func (s shown) has(text string) bool {
	return s.all || text == "" || s.names[text] || strings.Contains(s.stream, text)
}

// hasRow reports whether a row is seen: at least half of its texts are. Single
// ones may be missing because the browser names the cell otherwise.
func (s shown) hasRow(row []Cell) bool {
	if s.all {
		return true
	}
	texts, seen := 0, 0
	for _, c := range row {
		if c.Text != "" {
			texts++
			if s.has(c.Text) {
				seen++
			}
		}
	}
	return 2*seen >= texts
}
