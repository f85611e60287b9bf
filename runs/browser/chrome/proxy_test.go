package chrome

import (
	"errors"
	"strings"
	"testing"
)

func TestFailuresAreRememberedByTarget(t *testing.T) {
	t.Parallel()
	var f failures
	reason := errors.New("no answer")
	f.add("Host.Test:80", reason)
	f.add("[::1]:443", reason)
	for url, want := range map[string]bool{
		"http://host.test/": true, "http://host.test:80/x": true, "http://host.test:81/": false, "https://host.test/": false,
		"https://[::1]/": true, "http://other.test/": false, "": false, "::": false,
	} {
		if got := f.of(url) != nil; got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
	for i := range 3 * maxFailures {
		f.add(string(rune('a'+i%26))+strings.Repeat("x", i)+":80", reason)
	}
	if len(f.targets) > maxFailures {
		t.Errorf("%d are kept", len(f.targets))
	}
	f.clear()
	if f.of("http://host.test/") != nil {
		t.Error("not forgotten")
	}
}
