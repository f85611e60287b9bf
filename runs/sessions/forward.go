package sessions

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"

	"github.com/drover-go/drover/errtypes"
)

// forward hands a request on to the process that has the session, at the
// loopback address that this process wrote into the database. Whatever is to
// be known of the page that sent it has been looked at.
func (s *service) forward(w http.ResponseWriter, r *http.Request, known row) {
	to, err := netip.ParseAddrPort(known.endpoint)
	if err != nil || !to.Addr().IsLoopback() || known.instance == s.conf.DB.InstanceID() {
		refuse(w, errtypes.New(errtypes.Gone, "the session has ended")) // a moment ago
		return
	}
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: readHeaderTimeout}).DialContext, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	proxy := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: "http", Host: to.String()})
			p.Out.Host = to.String()
			p.Out.Header.Del("Origin")
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, errtypes.New(errtypes.Unavailable, "the process that has the session does not answer").WithCause(err))
		},
	}
	proxy.ServeHTTP(w, r)
}
