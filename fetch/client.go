package fetch

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// client sends requests over the gate.
type client struct {
	conf   Config
	direct paths
	// pooled are the ways through the configured proxies, by their number.
	pooled []paths
}

func newClient(c Config) *client {
	cl := &client{conf: c, direct: newPaths(c, egress.Policy{})}
	for i := range c.Proxies.Len() {
		cl.pooled = append(cl.pooled, newPaths(c, egress.Policy{Routes: []egress.Route{c.Proxies.Route(i)}}))
	}
	return cl
}

// newTransport speaks HTTP/1.1 and 2. HTTP/3 is left out: it would pass the
// gate's dialler by.
func newTransport(c Config, d *egress.Dialer, conf *tls.Config) *http.Transport {
	return &http.Transport{
		Proxy:                  d.Proxy,
		DialContext:            d.DialContext,
		TLSClientConfig:        conf,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // decoded here, with limits
		MaxResponseHeaderBytes: c.MaxHeader,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    max(16, c.MaxConcurrent),
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ReadBufferSize:         64 << 10,
	}
}

// answer is the head of a page and its content, still to be read.
type answer struct {
	url         *url.URL
	status      int
	headers     map[string]string
	contentType string
	// length is what the content will have, if it is known; else -1.
	length int64
	body   io.Reader // decompressed, limited
	raw    io.Closer
	one    *one
	// isUTF8 is content whose characters a browser has read already, whatever
	// its type says.
	isUTF8 bool
}

func (a *answer) close() {
	a.raw.Close()
	a.one.finish()
}

// get sends the request and follows redirects if it may.
func (c *client) get(f *one, u *url.URL, o Options) (*answer, error) {
	origin := u
	way, err := c.path(f.ctx, o, origin)
	if err != nil {
		return nil, err
	}
	var jar http.CookieJar // many redirects lead on only with the cookie they set
	for hop := 0; ; hop++ {
		var resp *http.Response
		if resp, way, err = c.sendOver(f, way, o, origin, u, jar); err != nil {
			return nil, err
		}
		next, ok := redirect(resp)
		if !ok || !o.AllowRedirects {
			return c.head(f, resp, u)
		}
		resp.Body.Close()
		if hop == c.conf.MaxRedirects {
			return nil, errtypes.New(errtypes.BadGateway, "the page redirected more than %d times", c.conf.MaxRedirects)
		}
		jar = keepCookies(jar, u, resp)
		from := u
		if u, err = resolve(u, next); err != nil {
			return nil, err
		}
		if from.Scheme == "https" && u.Scheme == "http" {
			c.conf.Logger.LogAttrs(f.ctx, slog.LevelInfo, "a redirect gave up https", slog.String("from", from.Host), slog.String("to", u.Host))
		}
	}
}

// sendOver is send, by another way where that one turns out to be closed: the way
// that it went is returned.
func (c *client) sendOver(f *one, way path, o Options, origin, u *url.URL, jar http.CookieJar) (*http.Response, path, error) {
	for tried := 1; ; tried++ {
		resp, err := c.send(f, way, u, jar)
		if err == nil || !egress.TryNext(err, tried) {
			return resp, way, err
		}
		if way, err = c.path(f.ctx, o, origin); err != nil {
			return nil, way, err
		}
	}
}

func (c *client) send(f *one, way path, u *url.URL, jar http.CookieJar) (*http.Response, error) {
	req, err := http.NewRequestWithContext(f.ctx, http.MethodGet, "", nil)
	if err != nil {
		return nil, err
	}
	req.URL, req.Host = u, u.Host
	req.Header = c.requestHeader()
	if jar != nil {
		for _, cookie := range jar.Cookies(u) {
			req.AddCookie(cookie)
		}
	}
	f.await()
	defer f.arrived()
	resp, err := way.to(u).RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if err := way.dialer.Answered(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	if resp.StatusCode < 200 { // no final answer (RFC 9110, 15): a switch of protocols nobody asked for, or no status at all
		resp.Body.Close()
		return nil, errBroken.WithCause(fmt.Errorf("status %03d", resp.StatusCode))
	}
	return resp, nil
}

func (c *client) requestHeader() http.Header {
	return http.Header{
		"User-Agent":      {c.conf.UserAgent},
		"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
		"Accept-Language": {"en-US,en;q=0.9"},
		"Accept-Encoding": {"gzip, deflate, br, zstd"},
	}
}

// redirect returns where an answer sends the client (RFC 9110, 15.4). Every
// request here is a GET, so all of them are followed in the same way.
func redirect(resp *http.Response) (location string, ok bool) {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
		location = resp.Header.Get("Location")
	}
	return location, location != ""
}

// resolve reads a Location as browsers do. A target that cannot be fetched is
// the page's fault, unless it is refused.
func resolve(base *url.URL, location string) (*url.URL, error) {
	u, err := egress.ResolveReference(base, location)
	if err != nil {
		return nil, errtypes.New(errtypes.BadGateway, "the page redirected to an address that cannot be fetched").WithCause(err)
	}
	return u, nil
}

func keepCookies(jar http.CookieJar, u *url.URL, resp *http.Response) http.CookieJar {
	cookies := resp.Cookies()
	if len(cookies) == 0 {
		return jar
	}
	if jar == nil {
		jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	}
	jar.SetCookies(u, cookies)
	return jar
}

// head makes the answer of a response whose body has not been read.
func (c *client) head(f *one, resp *http.Response, u *url.URL) (*answer, error) {
	a := &answer{
		url: u, status: resp.StatusCode, headers: flatten(resp.Header),
		contentType: headerText(resp.Header.Get("Content-Type")), raw: resp.Body, length: -1, one: f,
	}
	codings := contentCodings(resp.Header)
	if len(codings) == 0 {
		a.length = resp.ContentLength
	}
	if a.length > c.conf.MaxBody {
		resp.Body.Close()
		return nil, errTooLarge(c.conf.MaxBody)
	}
	decoded, err := decompress(&awaited{resp.Body, f}, codings, c.conf.MaxBody)
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	a.body = decoded
	return a, nil
}
