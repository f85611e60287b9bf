package fetch_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
)

func TestRedirectIsTheAnswerUnlessFollowed(t *testing.T) {
	s := open(t, fetch.Config{})
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/end" {
				io.WriteString(w, "end")
				return
			}
			w.Header().Set("Location", "/end")
			w.WriteHeader(status)
			io.WriteString(w, "moved")
		})
		if a := get(t, s, url, fetch.Options{}); a.StatusCode != status || a.Headers["location"] != "/end" || a.Content != "moved" {
			t.Errorf("not followed: %+v", a)
		}
		if a := get(t, s, url, fetch.Options{AllowRedirects: true}); a.StatusCode != 200 || a.Content != "end" || a.URL != url+"/end" {
			t.Errorf("followed: %+v", a)
		}
	}
}

func TestLocationsAreReadAsBrowsersReadThem(t *testing.T) {
	s := open(t, fetch.Config{})
	var location string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "start") {
			w.Header().Set("Location", location)
			w.WriteHeader(302)
			return
		}
		fmt.Fprint(w, r.URL.RequestURI())
	})
	for _, test := range []struct{ location, want string }{
		{"/x", "/x"}, {"x", "/dir/x"}, {"../up", "/up"}, {`\back\slash`, "/back/slash"},
		{"/stray%", "/stray%25"}, {"/sp ace", "/sp%20ace"}, {"//" + strings.TrimPrefix(url, "http://") + "/y", "/y"},
	} {
		location = test.location
		if a := get(t, s, url+"/dir/start", fetch.Options{AllowRedirects: true}); a.Content != test.want {
			t.Errorf("%q leads to %q, want %q", test.location, a.Content, test.want)
		}
	}
	// Without a Location there is nowhere to go: the answer stands.
	location = ""
	if a := get(t, s, url+"/start", fetch.Options{AllowRedirects: true}); a.StatusCode != 302 {
		t.Errorf("%+v", a)
	}
}

func TestARedirectThatGivesUpHTTPSIsLogged(t *testing.T) {
	var log bytes.Buffer
	s := open(t, fetch.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	plain := serve(t, page("", "end"))
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stay" {
			http.Redirect(w, r, "/end?"+plain, http.StatusFound)
		} else if r.URL.Path == "/leave" {
			http.Redirect(w, r, plain, http.StatusFound)
		}
	}))
	t.Cleanup(server.Close)
	o := fetch.Options{AllowRedirects: true, AllowInsecureSSL: true}
	get(t, s, server.URL+"/stay", o)
	if log.Len() != 0 {
		t.Errorf("logged %q", log.String())
	}
	if a := get(t, s, server.URL+"/leave", o); a.Content != "end" || !strings.Contains(log.String(), "gave up https") {
		t.Errorf("%q, logged %q", a.Content, log.String())
	}
}

func TestRedirectsThatLeadNowhere(t *testing.T) {
	s := open(t, fetch.Config{MaxRedirects: 5})
	for name, test := range map[string]struct {
		to   string
		kind errtypes.Kind
	}{
		"file":          {"file:///etc/passwd", errtypes.BadGateway},
		"script":        {"javascript:alert(1)", errtypes.BadGateway},
		"refused":       {"http://127.0.0.2/", errtypes.Invalid},
		"refused port":  {"http://127.0.0.1:25/", errtypes.Invalid},
		"refused short": {"http://127.2/", errtypes.Invalid},
		"metadata":      {"http://169.254.169.254/latest/", errtypes.Invalid},
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", test.to)
			w.WriteHeader(302)
		})
		if _, err := s.Get(t.Context(), url, fetch.Options{AllowRedirects: true}); !errtypes.Is(err, test.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var hops atomic.Int32
	loop := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	_, err := s.Get(t.Context(), loop, fetch.Options{AllowRedirects: true})
	if !errtypes.Is(err, errtypes.BadGateway) || hops.Load() != 6 {
		t.Errorf("loop: %v after %d requests", err, hops.Load())
	}
}

func TestCookiesOfARedirectComeBackToItsSiteOnly(t *testing.T) {
	s := open(t, fetch.Config{})
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "cookies: "+r.Header.Get("Cookie"))
	}))
	t.Cleanup(other.Close)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch _, err := r.Cookie("seen"); {
		case r.URL.Path == "/away":
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			http.Redirect(w, r, elsewhere, http.StatusFound)
		case err != nil:
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			http.Redirect(w, r, "/", http.StatusFound)
		default:
			io.WriteString(w, "welcome")
		}
	})
	if a := get(t, s, url, fetch.Options{AllowRedirects: true}); a.Content != "welcome" {
		t.Errorf("%+v", a)
	}
	if a := get(t, s, url+"/away", fetch.Options{AllowRedirects: true}); a.Content != "cookies: " {
		t.Errorf("another host got %q", a.Content)
	}
	if a := get(t, s, url, fetch.Options{}); a.StatusCode != 302 {
		t.Error("a cookie outlived its fetch")
	}
}
