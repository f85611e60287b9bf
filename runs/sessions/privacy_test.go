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
	if diff := cmp.Diff(want, end()); diff != "" {
		t.Error(diff)
	}
	if p.hides() || !p.hidesFrames() {
		t.Error("what was typed may be on the screen still")
	}
}

func TestNoFrameIsLostWhereNothingWasTyped(t *testing.T) {
	var p privacy
	end := p.begin()
	p.heard(act{Type: "mouse", Action: "down"})
	if all := end(); all != nil || p.hidesFrames() {
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
	if all := end(); len(all) != 1 {
		t.Errorf("%d texts", len(all))
	}
}
