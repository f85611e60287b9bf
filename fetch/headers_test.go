package fetch

import (
	"net/http"
	"testing"
	"unicode/utf8"
)

func TestHeadersBecomeText(t *testing.T) {
	got := flatten(http.Header{
		"X-Latin": {"caf\xe9"},
		"X-Utf":   {"caf\u00e9 \u4e2d"},
		"X-Mixed": {"\u00e9", "\xe9"},
		"X-Bytes": {"\x80\xff\xa0"},
	})
	want := map[string]string{
		"x-latin": "caf\u00e9",
		"x-utf":   "caf\u00e9 \u4e2d",
		"x-mixed": "\u00c3\u00a9, \u00e9", // one reading for all of a name
		"x-bytes": "\u0080\u00ff\u00a0",
	}
	for name, text := range want {
		if got[name] != text || !utf8.ValidString(got[name]) {
			t.Errorf("%s: %q, want %q", name, got[name], text)
		}
	}
}

// TestNoByteOfAHeaderIsLost turns all that is not UTF-8 back into its bytes.
func TestNoByteOfAHeaderIsLost(t *testing.T) {
	var all []byte
	for c := 0x20; c < 0x100; c++ {
		all = append(all, byte(c))
	}
	var back []byte
	for _, r := range headerText(string(all)) {
		back = append(back, byte(r))
	}
	if string(back) != string(all) {
		t.Errorf("got %q", back)
	}
}
