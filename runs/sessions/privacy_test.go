package sessions

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsOfAPersonAreKnown(t *testing.T) {
	var p privacy
	press := func(keys ...string) {
		for _, k := range keys {
			p.heard(act{Type: "key", Action: "down", Key: k})
			p.heard(act{Type: "key", Action: "up", Key: k})
		}
	}
	press("x") // nobody has it
	if p.hides() || p.hidesFrames() {
		t.Error("it hides before it begins")
	}
	end := p.begin()
	if !p.hides() || !p.hidesFrames() {
		t.Error("it does not hide")
	}
	p.heard(act{Type: "mouse", Action: "down"})
	press("h", "u", "n", "Shift", "t", "q", "Backspace", "e", "r", "ü")
	p.heard(act{Type: "mouse", Action: "move"})
	press("2", "Tab")
	p.heard(act{Type: "text", Text: "pasted"})
	p.heard(act{Type: "key", Action: "down", Key: "v", Modifiers: 2}) // a command
	press("Enter", "o", "k")
	p.heard(act{Type: "dialog", Text: "to a prompt"})
	press("l", "a", "s", "t")
	want := []string{"hunterü2", "pasted", "ok", "to a prompt", "last"}
	if diff := cmp.Diff(want, typedIn(end)); diff != "" {
		t.Error(diff)
	}
	if p.hides() || !p.hidesFrames() {
		t.Error("what was typed may be on the screen still")
	}
}

// typedIn ends a takeover.
func typedIn(end func(func(string))) (all []string) {
	end(func(text string) { all = append(all, text) })
	return all
}

func TestTwoTakeoversOfASession(t *testing.T) {
	var p privacy
	first := p.begin()
	p.heard(act{Type: "text", Text: "one"})
	p.heard(act{Type: "key", Action: "down", Key: "Tab"})
	second := p.begin()
	p.heard(act{Type: "text", Text: "two"})
	if diff := cmp.Diff([]string{"two"}, typedIn(second)); diff != "" || !p.hides() {
		t.Errorf("%s; private: %v", diff, p.hides())
	}
	p.heard(act{Type: "text", Text: "three"})
	var all []string
	first(func(text string) { all = append(all, text) })
	if diff := cmp.Diff([]string{"one", "twothree"}, all); diff != "" || p.hides() {
		t.Errorf("%s; private: %v", diff, p.hides())
	}
}

func TestNoFrameIsLostWhereNothingWasTyped(t *testing.T) {
	var p privacy
	end := p.begin()
	p.heard(act{Type: "mouse", Action: "down"})
	if all := typedIn(end); all != nil || p.hidesFrames() {
		t.Error(all)
	}
}

func TestTextsOfAPersonAreBounded(t *testing.T) {
	var p privacy
	end := p.begin()
	long := string(make([]byte, maxTyped-10))
	for range 3 {
		p.heard(act{Type: "text", Text: long})
		p.heard(act{Type: "key", Action: "down", Key: "Tab"})
		p.heard(act{Type: "text", Text: long + "x"})
		p.heard(act{Type: "key", Action: "down", Key: "Tab"})
	}
	if all := typedIn(end); len(all) != 1 {
		t.Errorf("%d texts", len(all))
	}
}
