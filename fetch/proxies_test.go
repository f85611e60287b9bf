package fetch_test

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

func pool(t testing.TB, urls ...string) *egress.Pool {
	t.Helper()
	p, err := egress.NewPool(urls)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serveTLS is serve with TLS and HTTP/2.
func serveTLS(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestFetchThroughTheConfiguredProxies(t *testing.T) {
	for _, scheme := range []string{"http", "socks5"} {
		one, two := egresstest.Start(t, scheme, "u", "p"), egresstest.Start(t, scheme, "", "")
		s := open(t, fetch.Config{Proxies: pool(t, one.URL, two.URL)})
		h := func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, r.Proto+r.Header.Get("Proxy-Authorization"))
		}
		plain, secure := serve(t, h), serveTLS(t, h)
		for range 2 {
			if a := get(t, s, plain, fetch.Options{Proxies: true}); a.Content != "HTTP/1.1" || a.URL != plain+"/" {
				t.Errorf("%s, http: %+v", scheme, a)
			}
		}
		for range 2 {
			if a := get(t, s, secure, fetch.Options{Proxies: true, AllowInsecureSSL: true}); a.Content != "HTTP/2.0" {
				t.Errorf("%s, https: %+v", scheme, a)
			}
		}
		fails(t, s, secure, fetch.Options{Proxies: true}, errtypes.BadGateway, "TLS certificate verification failed")
		if len(one.Asked()) != 2 || len(two.Asked()) != 2 {
			t.Errorf("%s: the proxies did not take turns: %q, %q", scheme, one.Asked(), two.Asked())
		}
		get(t, s, plain, fetch.Options{})
		if asked := slices.Concat(one.Asked(), two.Asked()); len(asked) != 4 {
			t.Errorf("%s: a fetch without proxies went through one: %q", scheme, asked)
		}
	}
}

// A fetch whose proxy cannot be reached goes through the next one, with that
// one's log-in.
func TestAFetchTriesTheNextProxy(t *testing.T) {
	for _, scheme := range []string{"http", "socks5"} {
		const dead = "127.0.0.99:9" // the port of a closed server may be the next one's
		live := egresstest.Start(t, scheme, "u", "p")
		plain, secure := serve(t, page("text/plain", "content")), serveTLS(t, page("text/plain", "content"))
		for _, target := range []string{plain, secure} {
			for name, o := range map[string]fetch.Options{"proxies": {Proxies: true}, "rules": {ProxyRules: []fetch.ProxyRule{{Type: "managed"}}}} {
				at := scheme + "://me:s3cr3t@" + dead
				s := open(t, fetch.Config{Proxies: pool(t, at, live.URL)})
				o.AllowInsecureSSL = true
				for range 3 {
					if a := get(t, s, target, o); a.StatusCode != 200 || a.Content != "content" {
						t.Errorf("%s, %s, %s: %+v", scheme, target, name, a)
					}
				}
				s = open(t, fetch.Config{Proxies: pool(t, at, at)})
				fails(t, s, target, o, errtypes.BadGateway, "the configured proxy cannot be reached")
			}
		}
	}
}

func TestStreamsGoThroughProxies(t *testing.T) {
	p := egresstest.Start(t, "http", "", "")
	s := open(t, fetch.Config{Proxies: pool(t, p.URL)})
	stream, err := s.Open(t.Context(), serve(t, page("text/plain", "content")), fetch.Options{Proxies: true})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if got, err := io.ReadAll(stream.Body); err != nil || string(got) != "content" || len(p.Asked()) != 1 {
		t.Errorf("%q, %v, asked %q", got, err, p.Asked())
	}
}

