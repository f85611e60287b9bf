package names

import "strings"

// byWords are what stands before the name of an author, in lower case.
var byWords = []string{"by:", "by ", "written by:", "written by ", "authored by:", "authored by ", "posted by:", "posted by ", "submitted by ", "published by ", "recipe by:", "recipe by ", "author:", "words by ", "story by ",
	"von:", "von ", "autor:", "autorin:", "par ", "auteur :", "auteur:", "por:", "por ", "autore:", "door:", "door ", "di "}

// WithoutBy returns the name of an author without "by" before it.
func WithoutBy(text string) string {
	rest := text
	for range 2 {
		for _, by := range byWords {
			if len(rest) > len(by) && strings.EqualFold(rest[:len(by)], by) {
				rest = strings.TrimLeft(rest[len(by):], " :\u00A0\n")
				break
			}
		}
	}
	if rest == "" {
		return text
	}
	return rest
}
