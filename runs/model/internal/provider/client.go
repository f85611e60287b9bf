// Package provider is the HTTP side of every provider of language models: one
// exchange, one way to tell faults apart, one set of time limits. What differs
// between providers, their routes and their JSON, is in a package of each.
package provider

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/hosthttp"
	"github.com/drover-go/drover/runs/model"
)

// Options of a client.
type Options struct {
	// Base is the URL that routes are appended to: http or https, without user,
	// query and fragment. No default.
	Base string
	// Query is that of every request, such as a=b; empty for none.
	Query string
	// Header goes with every request. Its values are secrets: no error shows
	// them.
	Header map[string]string
	// Transport makes the connections. Default: that of net/http, through the
	// proxies of the environment.
	Transport http.RoundTripper
	// Timeouts of a request. Default: see there.
	Timeouts Timeouts
	// MaxAnswer is how many bytes an answer may have. Default 64 MiB.
	MaxAnswer int64
	// MaxEvent is how many bytes an event of a stream may have. Default 16 MiB.
	MaxEvent int
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
}

// Timeouts bound the parts of a request. The zero value of every field stands
// for its default.
type Timeouts struct {
	// Connect is for a connection, TLS included. Default 10 s.
	Connect time.Duration
	// First is until the first byte of the body: a model that reasons is silent
	// before. Default 120 s.
	First time.Duration
	// Idle is between two bytes of the body. Default 60 s.
	Idle time.Duration
	// All is for the whole request. Default 300 s.
	All time.Duration
}

func (t Timeouts) withDefaults() Timeouts {
	t.Connect = cmp.Or(t.Connect, 10*time.Second)
	t.First = cmp.Or(t.First, 2*time.Minute)
	t.Idle = cmp.Or(t.Idle, time.Minute)
	t.All = cmp.Or(t.All, 5*time.Minute)
	return t
}

// A Client talks to one provider. It is safe for use by several goroutines.
type Client struct {
	opts Options
	base *url.URL
	http *http.Client
}

// New returns a client. It makes no connection. The error's kind is Invalid for
// a Base that is none.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.Base)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errtypes.Field("Base", "must be an http or https URL such as https://api.example/v1, without user, query and fragment")
	}
	o.Timeouts = o.Timeouts.withDefaults()
	o.MaxAnswer = cmp.Or(o.MaxAnswer, 64<<20)
	o.MaxEvent = cmp.Or(o.MaxEvent, 16<<20)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Transport == nil {
		o.Transport = hosthttp.Transport(o.Timeouts.Connect)
	}
	return &Client{opts: o, base: base, http: &http.Client{Transport: o.Transport, CheckRedirect: hosthttp.Stay}}, nil
}

// tooSlow is the cause with which the context of a request ends that has passed
// one of its Timeouts: what the provider did.
type tooSlow string

func (t tooSlow) Error() string { return "provider: it " + string(t) }

const (
	errFirst = tooSlow("took too long to begin its answer")
	errIdle  = tooSlow("stopped in the middle of its answer")
	errAll   = tooSlow("took too long for its answer")
	errTail  = tooSlow("did not end the answer that it had finished") // nobody is told
)

// Post sends JSON to a route below Base, and returns the answer of a provider
// that took it. The caller closes it. The error is a [*model.Error] unless the
// context has ended.
func (c *Client) Post(ctx context.Context, route string, body []byte) (*Answer, error) {
	return c.send(ctx, http.MethodPost, route, body)
}

// Get asks for a route below Base as [Client.Post] does.
func (c *Client) Get(ctx context.Context, route string) (*Answer, error) {
	return c.send(ctx, http.MethodGet, route, nil)
}

func (c *Client) send(ctx context.Context, method, route string, body []byte) (_ *Answer, err error) {
	caller := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	a := &Answer{client: c, caller: caller, ctx: ctx, cancel: cancel, left: c.opts.MaxAnswer}
	a.within(c.opts.Timeouts.All, errAll)
	a.first = a.within(c.opts.Timeouts.First, errFirst)
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	target := c.base.JoinPath(route)
	target.RawQuery = c.opts.Query
	req, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range c.opts.Header {
		req.Header.Set(name, value)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	if a.res, err = c.http.Do(req); err != nil {
		return nil, a.broken(err, model.ErrorNetwork, "cannot be reached")
	}
	if a.res.StatusCode != http.StatusOK {
		return nil, a.refused()
	}
	a.open()
	return a, nil
}

// host names the provider in messages.
func (c *Client) host() string { return c.base.Host }

// clean takes the secrets of the client out of a text.
func (c *Client) clean(text string) string {
	for _, value := range c.opts.Header {
		text = hosthttp.Clean(text, value, strings.TrimPrefix(value, "Bearer "))
	}
	return text
}
