package egress_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

// refusals runs a request by both ways and returns what the caller is told.
func refusals(t *testing.T, g *egress.Gate, policy egress.Policy, rawURL string) (texts []string) {
	t.Helper()
	p, f := startProxy(t, g, policy)
	proxyURL, _ := url.Parse(p.URL())
	tr := &http.Transport{Proxy: http.ProxyURL(proxyURL)}
	resp, err := (&http.Client{Transport: tr}).Get(rawURL)
	if err == nil {
		if resp.StatusCode != http.StatusForbidden || resp.Header.Get(egress.RefusedHeader) == "" {
			t.Errorf("%s: the proxy answered %d %v", rawURL, resp.StatusCode, resp.Header)
		}
		resp.Body.Close()
	}
	tr.CloseIdleConnections()
	p.Close()
	if len(f.refused) != 1 || len(f.failed) != 0 {
		t.Fatalf("%s: refused %v, failed %v", rawURL, f.refused, f.failed)
	}
	d := g.Dialer(policy)
	_, err = (&http.Client{Transport: &http.Transport{Proxy: d.Proxy, DialContext: d.DialContext}}).Get(rawURL)
	for _, err := range []error{f.refused[0], err} {
		if !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: kind %s of %v", rawURL, errtypes.KindOf(err), err)
		}
		texts = append(texts, errtypes.Public(err).Message)
	}
	return texts
}

func TestPoliciesRefuse(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	domains := egress.Policy{AllowedDomains: []string{"Shop.test.", "127.0.0.1", "bücher.test"}}
	ads := egress.Policy{BlockAds: true}
	both := egress.Policy{AllowedDomains: []string{"doubleclick.net"}, BlockAds: true}
	through := egress.Policy{BlockAds: true, Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}}
	for _, c := range []struct {
		policy egress.Policy
		url    string
		want   string // empty: let through
	}{
		{domains, "http://evil.test/", "evil.test is refused: it is not one of the allowed domains (the setting allowedDomains)"},
		{domains, "https://evil.test/", "not one of the allowed domains"},
		{domains, "http://notshop.test/", "not one of the allowed domains"},
		{domains, "http://shop.test.evil.test/", "not one of the allowed domains"},
		{domains, "http://1.127.0.0.1.test/", "not one of the allowed domains"},
		{domains, "http://shop.test/", ""},
		{domains, "http://a.b.SHOP.test/", ""},
		{domains, "http://127.0.0.1/", ""},
		{domains, "http://xn--bcher-kva.test/", ""},
		{egress.Policy{AllowedDomains: []string{"http://shop.test/"}}, "http://shop.test/", "not one of the allowed domains"},
		{ads, "http://doubleclick.net/", "doubleclick.net is refused: it is known for advertising or tracking (the setting blockAds)"},
		{ads, "https://stats.g.doubleclick.net/", "advertising or tracking"},
		{ads, "https://www.google-analytics.com./", "advertising or tracking"},
		{ads, "https://adserver.test/", "advertising or tracking"},
		{ads, "https://ads.test/", "advertising or tracking"},
		{ads, "https://x.ads.test/", "advertising or tracking"},
		{ads, "https://banner9.shop.test/", "advertising or tracking"},
		{ads, "https://notdoubleclick.test/", ""},
		{ads, "https://banner9/", ""},
		{both, "https://doubleclick.net/", "advertising or tracking"},
		{both, "https://shop.test/", "not one of the allowed domains"},
		{through, "http://doubleclick.net/", "advertising or tracking"},
	} {
		g := gateFor(t, nil, "127.0.0.1/32")
		if c.want == "" {
			if err := g.Dialer(c.policy).Check(strings.Trim(strings.SplitN(c.url, "/", 3)[2], "/")); err != nil {
				t.Errorf("%s: %v", c.url, err)
			}
			continue
		}
		for _, text := range refusals(t, g, c.policy, c.url) {
			if !strings.Contains(text, c.want) {
				t.Errorf("%s: %q, want %q", c.url, text, c.want)
			}
		}
	}
	if asked := behind.Asked(); len(asked) != 0 {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

func TestPolicyValidate(t *testing.T) {
	if err := (egress.Policy{AllowedDomains: []string{"a.test", "bücher.test", "127.0.0.1", "[::1]"}}).Validate(); err != nil {
		t.Error(err)
	}
	for _, d := range []string{"", "http://a.test", "a.test/", "*.a.test", "a.test:80", "a b", "a..test", "a.test:", "a@b.test"} {
		err := egress.Policy{AllowedDomains: []string{d}}.Validate()
		if pub := errtypes.Public(err); err == nil || pub.Field != "allowedDomains" {
			t.Errorf("%q: %v", d, err)
		}
	}
	if err := (egress.Policy{AllowedDomains: slices.Repeat([]string{"a.test"}, 1001)}).Validate(); err == nil {
		t.Error("1001 domains pass")
	}
}

func TestNothingPrivateIsReachedThroughAProxy(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	socks := egresstest.Start(t, "socks5", "", "")
	g := gateFor(t, nil)
	for _, u := range []string{behind.URL, socks.URL} {
		own := upstream(t, u).OfHost()
		policy := egress.Policy{Routes: []egress.Route{{Upstream: &own}}}
		for _, raw := range []string{
			"http://10.0.0.1/", "https://10.0.0.1/", "http://169.254.169.254/latest/", "http://[::1]/", "https://[::ffff:10.0.0.1]/",
			"http://localhost/", "https://a.localhost./", "http://inside.private.test/", "https://inside.private.test/", "http://2130706434/",
			"http://shop.test:25/", "https://shop.test:22/", "http://127.0.0.1/",
		} {
			for _, text := range refusals(t, g, policy, raw) {
				if !strings.Contains(text, "refused") && !strings.Contains(text, "cannot be given") {
					t.Errorf("%s: %q", raw, text)
				}
			}
		}
	}
	if asked := append(behind.Asked(), socks.Asked()...); len(asked) != 0 {
		t.Errorf("the proxies were asked for %q", asked)
	}
}
