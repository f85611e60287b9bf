package conformance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
)

// under is a host's own server, which has the adapter under a prefix, and what
// it says itself elsewhere. It returns the address with the prefix.
func under(t *testing.T, prefix string, h http.Handler) (base string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", http.StripPrefix(prefix, h))
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the host itself is asked for %s", r.URL) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + prefix
}

// links are all that a session's answers lead to.
type links struct {
	ConnectURL, SeleniumRemoteURL, ReplayURL, DebuggerURL, DebuggerFullscreenURL, WSURL, UploadURL string
	Pages                                                                                          []struct{ DebuggerURL, DebuggerFullscreenURL, URL string }
	Downloads                                                                                      []struct{ DownloadURL string }
}

// all returns them, those of websockets as if they were not.
func (l links) all() (list []string) {
	list = []string{l.ConnectURL, l.SeleniumRemoteURL, l.ReplayURL, l.DebuggerURL, l.DebuggerFullscreenURL, l.WSURL, l.UploadURL}
	for _, p := range l.Pages {
		list = append(list, p.DebuggerURL, p.DebuggerFullscreenURL)
	}
	for _, d := range l.Downloads {
		list = append(list, d.DownloadURL)
	}
	for i, link := range list {
		if rest, ok := strings.CutPrefix(link, "ws"); ok {
			list[i] = "http" + rest
		}
	}
	return list
}

// Under a prefix of the host's, everything that the adapter answers leads back
// to it: a browser is driven, watched live and played, over websockets and in
// pages.
func TestAnAdapterUnderAPrefix(t *testing.T) {
	t.Parallel()
	w := build(t, config{browser: chrometest.Provider(t), realTime: true})
	base := under(t, "/browser", w.handler)
	a := asker{t, base, w.words["<key>"]}
	leadHome := func(what string, l links) {
		t.Helper()
		for _, link := range l.all() {
			if link != "" && !strings.HasPrefix(link, base+"/v1/") {
				t.Errorf("%s leads to %s", what, link)
			}
		}
	}
	var s struct{ ID, SigningKey string }
	var made, context, debug, replays, films links
	a.ask("POST", "/v1/sessions", "application/json", `{"keepAlive":true}`, &s)
	path := "/v1/sessions/" + s.ID
	a.ask("GET", path, "", "", &made)
	a.ask("GET", path+"/debug?expiresIn=60", "", "", &debug)
	a.ask("POST", "/v1/contexts", "", "", &context)
	leadHome("a session", made)
	leadHome("its debug", debug)
	leadHome("a context", context)
	if made.ConnectURL == "" || made.ReplayURL == "" || made.SeleniumRemoteURL == "" || len(debug.Pages) != 1 || debug.WSURL != made.ConnectURL || context.UploadURL == "" {
		t.Fatalf("%+v %+v %+v", made, debug, context)
	}

	if got := asked(t, made.ConnectURL, "Browser.getVersion"); !strings.Contains(got, "Chrome/") {
		t.Errorf("the browser says %s", got)
	}
	var version struct{ WebSocketDebuggerURL string }
	for _, at := range []string{"/json/version?signingKey=" + s.SigningKey, path + "/connect/json/version?signingKey=" + s.SigningKey} {
		if a.ask("GET", at, "", "", &version); version.WebSocketDebuggerURL != made.ConnectURL {
			t.Errorf("%s leads to %s", at, version.WebSocketDebuggerURL)
		}
	}

	for link, title := range map[string]string{debug.DebuggerURL: "Session", debug.Pages[0].DebuggerFullscreenURL: "Session", made.ReplayURL: "Recording"} {
		var page string
		if a.ask("GET", strings.TrimPrefix(link, base), "", "", &page); !strings.Contains(page, "<title>"+title+"</title>") {
			t.Errorf("%s: %.200s", link, page)
		}
	}
	// The pages ask below their own address.
	live := connected(t, strings.Replace(debug.DebuggerURL, "/live?", "/live/socket?", 1))
	var first struct{ Session *struct{} }
	if err := wsjson.Read(t.Context(), live, &first); err != nil || first.Session == nil {
		t.Errorf("the live view begins with %+v, %v", first, err)
	}
	var events any
	a.ask("GET", strings.TrimPrefix(strings.Replace(made.ReplayURL, "/replay?", "/replay/events?", 1), base), "", "", &events)

	a.ask("POST", path, "application/json", `{"status":"REQUEST_RELEASE"}`, &s)
	a.ask("GET", path+"/recording/downloads", "", "", &films)
	a.ask("GET", path+"/replays", "", "", &replays)
	leadHome("its films", films)
	for _, p := range replays.Pages {
		leadHome("its replays", links{ReplayURL: p.URL})
	}
	if len(films.Downloads) == 0 || len(replays.Pages) == 0 {
		t.Errorf("%+v %+v", films, replays)
	}
}

func connected(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	return c
}

// asked is what a browser answers to a command without parameters.
func asked(t *testing.T, connect, method string) string {
	t.Helper()
	c := connected(t, connect)
	if err := wsjson.Write(t.Context(), c, map[string]any{"id": 1, "method": method}); err != nil {
		t.Fatal(err)
	}
	_, data, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestGoClientsUnderAPrefix has unmodified Go clients drive sessions of an
// adapter under a prefix. rod goes where the connect URL leads. chromedp asks
// the host's own root, where such a host has the adapter answer, and tells it by
// PublicURL where it is.
func TestGoClientsUnderAPrefix(t *testing.T) {
	testlevel.Long(t, "two clients of a module of their own, which is built")
	needModules(t)
	w, _ := wholeService(t)
	site := goSite(t)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h := httpadapter.New(w.Drover, httpadapter.Options{PublicURL: server.URL + "/browser", Logger: discard})
	mux.Handle("/browser/", http.StripPrefix("/browser", h))
	mux.Handle("/json/version", h)
	for test, base := range map[string]string{"TestRod": under(t, "/browser", w.handler), "TestChromedp": server.URL + "/browser"} {
		t.Run(test, func(t *testing.T) {
			t.Parallel()
			s := must(w.Sessions.Create(w.asDefault(t), sessions.Create{}))(t)
			out := inGoClients(t, []string{"CONNECT_URL=" + sessions.ConnectURL(base, s.ID, s.SigningKey), "SITE=" + site}, "test", "-count=1", "-v", "-run", test+"$", ".")
			if !strings.Contains(out, "--- PASS: "+test) {
				t.Error(out)
			}
		})
	}
}
