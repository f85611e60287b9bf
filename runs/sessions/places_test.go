package sessions

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// at are settings that ask for a proxy somewhere.
func at(g Geolocation) Settings {
	return Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "browserbase", Geolocation: &g}}}}
}

func TestAPlaceIsThatOfAProxyOrRefused(t *testing.T) {
	t.Parallel()
	pool := must(egress.NewPool([]string{"http://de.example#country=DE&city=Berlin", "http://us.example#country=US", "http://any.example"}))(t)
	c := Config{Gate: chrometest.LocalGate(), Proxies: pool}
	for _, g := range []Geolocation{{Country: "DE"}, {Country: "de", City: "berlin"}, {Country: "US"}} {
		if p, err := c.policy(at(g)); err != nil || !strings.HasPrefix(p.Routes[0].Upstream.String(), "http://"+strings.ToLower(g.Country)) {
			t.Errorf("%+v: %+v %v", g, p, err)
		}
	}
	for _, test := range []struct {
		s           Settings
		pool        *egress.Pool
		field, says string
	}{
		{at(Geolocation{Country: "FR"}), pool, "proxies[0].geolocation", "there are some in DE/Berlin, US"},
		{at(Geolocation{Country: "US", State: "NY"}), pool, "proxies[0].geolocation", "is where no proxy of this host is"},
		{at(Geolocation{Country: "DE"}), must(egress.NewPool([]string{"http://any.example"}))(t), "proxies[0].geolocation", "is not supported"},
		{at(Geolocation{}), pool, "proxies[0].geolocation.country", "two letters"},
		{at(Geolocation{Country: "DE", City: "a\n"}), pool, "proxies[0].geolocation.city", "a name"},
		{Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "none", Geolocation: &Geolocation{Country: "DE"}}}}}, pool, "proxies[0]", "only with the type"},
		{Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "external", Server: "http://p", Geolocation: &Geolocation{Country: "DE"}}}}}, pool, "proxies[0]", "only with the type"},
	} {
		c.Proxies = test.pool
		if pub := errtypes.Public(c.check(test.s)); pub == nil || pub.Field != test.field || !strings.Contains(pub.Message, test.says) {
			t.Errorf("%+v: %v, want %s: %s", test.s.Proxies, pub, test.field, test.says)
		}
	}
	if kept := at(Geolocation{Country: "DE"}).Proxies.Stored(); kept.Rules[0].Geolocation == nil {
		t.Error("the place is not kept")
	}
}

// Sessions go through the proxies in turn: that settings are looked at first is
// nobody's turn.
func TestSessionsTakeTurns(t *testing.T) {
	t.Parallel()
	c := Config{Gate: chrometest.LocalGate(), Proxies: must(egress.NewPool([]string{"http://a.example", "http://b.example"}))(t)}
	s := Settings{Proxies: Proxies{Managed: true}}
	var got []string
	for range 3 {
		if err := c.check(s); err != nil {
			t.Fatal(err)
		}
		got = append(got, must(c.policy(s))(t).Routes[0].Upstream.String())
	}
	if want := "http://a.example:80 http://b.example:80 http://a.example:80"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}
