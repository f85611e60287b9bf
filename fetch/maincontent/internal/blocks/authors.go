package blocks

import "strings"

func (f *facts) addAuthor(s string) {
	if len(s) > maxName || strings.Contains(s, "://") {
		return
	}
	eachWord(s, 12, func(w []byte) {
		if len(w) > 1 {
			f.author[string(w)] = true
			f.authorShapes.add(string(w))
		}
	})
}

// readAuthors finds the names of authors in a block of JSON-LD, without reading
// it as JSON.
func (f *facts) readAuthors(s string) {
	for range 4 {
		i := strings.Index(s, `"author"`)
		if i < 0 {
			return
		}
		s = s[i+len(`"author"`):]
		near := s[:min(len(s), 400)]
		if _, rest, ok := strings.Cut(near, `"name"`); ok {
			if rest = strings.TrimLeft(rest, " \t\r\n:"); strings.HasPrefix(rest, `"`) {
				if name, _, ok := strings.Cut(rest[1:], `"`); ok {
					f.addAuthor(name)
				}
			}
		}
	}
}
