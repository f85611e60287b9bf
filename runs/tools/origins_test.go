package tools

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// originPages are the pages of both sites, the good one and the bad one; PORT is
// replaced. What is typed into any page is told to its server at once.
var originPages = map[string]string{
	"/login":   `<title>Login</title><form action="/sent"><label>Password <input name="p"></label><button>Go</button></form>`,
	"/pass":    `<title>Login</title><label>Password <input type="password"></label>`,
	"/text":    `<title>Text</title><label>Password <textarea></textarea></label>`,
	"/rich":    `<title>Rich</title><div contenteditable role="textbox" aria-label="Password" style="width:200px;height:50px"></div>`,
	"/shadow":  `<title>Shadow</title><div id="h"></div><script>h.attachShadow({mode:"open"}).innerHTML='<label>Password <input></label>'</script>`,
	"/choose":  `<title>Choose</title><label>Password <select><option>Other<option>Kanarie-4711</select></label>`,
	"/frames":  `<title>Frames</title><h1>Frames</h1><iframe width=400 height=100 src="http://good.test:PORT/login"></iframe>`,
	"/thief":   `<title>Thief</title><label>Mine <input id="mine"></label><iframe width=400 height=100 src="http://good.test:PORT/login"></iframe><script>setInterval(() => mine.focus(), 1)</script>`,
	"/badly":   `<title>Badly</title><iframe width=400 height=100 src="http://evil.test:PORT/login"></iframe>`,
	"/sandbox": `<title>Sandbox</title><iframe sandbox="allow-scripts allow-forms" width=400 height=100 src="http://good.test:PORT/login"></iframe>`,
	"/srcdoc":  `<title>Srcdoc</title><iframe width=400 height=100 srcdoc="<label>Password <input></label>"></iframe>`,
	"/data":    `<title>Data</title><iframe width=400 height=100 src="data:text/html,<label>Password <input></label>"></iframe>`,
	"/blank":   `<title>Blank</title><iframe sandbox width=400 height=100 srcdoc="<label>Password <input></label>"></iframe>`,
	"/away":    `<title>Away</title><label>Password <input onmousedown="location='http://evil.test:PORT/greedy'"></label>`,
	"/greedy":  `<title>Greedy</title><label>Password <input autofocus></label>`,
}

const originReport = `<script>for (const type of ["input", "keydown", "keypress", "change"]) addEventListener(type, (e) => {
	const x = new XMLHttpRequest(); x.open("GET", "/heard?" + encodeURIComponent((e.key ?? "") + (e.target.value ?? e.target.textContent ?? "")), false); x.send() }, true)</script>`

// origins are two sites on one server.
type origins struct {
	port  string
	mu    sync.Mutex
	heard []string // by the bad one
}

func serveOrigins(t *testing.T) *origins {
	t.Helper()
	o := &origins{}
	server := httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(server.Close)
	o.port = server.URL[strings.LastIndex(server.URL, ":")+1:]
	return o
}

func (o *origins) serve(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Host, "good.test:") {
		o.mu.Lock()
		o.heard = append(o.heard, r.URL.String())
		o.mu.Unlock()
	}
	if r.URL.Path == "/redirect" {
		http.Redirect(w, r, "http://evil.test:"+o.port+"/login", http.StatusFound)
		return
	}
	page, ok := originPages[r.URL.Path]
	if !ok {
		page = "<title>Sent</title>" + r.FormValue("p")
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(page, "PORT", o.port)+originReport)
}

func (o *origins) at(host, path string) string { return "http://" + host + ":" + o.port + path }

const boundValue = "Kanarie-4711"

// boundTo gives a run a password for the origins.
func boundTo(t *testing.T, all ...string) func(*Options) {
	t.Helper()
	v := secrets.Variable{Value: boundValue}
	for _, text := range all {
		o, err := secrets.ParseOrigin(text)
		if err != nil {
			t.Fatal(err)
		}
		v.Origins = append(v.Origins, o)
	}
	return func(o *Options) {
		o.Variables = secrets.NewVault(map[string]secrets.Variable{"pass": v}, clock.System())
	}
}

// holds reports whether some field of the page, in any frame, holds the value.
func holds(t *testing.T, s browser.Session) bool {
	t.Helper()
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range snap.Elements {
		if strings.Contains(e.Value+e.Name, boundValue) && e.Role != "option" && e.Role != "combobox" {
			return true
		}
	}
	return false
}

// either says that a value may be typed before the page has left.
const either = "either"

