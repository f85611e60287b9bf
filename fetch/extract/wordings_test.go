package extract

import (
	"os"
	"strings"
	"testing"
)

// TestUsualWordings shapes pages that say what they have to say in the ways that
// people usually write it: without a colon, several things in a line, in other
// languages.
func TestUsualWordings(t *testing.T) {
	raw, err := os.ReadFile("testdata/wordings.txt")
	if err != nil {
		t.Fatal(err)
	}
	schema, body, seen := "", "", 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '<':
			body = line
		case line[0] == '{':
			seen++
			t.Run(body, func(t *testing.T) {
				page := "<html lang=en><body><h1>Blue Kettle</h1>" + body
				if strings.HasPrefix(body, "<h1>") {
					page = "<html lang=en><body>" + body
				}
				if got := string(shaped(t, page, schema, ShapeOptions{}).Content); got != line {
					t.Errorf("got  %s\nwant %s", got, line)
				}
			})
		default:
			_, schema, _ = strings.Cut(line, " ")
		}
	}
	if seen < 80 {
		t.Errorf("%d wordings", seen)
	}
}
