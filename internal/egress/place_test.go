package egress

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// placed are four proxies, of which one says nothing of its place.
var placed = []string{
	"http://a.example#country=us&state=NY&city=New+York", "socks5://u:p@b.example#country=DE&city=Berlin",
	"http://c.example", "http://d.example#city=K%C3%B6ln&country=DE",
}

func TestAProxyIsFoundByItsPlace(t *testing.T) {
	t.Parallel()
	p, err := NewPool(placed)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Places(), ", "); got != "DE/Berlin, DE/Köln, US/NY/New York" {
		t.Errorf("places: %s", got)
	}
	for asked, want := range map[Place]string{
		{}: "a b c d", {Country: "DE"}: "b d", {Country: "de", City: "berlin"}: "b", {Country: "US", State: "ny"}: "a",
		{Country: "US", State: "NY", City: "NEW YORK"}: "a", {Country: "US", City: "Boston"}: "", {Country: "FR"}: "", {Country: "DE", State: "BE"}: "",
	} {
		var got []string
		for _, number := range p.at(asked) {
			got = append(got, p.upstreams[number].host[:1])
		}
		if strings.Join(got, " ") != want || p.Has(asked) != (want != "") {
			t.Errorf("%v: %v, want %s", asked, got, want)
		}
	}
	var none *Pool
	if none.Has(Place{}) || none.Places() != nil || none.Aside() != nil {
		t.Error("a nil pool has places")
	}
}

// A session changes its proxy for none of another place, whoever asks for others
// meanwhile.
func TestTurnsAtAPlace(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Unix(0, 0))
	p, err := NewPoolWith(placed, PoolOptions{Clock: hands})
	if err != nil {
		t.Fatal(err)
	}
	germany := func() string {
		t.Helper()
		routes, err := testGate(t).Routes(p, []ProxyRule{
			{Type: "managed", DomainPattern: "x", Place: Place{Country: "DE"}}, {Type: "browserbase", Place: Place{Country: "de"}}, {Type: "managed", DomainPattern: "y", Place: Place{Country: "US"}},
		}, "proxies")
		if err != nil {
			t.Fatal(err)
		}
		if routes[0].seat != routes[1].seat || routes[2].proxy().host != "a.example" {
			t.Error("rules of one place go through several proxies, or of several places through one")
		}
		return routes[0].proxy().host[:1]
	}
	if got := []string{germany(), germany(), germany()}; !slices.Equal(got, []string{"b", "d", "b"}) {
		t.Errorf("turns: %v", got)
	}
	s := p.seat(Place{Country: "DE"})
	if s.proxy().host != "d.example" {
		t.Fatalf("it begins at %s", s.proxy())
	}
	if ok := s.leave(s.proxy()); !ok || s.proxy().host != "b.example" {
		t.Errorf("it went on to %s", s.proxy())
	}
	if ok := s.leave(s.proxy()); ok || s.proxy().host != "b.example" {
		t.Errorf("with none left in the country it went on to %s", s.proxy())
	}
	if _, err := testGate(t).Routes(p, []ProxyRule{{Type: "managed", Place: Place{Country: "FR"}}}, "p"); err == nil || !strings.Contains(err.Error(), "p[0].geolocation") {
		t.Errorf("a place without a proxy: %v", err)
	}
}

// Who looks whether something could be done takes nobody's turn.
func TestAPoolAside(t *testing.T) {
	t.Parallel()
	p, err := NewPool(placed)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.Aside().seat(Place{})
	}
	if n := p.Turn(); n != 0 {
		t.Errorf("it is the turn of %d", n)
	}
}

// What is wrong behind the URL is said, and nothing of it: it may be of a
// password.
func TestMarksOfPlacesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"", "s3cr3t@host", "country=", "country=Germany", "country=DE&s3cr3t=x", "country=DE&country=US", "city=Berlin", "country=DE&city=" + long(101), "country=%zz"} {
		_, err := NewPool([]string{"http://u:pw@a.example#" + mark})
		if err == nil || !strings.Contains(err.Error(), "Options.Proxies[0]") || strings.Contains(err.Error(), "s3cr3t") || strings.Contains(err.Error(), "pw") {
			t.Errorf("%q: %v", mark, err)
		}
	}
}