func TestAValueGoesToItsOriginsOnly(t *testing.T) {
	t.Parallel()
	provider := chrometest.Provider(t)
	for name, c := range map[string]struct {
		host, path string
		refused    string // part of the error; empty where the value is typed
		unseen     bool   // that it is typed shows elsewhere
		quick      bool
	}{
		"its own page":                 {"good.test", "/login", "", false, false},
		"a password field":             {"good.test", "/pass", "", true, false},
		"a text area":                  {"good.test", "/text", "", false, false},
		"an editor":                    {"good.test", "/rich", "", false, false},
		"a shadow root":                {"good.test", "/shadow", "", false, false},
		"a list":                       {"good.test", "/choose", "", true, false},
		"another host":                 {"evil.test", "/login", "may be used at", false, true},
		"a list of another host":       {"evil.test", "/choose", "may be used at", true, false},
		"a host below":                 {"a.good.test", "/login", "may be used at", false, false},
		"its frame elsewhere":          {"evil.test", "/frames", "", false, false},
		"its frame beside a thief":     {"evil.test", "/thief", "", false, true},
		"a frame from elsewhere":       {"good.test", "/badly", "may be used at", false, false},
		"a sandboxed frame":            {"good.test", "/sandbox", "may be used at", false, true},
		"a document of its own":        {"good.test", "/srcdoc", "", false, false},
		"a sandboxed document":         {"good.test", "/blank", "may be used at", false, false},
		"a frame of data":              {"good.test", "/data", "may be used at", false, false},
		"a redirect":                   {"good.test", "/redirect", "may be used at", false, false},
		"a page that leaves meanwhile": {"good.test", "/away", either, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			if !c.quick {
				testlevel.Long(t, "every kind of field and frame")
			}
			site := serveOrigins(t)
			session := chrometest.Session(t, provider)
			d := &driver{t: t, set: setOn(session, boundTo(t, site.at("good.test", "")))}
			d.do("navigate", `{"url":"`+site.at(c.host, c.path)+`"}`)
			got := d.typeInto("Password", "%pass%")
			if c.refused != "" && c.refused != either && (!strings.HasPrefix(got, "Error: ") || !strings.Contains(got, c.refused)) {
				t.Errorf("it is not refused: %s", d.last.Output.Text())
			}
			if c.refused == "" && d.last.Output.IsError() {
				t.Errorf("it is refused: %s", d.last.Output.Text())
			}
			if strings.Contains(c.refused, "may be used") && (!strings.Contains(got, "%pass%") || !strings.Contains(got, site.at("good.test", "")) || strings.Contains(got, "may have taken effect")) {
				t.Errorf("the refusal: %s", got)
			}
			if held := holds(t, session); !c.unseen && held != (c.refused == "") {
				t.Errorf("the value is on the page: %t", held)
			}
			d.do("navigate", `{"url":"`+site.at("good.test", "/end")+`"}`)
			for _, heard := range site.heard {
				if strings.Contains(heard, "anarie") || strings.Contains(heard, "4711") {
					t.Errorf("the other site hears %s", heard)
				}
			}
		})
	}
}

func TestAPageThatHasLeftGetsNothing(t *testing.T) {
	t.Parallel()
	site := serveOrigins(t)
	session := chrometest.Session(t, chrometest.Provider(t))
	d := &driver{t: t, set: setOn(session, boundTo(t, site.at("good.test", "")))}
	d.do("navigate", `{"url":"`+site.at("good.test", "/login")+`"}`)
	if _, err := session.Navigate(t.Context(), site.at("evil.test", "/greedy")); err != nil {
		t.Fatal(err)
	}
	if got := d.typeInto("Password", "%pass%"); !strings.Contains(got, " on the page") || holds(t, session) {
		t.Error(got)
	}
}

func TestPagesHearOfAValueThatIsBound(t *testing.T) {
	t.Parallel()
	site := serveOrigins(t)
	session := chrometest.Session(t, chrometest.Provider(t))
	d := &driver{t: t, set: setOn(session, boundTo(t, "http://*.test:"+site.port))}
	d.do("navigate", `{"url":"`+site.at("shop.test", "/login")+`"}`)
	d.typeInto("Password", "x")
	d.do("type", `{"ref":"`+d.ref("Password")+`","text":"%pass%","append":true,"submit":true}`)
	if d.view.Page.Title != "Sent" || !strings.Contains(strings.Join(site.heard, "\n"), "/sent?p=x"+boundValue) {
		t.Errorf("%s\n%q", d.last.Output.Text(), site.heard)
	}
	keys := strings.Join(site.heard, "\n")
	if !strings.Contains(keys, "/heard?1x") || !strings.Contains(keys, "/heard?x"+boundValue) {
		t.Errorf("keys and input are not heard: %q", site.heard)
	}
}

func TestAnAddressTakesAValueOfItsOriginOnly(t *testing.T) {
	t.Parallel()
	var asked []string
	b := newBroken()
	set := setOn(&recorder{b, &asked}, boundTo(t, "https://good.example", "https://*.good.example"), func(o *Options) {
		o.Task = "Go to https://good.example/%pass%, https://pay.good.example/?p=%pass%, https://evil.example/%pass%, http://good.example/%pass% and https://%pass%.evil.example/"
	})
	for address, ok := range map[string]bool{
		"https://good.example/%pass%": true, "https://pay.good.example/?p=%pass%": true, "https://evil.example/%pass%": false,
		"http://good.example/%pass%": false, "https://%pass%.evil.example/": false,
	} {
		asked = nil
		r := call(t, set, "navigate", `{"url":"`+address+`"}`)
		if r.Output.IsError() == ok || len(asked) > 0 != ok {
			t.Errorf("%s: %s, asked %q", address, r.Output.Text(), asked)
		}
	}
}

// recorder keeps the addresses that are opened.
type recorder struct {
	*broken
	asked *[]string
}

func (r *recorder) Navigate(ctx context.Context, url string) (browser.Page, error) {
	*r.asked = append(*r.asked, url)
	return r.broken.Navigate(ctx, url)
}

// Whether a value that is bound stands on a page is not told: pages could guess.
func TestWhatIsBoundIsNotLookedFor(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Elements = []browser.Element{{Role: "text", Name: "987"}}
	for _, origin := range []string{"", "https://good.example"} {
		set := setOn(b, func(o *Options) {
			v := secrets.Variable{Value: "987"} // too short to be taken out
			if origin != "" {
				good, err := secrets.ParseOrigin(origin)
				if err != nil {
					t.Fatal(err)
				}
				v.Origins = []secrets.Origin{good}
			}
			o.Variables, o.Task = secrets.NewVault(map[string]secrets.Variable{"pin": v}, clock.System()), "Type %pin%"
		})
		if r := call(t, set, "wait", `{"text":"%pin%","seconds":0}`); r.Output.IsError() != (origin != "") {
			t.Errorf("bound to %q: %s", origin, r.Output.Text())
		}
	}
}
