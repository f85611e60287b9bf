package egress

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func TestPoolTakesTurns(t *testing.T) {
	p, err := NewPool([]string{"http://u:p@10.0.0.1:3128", "socks5://b.example"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		got = append(got, p.Route(p.Turn()).Upstream.String())
	}
	if want := "http://10.0.0.1:3128 socks5://b.example:1080 http://10.0.0.1:3128"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
	var none *Pool
	if none.Len() != 0 || none.seat(Place{}) != nil {
		t.Error("a nil pool is not empty")
	}
	_, err = NewPool([]string{"http://a", "ftp://u:s3cr3t@b"})
	if pub := errtypes.Public(err); pub.Field != "Options.Proxies[1]" || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("%v", err)
	}
}

func TestRoutesOfRules(t *testing.T) {
	pool, err := NewPool([]string{"http://10.0.0.1:3128"})
	if err != nil {
		t.Fatal(err)
	}
	routes, err := testGate(t).Routes(pool, []ProxyRule{
		{Type: "none", DomainPattern: `^Direct\.`},
		{Type: "external", DomainPattern: "a|b", Server: "socks5://old:x@p.example", Username: "u", Password: "s3cr3t"},
		{Type: "managed", DomainPattern: "c"},
		{Type: "browserbase"},
	}, "proxies")
	if err != nil {
		t.Fatal(err)
	}
	r := newRules(Policy{Routes: routes}, newHostList(), nil)
	for host, want := range map[string]string{
		"direct.example": "", "DIRECT.example.": "", "B.x": "socks5://p.example:1080", "c": "http://10.0.0.1:3128", "z": "http://10.0.0.1:3128",
	} {
		got := ""
		if up := r.hop(host).up; up != nil {
			got = up.String()
		}
		if got != want {
			t.Errorf("%s goes through %q, want %q", host, got, want)
		}
	}
	if l := routes[1].Upstream.login(); l != (login{"u", "s3cr3t"}) || routes[1].Upstream.ofHost || !routes[3].Upstream.ofHost {
		t.Error("the login, or whose proxy it is, is wrong")
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		rule  ProxyRule
		field string
	}{
		"no type":           {ProxyRule{}, "p[0].type"},
		"unknown type":      {ProxyRule{Type: "tor"}, "p[0].type"},
		"no pool":           {ProxyRule{Type: "managed"}, "p[0].type"},
		"no server":         {ProxyRule{Type: "external"}, "p[0].server"},
		"bad server":        {ProxyRule{Type: "external", Server: "ftp://s3cr3t"}, "p[0].server"},
		"private server":    {ProxyRule{Type: "external", Server: "http://10.0.0.1:3128"}, "p[0].server"},
		"loopback server":   {ProxyRule{Type: "external", Server: "http://0x7f.1:3128"}, "p[0].server"},
		"metadata server":   {ProxyRule{Type: "external", Server: "http://169.254.169.254"}, "p[0].server"},
		"blocked port":      {ProxyRule{Type: "external", Server: "http://8.8.8.8:25"}, "p[0].server"},
		"bad user":          {ProxyRule{Type: "external", Server: "http://h", Username: "u\r\n", Password: "s3cr3t"}, "p[0].username"},
		"password alone":    {ProxyRule{Type: "external", Server: "http://h", Password: "s3cr3t"}, "p[0].username"},
		"no password":       {ProxyRule{Type: "external", Server: "socks5://h", Username: "u"}, "p[0].password"},
		"bad pattern":       {ProxyRule{Type: "none", DomainPattern: "("}, "p[0].domainPattern"},
		"lookahead":         {ProxyRule{Type: "none", DomainPattern: "(?!a)"}, "p[0].domainPattern"},
		"long pattern":      {ProxyRule{Type: "none", DomainPattern: long(1001)}, "p[0].domainPattern"},
		"explosive pattern": {ProxyRule{Type: "none", DomainPattern: "((a{100}){100}){100}"}, "p[0].domainPattern"},
		"none with server":  {ProxyRule{Type: "none", Server: "http://h"}, "p[0]"},
	} {
		_, err := testGate(t).Routes(nil, []ProxyRule{c.rule}, "p")
		if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.Invalid || pub.Field != c.field || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v, want one about %s", name, err, c.field)
		}
	}
	if _, err := testGate(t).Routes(nil, make([]ProxyRule, 101), "p"); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("101 rules: %v", err)
	}
}
