package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/hosthttp"
)

// Connection is how a service is asked. The zero value is useful.
type Connection struct {
	// Timeout bounds a request. Default 15 s.
	Timeout time.Duration
	// MaxAnswer is how many bytes an answer may have. Default 2 MiB.
	MaxAnswer int64
	// Transport makes the connections. Default: that of net/http, through the
	// proxies of the environment. The gate of pages is not asked: the host has
	// chosen the address.
	Transport http.RoundTripper
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

func (c Connection) withDefaults() Connection {
	c.Timeout = cmp.Or(c.Timeout, 15*time.Second)
	c.MaxAnswer = cmp.Or(c.MaxAnswer, 2<<20)
	if c.Transport == nil {
		c.Transport = hosthttp.Transport(10 * time.Second)
	}
	if c.Clock == nil {
		c.Clock = clock.System()
	}
	return c
}

func (c Connection) validate() error {
	if c.Timeout < 0 {
		return errtypes.Field("Timeout", "must not be below 0; it is %v", c.Timeout)
	}
	if c.MaxAnswer < 0 {
		return errtypes.Field("MaxAnswer", "must not be below 0; it is %d", c.MaxAnswer)
	}
	return nil
}

// client asks one service.
type client struct {
	conf Connection
	base *url.URL
	// header goes with every request, secret is what of it no error shows.
	header map[string]string
	secret string
	// explain is what a status means with this service; empty for nothing special.
	explain func(status int, h http.Header) string
}

func newClient(base string, c Connection) (*client, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errtypes.Field("URL", "must be an http or https URL such as https://search.example, without query and fragment")
	}
	return &client{conf: c.withDefaults(), base: u, explain: func(int, http.Header) string { return "" }}, nil
}

func (c *client) host() string { return c.base.Hostname() }

var errSlow = errors.New("search: it took too long")

// get asks, and reads the answer as JSON.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	caller := ctx
	ctx, cancel := clock.WithTimeout(ctx, c.conf.Clock, c.conf.Timeout, errSlow)
	defer cancel()
	res, err := c.send(ctx, path, query)
	if err != nil {
		return c.broken(caller, ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return c.refused(res)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, c.conf.MaxAnswer+1))
	switch {
	case err != nil:
		return c.broken(caller, ctx, err)
	case int64(len(raw)) > c.conf.MaxAnswer:
		return c.failed("answers with more than %d bytes", c.conf.MaxAnswer)
	case json.Unmarshal(raw, into) != nil:
		return c.failed("answers with what is no JSON of a search")
	}
	return nil
}

func (c *client) send(ctx context.Context, path string, query url.Values) (*http.Response, error) {
	target := c.base.JoinPath(path)
	target.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	return (&http.Client{Transport: c.conf.Transport, CheckRedirect: hosthttp.Stay}).Do(req)
}

func (c *client) failed(format string, args ...any) *errtypes.Error {
	return errtypes.New(errtypes.BadGateway, "the search service at %s %s", c.base.Host, fmt.Sprintf(format, args...))
}

// broken is a connection that failed.
func (c *client) broken(caller, ctx context.Context, err error) error {
	switch {
	case caller.Err() != nil:
		return context.Cause(caller)
	case errors.Is(context.Cause(ctx), errSlow):
		return errtypes.New(errtypes.GatewayTimeout, "the search service at %s took longer than %v", c.base.Host, c.conf.Timeout)
	}
	return c.failed("cannot be reached, or broke off its answer").WithCause(errors.New(c.clean(err.Error())))
}

func (c *client) clean(text string) string {
	password, _ := c.base.User.Password()
	return hosthttp.Clean(text, c.secret, url.QueryEscape(c.secret), password)
}

// refused is an answer whose status is no success.
func (c *client) refused(res *http.Response) error {
	status := fmt.Sprintf("%d %s", res.StatusCode, strings.ToLower(http.StatusText(res.StatusCode)))
	if why := c.explain(res.StatusCode, res.Header); why != "" {
		return c.failed("answers %s: %s", status, why)
	}
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		later := "later"
		if d, ok := hosthttp.RetryAfter(res.Header, c.conf.Clock.Now()); ok {
			later = "in " + d.Round(time.Second).String()
		}
		return errtypes.New(errtypes.RateLimited, "the search service at %s has been asked too often; it may be asked again %s", c.base.Host, later)
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return c.failed("redirects, which is not followed: its address has to be the final one")
	}
	return c.failed("answers %s", status)
}
