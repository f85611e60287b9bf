package runtime

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// connectPath is where a process finds its browser, behind its secret.
const connectPath = "/connect"

// serveConnect hands a client on to the browser of the invocation that its process
// has, which is opened now if it was not.
func (c *Channel) serveConnect(w http.ResponseWriter, r *http.Request) {
	connect := c.connector()
	if connect == nil {
		http.Error(w, "there is no invocation whose browser this would be", http.StatusGone)
		return
	}
	wsURL, err := connect(r.Context())
	if err != nil {
		http.Error(w, "the browser of the invocation cannot be opened: "+publicText(err), http.StatusServiceUnavailable)
		return
	}
	to, err := url.Parse(wsURL)
	if err != nil {
		http.Error(w, "the browser of the invocation has no address", http.StatusInternalServerError)
		return
	}
	to.Scheme = "http"
	to.Path += strings.TrimPrefix(r.URL.Path, "/"+c.secret+connectPath)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.Out.URL, p.Out.Host = to, to.Host },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, "the browser of the invocation does not answer", http.StatusBadGateway)
		},
	}
	proxy.ServeHTTP(w, r)
}
