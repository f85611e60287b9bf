package lexicon

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var files = fstest.MapFS{"lexicon/colours.txt": {Data: []byte("# Of things.\nred: rot rouge\n  rosso\nblue: blau\n\nred: rojo blau\n")}}

func TestLists(t *testing.T) {
	if diff := cmp.Diff([]Entry{{"red", []string{"rot", "rouge", "rosso"}}, {"blue", []string{"blau"}}, {"red", []string{"rojo", "blau"}}}, Read(files, "colours")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"rot": "red", "rouge": "red", "rosso": "red", "blau": "red", "rojo": "red"}, ByWord(files, "colours")()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{"red": {"rojo", "blau"}, "blue": {"blau"}}, Listed(files, "colours")()); diff != "" {
		t.Error(diff)
	}
	if is := Is(files, "colours"); !is("red", "blau") || is("red", "rot") || is("green", "rot") {
		t.Error("a word is in the wrong list")
	}
	defer func() {
		if recover() == nil {
			t.Error("a list that is not there was read")
		}
	}()
	Read(files, "shapes")
}
