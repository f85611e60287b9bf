package link

import (
	"context"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/internal/effort"
)

func meter() *effort.Meter { return effort.NewMeter(context.Background(), "convert", 1<<30) }

var refPieces = []string{"", "a", "b.html", "/", "//", "..", ".", "?", "#", ":", "x=1", "&", "%41", "%", "%2e", "%2E%2e", " ", "\t", "\\", "é",
	"http:", "https://", "HTTPS://", "host", "Example.COM", "host.example", ":8080", ":443", "@", "user", "[::1]", "1.2.3.4", "0x7f.1", "xn--a",
	"mailto:", "javascript:", "data:", "file:///", "(", ")", "'", "\"", "<", ">", "|", "^", "`", "{", "[", "]", "+", "~", "*", ";", ",", "!", "$"}

func randomRef(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(refPieces[r.IntN(len(refPieces))])
	}
	return b.String()
}

// checkJoin holds the short way to resolve an address against the long one.
func checkJoin(t *testing.T, base, ref string) (short bool) {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	r := NewResolver(meter(), u, "")
	got, ok := r.join(ref)
	if !ok {
		return false
	}
	full := r.parse(ref)
	if full == nil {
		t.Fatalf("%q against %q: joined to %q, but it does not parse", ref, base, got)
	}
	if want := full.String(); got != want {
		t.Fatalf("%q against %q: %q, want %q", ref, base, got, want)
	}
	return true
}

var bases = []string{"https://example.com", "https://example.com/", "http://example.com:8080/a/b?c=d#e", "https://example.com/a/b/", "https://example.com//x?y"}

func TestJoinIsWhatParsingGives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	short := 0
	for range 40_000 {
		if checkJoin(t, bases[r.IntN(len(bases))], randomRef(r)) {
			short++
		}
	}
	if short < 4_000 {
		t.Errorf("only %d of 40000 addresses took the short way", short)
	}
}

func FuzzJoin(f *testing.F) {
	for _, ref := range []string{"", "#a", "?b", "/c", "d/e", "https://e.org", "//f", "g:h"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		for _, base := range bases {
			checkJoin(t, base, ref)
		}
	})
}

func TestOrdinaryLinksTakeTheShortWay(t *testing.T) {
	r := NewResolver(meter(), &url.URL{Scheme: "https", Host: "example.com", Path: "/wiki/Page"}, "")
	for _, ref := range []string{"/wiki/Page_(disambiguation)", "#cite_note-1", "other.html", "?a=b&c=%20", "https://example.org/x?y#z", "", "https://example.org"} {
		if _, ok := r.join(ref); !ok {
			t.Errorf("%q takes the long way", ref)
		}
	}
}

func TestResolveRefusesLongAddresses(t *testing.T) {
	r := NewResolver(meter(), &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, "")
	if got := r.Resolve("/" + strings.Repeat("a", maxURL)); got != "" {
		t.Errorf("an address of %d bytes", len(got))
	}
	if got := r.Resolve("/" + strings.Repeat("é", maxURL/4)); got != "" {
		t.Errorf("an address of %d bytes once encoded", len(got))
	}
	long := NewResolver(meter(), nil, "https://example.com/"+strings.Repeat("a", maxBase))
	if long.base != nil {
		t.Error("a base of any length is taken")
	}
}

func TestLocalAddressesAreDropped(t *testing.T) {
	with := NewResolver(meter(), &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, "")
	without := NewResolver(meter(), nil, "")
	for _, ref := range []string{"file:///etc/passwd", "FILE:x", " java\nscript:alert(1)", "data:text/html,x", "about:blank", "view-source:https://e.org"} {
		if got := with.Resolve(ref); got != "" {
			t.Errorf("%q on a page: %q", ref, got)
		}
		if got := without.Resolve(ref); got != "" {
			t.Errorf("%q without base: %q", ref, got)
		}
	}
	for ref, want := range map[string]string{
		"mailto:a@b.example": "mailto:a@b.example",
		"//e.org/\u00e9":     "https://e.org/%C3%A9",
		"https://u@e.org":    "https://u@e.org/",
		"http://[::1":        "", // no browser follows it
	} {
		if got := with.Resolve(ref); got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}
