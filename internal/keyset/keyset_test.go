package keyset

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

var codec = New([]byte("0123456789abcdef0123456789abcdef"))

func TestCursorReturnsItsPosition(t *testing.T) {
	for _, p := range []Position{{}, {At: 1, ID: "x"}, {At: -5, ID: strings.Repeat("i", 36)}, {At: 1 << 62}} {
		got, err := codec.Decode(codec.Encode(p, "agents", "p1"), "agents", "p1")
		if err != nil || got != p {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
	}
}

func TestCursorIsRefusedElsewhere(t *testing.T) {
	cursor := codec.Encode(Position{1, "x"}, "agents", "p1", "")
	for _, scope := range [][]string{{}, {"agents", "p1"}, {"agents", "p2", ""}, {"runs", "p1", ""}, {"agents", "p1", "", ""}} {
		if _, err := codec.Decode(cursor, scope...); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("scope %q: %v", scope, err)
		}
	}
	if _, err := New([]byte("other")).Decode(cursor, "agents", "p1", ""); err == nil {
		t.Error("another key's cursor is taken")
	}
}

func TestForgedCursorsAreRefused(t *testing.T) {
	cursor := codec.Encode(Position{1, "x"}, "agents")
	forged := []string{"", "x", "====", cursor + "A", cursor[1:], cursor[:len(cursor)-1], strings.Repeat("A", 10_000)}
	for i := range cursor { // every single character
		c := byte('A')
		if cursor[i] == c {
			c = 'B'
		}
		forged = append(forged, cursor[:i]+string(c)+cursor[i+1:])
	}
	for _, bad := range forged {
		if p, err := codec.Decode(bad, "agents"); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %+v, %v", bad, p, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(codec.Encode(Position{1, "x"}, "agents"))
	f.Add("")
	f.Fuzz(func(t *testing.T, cursor string) {
		p, err := codec.Decode(cursor, "agents")
		if err == nil && codec.Encode(p, "agents") != cursor {
			t.Errorf("%q is taken but not what is written for %+v", cursor, p)
		}
	})
}
