package shorten_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/shorten"
)

func TestBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aé", 2, "a…"}, {"éé", 1, "…"}, {"日本", 5, "日…"}, {"\x80\x80\x80", 2, "…"}, {"a", 0, "…"},
	} {
		if got := shorten.Bytes(c.text, c.n); got != c.want {
			t.Errorf("%q to %d: %q", c.text, c.n, got)
		}
		if got := shorten.Prefix(c.text, c.n); got != strings.TrimSuffix(c.want, "…") {
			t.Errorf("the prefix of %q to %d: %q", c.text, c.n, got)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	if got := shorten.Line(" a\n b\tc ", 4); got != "a b…" {
		t.Errorf("got %q", got)
	}
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 1, ""}, {"日本", 2, "日本"}, {"日本語", 2, "日…"}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"},
	} {
		if got := shorten.Characters(c.text, c.n); got != c.want {
			t.Errorf("%q to %d: %q", c.text, c.n, got)
		}
	}
}
