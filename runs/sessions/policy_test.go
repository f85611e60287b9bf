package sessions

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// way is a route in words: its pattern and whether a proxy is on it.
func way(r egress.Route) string {
	pattern, to := "*", "direct"
	if r.Domain != nil {
		pattern = r.Domain.String()
	}
	if r.Upstream != nil {
		to = "proxy"
	}
	return pattern + " " + to
}

func TestSettingsBecomeAPolicy(t *testing.T) {
	t.Parallel()
	pool, err := egress.NewPool([]string{"http://u:geheim@127.0.0.1:3128"})
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Gate: chrometest.LocalGate(), Proxies: pool}
	for name, test := range map[string]struct {
		p    Proxies
		want string
	}{
		"none":    {Proxies{}, ""},
		"managed": {Proxies{Managed: true}, "* proxy"},
		"rules": {Proxies{Rules: []ProxyRule{
			{Type: "none", DomainPattern: `\.direct\.example$`}, {Type: "external", Server: "socks5://proxy.example:1080", Username: "u", Password: "geheim", DomainPattern: "^a"}, {Type: "browserbase"},
		}}, `(?i)\.direct\.example$ direct, (?i)^a proxy, * proxy`},
	} {
		p, err := c.policy(Settings{Proxies: test.p, BlockAds: true, AllowedDomains: []string{"a.example"}})
		var got []string
		for _, r := range p.Routes {
			got = append(got, way(r))
		}
		if err != nil || strings.Join(got, ", ") != test.want || !p.BlockAds || len(p.AllowedDomains) != 1 {
			t.Errorf("%s: %q %+v %v", name, got, p, err)
		}
		if strings.Contains(fmt.Sprintf("%+v", p), "geheim") {
			t.Errorf("%s: a password is printed", name)
		}
	}
	_, err = c.policy(Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "external", Server: "http://10.0.0.1:1"}}}})
	var e *errtypes.Error
	if !errors.As(err, &e) || e.Field != "proxies[0].server" {
		t.Errorf("a proxy in a private network: %v", err)
	}
}