func TestFetchByRules(t *testing.T) {
	managed, external := egresstest.Start(t, "http", "", ""), egresstest.Start(t, "socks5", "me", "s3cr3t")
	s := open(t, fetch.Config{Proxies: pool(t, managed.URL)})
	rules := []fetch.ProxyRule{
		{Type: "external", DomainPattern: `^127\.0\.0\.1$`, Server: external.Server, Username: "me", Password: "s3cr3t"},
		{Type: "none", DomainPattern: "localhost"},
		{Type: "managed"},
	}
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://elsewhere.invalid/x", http.StatusFound)
			return
		}
		io.WriteString(w, r.Host)
	})
	host := strings.TrimPrefix(target, "http://")
	if a := get(t, s, target, fetch.Options{ProxyRules: rules}); a.Content != host {
		t.Errorf("%+v", a)
	}
	// A redirect goes by the rule of its own host. That name is unknown here, so
	// the proxy is asked, and does not know it either.
	a, err := s.Get(t.Context(), target+"/away", fetch.Options{ProxyRules: rules, AllowRedirects: true})
	if err != nil || a.StatusCode != http.StatusBadGateway { // the proxy's own page
		t.Errorf("%+v, %v", a, err)
	}
	if asked := external.Asked(); !slices.Equal(asked, []string{"SOCKS " + host}) {
		t.Errorf("the external proxy was asked for %q", asked)
	}
	if asked := managed.Asked(); !slices.Equal(asked, []string{"GET http://elsewhere.invalid/x"}) {
		t.Errorf("the managed proxy was asked for %q", asked)
	}
	if _, port, _ := net.SplitHostPort(host); get(t, s, "http://localhost:"+port, fetch.Options{ProxyRules: rules}).StatusCode != 200 {
		t.Error("the rule none does not go directly")
	}
}

func TestProxiesThatAreRefused(t *testing.T) {
	p := egresstest.Start(t, "http", "", "")
	url := serve(t, page("", "x"))
	external := func(server string) fetch.Options {
		return fetch.Options{ProxyRules: []fetch.ProxyRule{{Type: "external", Server: server}}}
	}
	none := open(t, fetch.Config{})
	fails(t, none, url, fetch.Options{Proxies: true}, errtypes.Invalid, "no proxy is configured")
	fails(t, none, url, fetch.Options{ProxyRules: []fetch.ProxyRule{{Type: "managed"}}}, errtypes.Invalid, "proxies[0].type")
	fails(t, none, url, external("http://127.0.0.2:8"), errtypes.Invalid, "proxies[0].server")
	fails(t, none, url, external("http://10.0.0.1:8"), errtypes.Invalid, "private")
	s := open(t, fetch.Config{Proxies: pool(t, p.URL)})
	fails(t, s, url, fetch.Options{Proxies: true, ProxyRules: []fetch.ProxyRule{{Type: "none"}}}, errtypes.Invalid, "proxies")
	away := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.URL.Query().Get("to")+"/", http.StatusFound)
	})
	for _, host := range []string{"127.0.0.2", "10.0.0.1", "169.254.169.254", "[::1]", "0x7f000002"} {
		for _, o := range []fetch.Options{{Proxies: true}, external(p.Server)} {
			o.AllowRedirects = true
			fails(t, s, "http://"+host+"/", o, errtypes.Invalid, "refused")
			fails(t, s, "https://"+host+"/", o, errtypes.Invalid, "refused")
			fails(t, s, away+"/?to="+host, o, errtypes.Invalid, "refused")
		}
	}
	for _, asked := range p.Asked() {
		if !strings.HasPrefix(asked, "GET "+away) {
			t.Errorf("the proxy was asked for %s", asked)
		}
	}
}

func TestProxiesThatFail(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	withLogin := egresstest.Start(t, "http", "me", "right")
	socks := egresstest.Start(t, "socks5", "me", "right")
	plain, secure := serve(t, page("", "x")), serveTLS(t, page("", "x"))
	var log bytes.Buffer
	debug := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for proxy, want := range map[string]string{
		"http://" + closed.Addr().String():                                                             "the configured proxy cannot be reached",
		strings.Replace(withLogin.Server, "//", "//me:s3cr3t@", 1):                                     "the configured proxy wants a user name and a password",
		strings.Replace(socks.Server, "//", "//me:s3cr3t@", 1):                                         "the configured proxy wants a user name and a password",
		"https://me:s3cr3t@" + strings.TrimPrefix(plain, "http://"):                                    "its TLS handshake failed",
		"socks5://me:s3cr3t@" + strings.TrimPrefix(answerRaw(t, "HTTP/1.1 400 no\r\n\r\n"), "http://"): "sent no SOCKS5 answer",
	} {
		s := open(t, fetch.Config{Proxies: pool(t, proxy), Logger: debug})
		for _, url := range []string{plain, secure} {
			o := fetch.Options{Proxies: true, AllowInsecureSSL: true}
			fails(t, s, url, o, errtypes.BadGateway, want)
			_, err := s.Get(t.Context(), url, o)
			if strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the error tells the password: %v", err)
			}
		}
	}
	if strings.Contains(log.String(), "s3cr3t") || !strings.Contains(log.String(), closed.Addr().String()) {
		t.Errorf("the log tells the password, or not which proxy failed:\n%s", log.String())
	}
}
