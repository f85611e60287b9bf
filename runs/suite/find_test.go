package suite

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/internal/outline"
)

const view = `[page 1]
URL: "http://x/"
Title: ""
- button "Save" [e1]
- table "Boats"
  - row
    - cell "Astrid"
    - cell
      - button "Edit" [e2]
  - row
    - cell "Boreas / 2"
    - cell
      - button "Edit" [e3]
- link "Save" [e4]
- text "Save"
- button [e5]
[end of page 1]`

func TestElementsAreFoundByRoleAndName(t *testing.T) {
	t.Parallel()
	v, ok := outline.Parse(view)
	if !ok {
		t.Fatal("no view")
	}
	for text, want := range map[string]string{
		"button Save": "e1", "link Save": "e4", "button Edit #2": "e3", "button": "e5", "button S*e": "e1", "* Save #2": "e4",
		"row {Astrid} > button Edit": "e2", "table Boats > row {Boreas / 2} > button Edit": "e3", "row {Boreas*} > button Edit": "e3",
		"button Sav": "", "button Edit #3": "", "row {Calypso} > button Edit": "", "row {Astrid} > link Save": "", "text Save": "",
	} {
		if got, err := find(v.Lines, text); got != want || err != nil {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
	if _, err := find(v.Lines, "button Edit"); err == nil || !strings.Contains(err.Error(), "there are 2") {
		t.Errorf("%v", err)
	}
}
