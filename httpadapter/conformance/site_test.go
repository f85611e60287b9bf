package conformance

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
)

// site is what there is to fetch.
type site struct {
	*http.ServeMux
	// asked gets a value for each request that is left hanging.
	asked chan struct{}
}

// hanging is the path of the page that is not answered.
const hanging = "/hang"

func newSite() *site {
	s := &site{ServeMux: http.NewServeMux(), asked: make(chan struct{}, 10)}
	for path, h := range map[string]http.HandlerFunc{
		"/page":       page("text/html; charset=iso-8859-1", "<title>Caf\xe9</title><p class=\"x\">\"Gr\xfc\xdfe\" & more\n"),
		"/article":    page("text/html", article),
		"/product":    page("text/html", product),
		"/surrounded": page("text/html", surrounded),
		"/text":       page("text/plain; charset=utf-8", "plain *text*\n"),
		"/image":      page("image/png", "\x89PNG\r\n\x1a\n\x00\xff"),
		"/data":       page("application/json", `{"a": [1, 2]}`),
		"/untyped":    page("", "\x00\x01\x02"),
		"/large":      page("text/html", string(bytes.Repeat([]byte("x"), 2001))),
		"/many":       page("text/html", strings.Repeat("<p>x", 300)),
		"/much":       page("text/html", `<base href="https://shop.example/`+strings.Repeat("a", 500)+`/">`+strings.Repeat(`<a href="b">x</a>`, 40)),
		"/scripted":   page("text/html", "<title>S</title><p id=p></p><script>p.textContent = 'made by a script'</script>"),
		"/teapot":     status(http.StatusTeapot, "text/html", "<h1>Short and stout</h1>"),
		"/nothing":    status(http.StatusNoContent, "", ""),
		"/moved":      moved("/article"),
		"/loop":       moved("/loop"),
		"/to-private": moved("http://10.0.0.1/admin"),
		"/to-file":    moved("file:///etc/passwd"),
		"/zipped":     zippedPage,
		"/bad-zip":    badlyZipped,
		"/cookies":    cookies,
		"/broken":     broken,
		hanging:       s.hang,
		"/form":       page("text/html", form),
		"/ordered":    ordered,
	} {
		s.HandleFunc(path, h)
	}
	return s
}

// surrounded is an article amid menus.
var surrounded = `<!doctype html><html lang=en><title>A morning</title><header><nav><ul><li><a href=/>Home</a></li><li><a href=/all>All sections</a></li></ul></nav></header>
<main><article><h1>A morning</h1>` + strings.Repeat(`<p>The harbour was quiet that morning, and the boats lay still under a pale sky.</p>`, 4) + `</article></main>
<footer><p>Imprint</p><a href=/terms>Terms of use</a></footer>`

const article = `<!doctype html><html><head><title>Stools</title><script>alert(1)</script></head><body>
<h1>Three legs</h1><p>A stool with <b>three</b> legs <a href="/why">never wobbles</a>.</p>
<ul><li>ash<li>oak</ul>
<table><tr><th>Wood<th>Price</tr><tr><td>ash<td>64.00</tr></table>
</body></html>`

const product = `<!doctype html><html lang=de><head><title>Hocker | Laden</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Hocker","sku":"H-3","image":"/hocker.jpg",
"offers":{"@type":"Offer","price":"64.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><h1>Hocker</h1><p>Gewicht: 3,5 kg</p></body></html>`

func page(contentType, body string) http.HandlerFunc { return status(http.StatusOK, contentType, body) }

func status(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // not guessed
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func moved(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

func zippedPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = io.WriteString(z, "unzipped")
	_ = z.Close()
	_ = http.NewResponseController(w).Flush() // no Content-Length, which is another with every compressor
}

func badlyZipped(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = io.WriteString(w, "not zipped")
}

func cookies(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	for _, value := range []string{"a=1; Path=/", "b=2"} {
		w.Header().Add("Set-Cookie", value)
		w.Header().Add("X-Both", value)
	}
}

const form = `<!doctype html><title>Order</title><h1>Order</h1>
<form action="/ordered"><label>Name <input name="name"></label><button>Order</button></form>`

// ordered is where the form leads.
func ordered(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Thanks</title><h1>Thanks</h1><dl><dt>Name<dd>%s<dt>Total<dd>64.00</dl>", html.EscapeString(r.FormValue("name")))
}

// broken promises more than it sends.
func broken(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, "only this")
	panic(http.ErrAbortHandler)
}

// hang answers nothing until the caller has left.
func (s *site) hang(_ http.ResponseWriter, r *http.Request) {
	s.asked <- struct{}{}
	<-r.Context().Done()
}

// withSite is a world with a site, by HTTP and by HTTPS with a certificate that
// nobody vouches for, and an address where nobody listens.
func withSite(t testing.TB, c config) *world {
	t.Helper()
	s := newSite()
	open, secure := httptest.NewServer(s), httptest.NewUnstartedServer(s)
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	dead := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	_ = dead.Close()
	t.Cleanup(open.Close)
	t.Cleanup(secure.Close)
	w := build(t, c)
	w.site = s
	w.words["<site>"], w.words["<secure-site>"], w.words["<dead-site>"] = open.URL, secure.URL, "http://"+dead.Addr().String()
	return w
}

// occupy has a fetch under way until the test ends.
func (w *world) occupy(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(w.asDefault(t))
	ended := make(chan error, 1)
	go func() {
		_, err := w.Fetch.Get(ctx, w.words["<site>"]+hanging, fetch.Options{})
		ended <- err
	}()
	<-w.site.asked
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errtypes.Is(err, errtypes.Canceled) {
			t.Error(err)
		}
	})
}
