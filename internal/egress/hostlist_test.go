package egress

import (
	"strings"
	"testing"
)

func TestTheListOfAdHostsIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(adHosts) {
		entry, _, _ := strings.Cut(line, "#")
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		l := newHostList()
		if err := l.add(entry); err != nil {
			t.Errorf("%s: %v", entry, err)
		}
		if seen[entry] {
			t.Errorf("%s stands there twice", entry)
		}
		seen[entry] = true
	}
	for entry := range seen {
		for _, parent, ok := strings.Cut(entry, "."); ok; _, parent, ok = strings.Cut(parent, ".") {
			if seen[parent] {
				t.Errorf("%s stands below %s", entry, parent)
			}
		}
	}
	if len(seen) < 200 {
		t.Errorf("only %d entries", len(seen))
	}
}

func TestWhatPeopleWantIsNoAd(t *testing.T) {
	for _, name := range []string{
		"google.com", "www.google.com", "ads.google.com", "youtube.com", "facebook.com", "github.com", "cdn.jsdelivr.net", "fonts.googleapis.com",
		"ajax.googleapis.com", "www.gstatic.com", "login.microsoftonline.com", "amazon.com", "yandex.ru", "mail.ru", "reddit.com", "hotjar.com",
		"adserver", "com", "net", "localhost", "127.0.0.1", "::1", "", "example.com",
	} {
		if builtInAds().has(name) {
			t.Errorf("%q counts as an ad", name)
		}
	}
}

func TestHostsOfTheHostAreChecked(t *testing.T) {
	for _, entry := range []string{"", "http://x.test", "*.x.test", "a.b.*", ".*", "x.test/ads"} {
		if _, err := New(Options{BlockHosts: []string{"fine.test", entry}}); err == nil || !strings.Contains(err.Error(), "Options.BlockHosts[1]") {
			t.Errorf("%q: %v", entry, err)
		}
	}
}
