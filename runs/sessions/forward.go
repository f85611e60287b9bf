package sessions

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/loopback"
)

// What only the process can do that has a session is asked of it at the
// loopback address that it wrote into the database.

var errSilent = errtypes.New(errtypes.Unavailable, "the process that has the session does not answer")

// ownerOf returns the address of the process that has a session; false if that
// is this one, which means that the session has just ended.
func (s *service) ownerOf(known row) (netip.AddrPort, bool) {
	to, err := netip.ParseAddrPort(known.endpoint)
	return to, err == nil && to.Addr().IsLoopback() && known.instance != s.conf.DB.InstanceID()
}

func toOwner() *http.Transport {
	return &http.Transport{
		DialContext:       (&net.Dialer{Timeout: loopback.ReadHeaderTimeout}).DialContext,
		DisableKeepAlives: true, ResponseHeaderTimeout: releaseTime,
	}
}

// forward hands a request on. Whatever is to be known of the page that sent it
// has been looked at.
func (s *service) forward(w http.ResponseWriter, r *http.Request, known row) {
	to, elsewhere := s.ownerOf(known)
	if !elsewhere {
		refuse(w, errtypes.New(errtypes.Gone, "the session has ended")) // a moment ago
		return
	}
	transport := toOwner()
	defer transport.CloseIdleConnections()
	proxy := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: "http", Host: to.String()})
			p.Out.Host = to.String()
			p.Out.Header.Del("Origin")
			p.Out.Header[seenHeader] = seenAs(p.In)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, errSilent.WithCause(err))
		},
	}
	proxy.ServeHTTP(w, r)
}

// ask sends a request of this process's own to the one that has the session.
// Its answer is to be closed; the body, which may be nil, is.
func (s *service) ask(ctx context.Context, known row, method, what string, query url.Values, body io.ReadCloser) (*http.Response, error) {
	to, elsewhere := s.ownerOf(known)
	if !elsewhere {
		closeBody(body)
		return nil, errtypes.New(errtypes.Gone, "the session has ended")
	}
	address := url.URL{Scheme: "http", Host: to.String(), Path: peerPath(known.ID, what), RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, address.String(), nil)
	if err != nil {
		closeBody(body)
		return nil, err
	}
	if body != nil {
		req.Body, req.ContentLength = body, -1
	}
	req.Header.Set("Authorization", peerScheme+s.peerKey(known.ID))
	res, err := toOwner().RoundTrip(req)
	if err != nil {
		return nil, errSilent.WithCause(err)
	}
	return res, nil
}

func closeBody(body io.Closer) {
	if body != nil {
		body.Close()
	}
}
