package extract

import (
	"os"
	"strings"
	"testing"
)

// TestMetadataInUsualForms reads pages as templates write them: bylines of
// several people, dates of a change beside that of publication, names that are
// none, the site's name in the title.
func TestMetadataInUsualForms(t *testing.T) {
	raw, err := os.ReadFile("testdata/metadata.txt")
	if err != nil {
		t.Fatal(err)
	}
	page, seen := "", 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '<':
			page = line
		default:
			seen++
			t.Run(page, func(t *testing.T) {
				m := metadataOf(t, page)
				got := strings.Join([]string{m.Title, strings.Join(m.Authors, ", "), m.Published, m.Modified}, " / ")
				if got != line {
					t.Errorf("got  %s\nwant %s", got, line)
				}
			})
		}
	}
	if seen < 60 {
		t.Errorf("%d pages", seen)
	}
}
