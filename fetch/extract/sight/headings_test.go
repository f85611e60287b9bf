package sight

import (
	"strings"
	"testing"
)

// TestHeadingsOfItems keeps the headings of sections that look alike, which are the
// items of a list, too.
func TestHeadingsOfItems(t *testing.T) {
	d, err := Data(`<h1>Tides</h1><section><h2>Spring</h2><p>High at full moon.</p></section><section><h2>Neap</h2><p>Low at half moon.</p></section>`, "https://example.com")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range d.Headings {
		all = append(all, h.Text)
	}
	if got := strings.Join(all, ", "); got != "Tides, Spring, Neap" {
		t.Errorf("headings: %s", got)
	}
}
