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
		// What sites are made of: their own hosts, log-ins, payments, maps, pictures.
		"accounts.google.com", "maps.googleapis.com", "translate.google.com", "storage.googleapis.com", "www.recaptcha.net", "i.ytimg.com",
		"www.facebook.com", "connect.facebook.net", "static.xx.fbcdn.net", "scontent.cdninstagram.com", "abs.twimg.com", "platform.twitter.com", "x.com", "t.co",
		"www.linkedin.com", "media.licdn.com", "static.licdn.com", "www.bing.com", "outlook.office.com", "login.live.com", "m.media-amazon.com",
		"images-na.ssl-images-amazon.com", "www.tiktok.com", "www.pinterest.com", "i.pinimg.com", "www.reddit.com", "i.redd.it", "www.redditmedia.com",
		"www.snapchat.com", "www.yahoo.com", "s.yimg.com", "en.wikipedia.org", "upload.wikimedia.org", "www.bbc.co.uk", "www.nytimes.com", "www.spiegel.de",
		"cdn.shopify.com", "js.stripe.com", "www.paypal.com", "www.paypalobjects.com", "js.hcaptcha.com", "challenges.cloudflare.com", "cdnjs.cloudflare.com",
		"unpkg.com", "use.typekit.net", "player.vimeo.com", "open.spotify.com", "www.twitch.tv", "www.netflix.com", "www.ebay.com", "www.booking.com",
		"app.hubspot.com", "forms.hsforms.com", "www.salesforce.com", "www.zoominfo.com", "docs.newrelic.com", "www.quora.com", "unity3d.com", "app.segment.com",
		"mixpanel.com", "amplitude.com", "www.fullstory.com", "www.optimizely.com", "branch.io", "www.adobe.com", "www.baidu.com", "www.qq.com", "www.taobao.com",
		"www.naver.com", "www.daum.net", "yandex.com", "vk.com", "www.media.net", "buysellads.com", "business.facebook.com", "ads.tiktok.com",
		// Names that only look like those of ads.
		"adsl.example.com", "adserverless.dev", "loads.example.com", "notdoubleclick.net", "doubleclick.net.example.com", "myadserver.example.com",
		"adserver", "com", "net", "localhost", "127.0.0.1", "::1", "", "example.com",
	} {
		if builtInAds().has(name) {
			t.Errorf("%q counts as an ad", name)
		}
	}
}

func TestWhatMeasuresPeopleIsKnown(t *testing.T) {
	for _, name := range []string{
		"www.google-analytics.com", "stats.g.doubleclick.net", "pagead2.googlesyndication.com", "bat.bing.com", "px.ads.linkedin.com", "analytics.tiktok.com",
		"cdn.taboola.com", "ib.adnxs.com", "static.criteo.net", "script.hotjar.com", "c.clarity.ms", "adserver.example.com", "static.cloudflareinsights.com", "hm.baidu.com",
	} {
		if !builtInAds().has(name) {
			t.Errorf("%q is not known", name)
		}
	}
}

func TestReadHosts(t *testing.T) {
	const file = "\ufeff# a list\r\n127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n255.255.255.255 broadcasthost\n0.0.0.0 0.0.0.0\n" +
		"0.0.0.0 ads.example track.example # both\n\n  plain.example\t\nadbanner7.*\nintranet\nb\u00fccher.example"
	got, err := ReadHosts(strings.NewReader(file))
	want := "ads.example track.example plain.example adbanner7.* intranet b\u00fccher.example"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v", got, err)
	}
	g, err := New(Options{BlockHosts: got, BlockHostsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	d := g.Dialer(Policy{BlockAds: true})
	for host, blocked := range map[string]bool{
		"x.ads.example": true, "adbanner7.shop.example": true, "xn--bcher-kva.example": true, "localhost": false, "example": false, "doubleclick.net": false,
	} {
		if err := d.Check(host); (err != nil) != blocked {
			t.Errorf("%s: %v", host, err)
		}
	}
	for text, want := range map[string]string{
		"fine.example\nhttp://x.example/":           "line 2 of the list of hosts must be a host",
		"one.example two.example":                   "line 1 of the list of hosts must be one host",
		"||ads.example^":                            "line 1",
		"0.0.0.0 a..b":                              "line 1",
		"a.example\n" + strings.Repeat("x", 65<<10): "cannot be read after line 1",
	} {
		if _, err := ReadHosts(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
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

func FuzzReadHosts(f *testing.F) {
	for _, seed := range []string{"0.0.0.0 a.example b.example # c\n::1 localhost", "a.example\r\nad.*", "\ufeffx", "1.2.3.4", "a b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hosts, err := ReadHosts(strings.NewReader(text))
		if err != nil && hosts != nil {
			t.Fatal("hosts beside an error")
		}
		if _, err := New(Options{BlockHosts: hosts}); err != nil { // what is read is taken
			t.Fatal(err)
		}
	})
}
