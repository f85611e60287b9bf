// Package docstest reads the fenced blocks of a page of the documentation, for tests that
// run what stands there.
package docstest

import (
	"os"
	"strings"
	"testing"
)

// A Block is what stands between two fences.
type Block struct {
	// Heading is the one that it stands below, without its marks.
	Heading string
	// Language is the first word behind the opening fence, and Mark the rest.
	Language, Mark string
	// Source are the lines between the fences.
	Source string
	// Before is the last line above the opening fence that is not empty.
	Before string
	// Line is that of the opening fence, beginning with 1.
	Line int
}

// Blocks reads those of a page, in their order.
func Blocks(t testing.TB, path string) (all []Block) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	heading, before, open, line := "", "", (*Block)(nil), 0
	for content := range strings.Lines(string(text)) {
		line++
		fence, isFence := strings.CutPrefix(strings.TrimSpace(content), "```")
		switch {
		case isFence && open != nil:
			all, open = append(all, *open), nil
		case isFence:
			language, mark, _ := strings.Cut(fence, " ")
			open = &Block{Heading: heading, Language: language, Mark: mark, Before: before, Line: line}
		case open != nil:
			open.Source += content
		case strings.HasPrefix(content, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(content, "#"))
		}
		if text := strings.TrimSpace(content); open == nil && text != "" {
			before = text
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: the block is not closed", path, open.Line)
	}
	return all
}
