package chrome

import (
	"cmp"
	"net/url"
	"strings"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/weburl"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// A Proxy is the forward proxy of one session: it answers CONNECT for https
// and websockets, and absolute URLs for http, on a loopback address.
type Proxy interface {
	// Addr is where it listens, as "127.0.0.1:port".
	Addr() string
	// Use makes new connections follow the policy. It is called once, before the
	// session's first page, perhaps long after the proxy was made.
	Use(egress.Policy)
	// Traffic is how many bytes went to servers and came from them. It is asked
	// after Close, too.
	Traffic() (sent, received int64)
	// Close ends it and every connection through it.
	Close() error
}

// ProxyFactory makes the proxy of a session. The proxy calls failed for each
// target, a "host:port", that it refuses or fails to connect to, with the
// reason, before it answers: a browser does not pass on what a proxy says.
type ProxyFactory func(failed func(target string, reason error)) (Proxy, error)

// gateProxy makes sessions' proxies on the gate.
func gateProxy(o Options) ProxyFactory {
	return func(failed func(string, error)) (Proxy, error) {
		p, err := egress.NewProxy(o.Gate, egress.ProxyOptions{
			Clock: o.Clock, Logger: o.Logger, EndOnFailure: true,
			OnRefused: func(r egress.Refusal) { failed(r.Target, r.Err) },
			OnFailed:  failed,
		})
		if err != nil {
			return nil, err
		}
		return proxyOnGate{p}, nil
	}
}

type proxyOnGate struct{ *egress.Proxy }

func (p proxyOnGate) Addr() string { return p.Proxy.Addr().String() }

func (p proxyOnGate) Traffic() (sent, received int64) {
	s := p.Stats()
	return s.Sent, s.Received
}

// Traffic implements [browser.Session].
func (s *session) Traffic() (sent, received int64) {
	s.mu.Lock()
	proxy := s.proxy
	s.mu.Unlock()
	if proxy == nil {
		return 0, 0
	}
	return proxy.Traffic()
}

// onFailed remembers why a target was not connected to, and tells who observes:
// the browser shows its pages and clients no more than that it failed.
func (s *session) onFailed(target string, reason error) {
	s.failed.add(target, reason)
	s.Observe("", "Drover.connectionFailed", map[string]any{
		"target": page.CutText(target, page.MaxText), "reason": errtypes.Public(page.Unreachable(reason)).Message, "shown": shownReason(reason)})
}

// shownReason is why a server was not connected to, in words for anybody: they
// do not tell which proxy the session goes through.
func shownReason(reason error) string {
	return cmp.Or(egress.OfProxy(reason), errtypes.Public(page.Unreachable(reason)).Message)
}

// Unreached implements [browser.Session].
func (s *session) Unreached(rawURL string) string {
	if reason := s.failed.of(rawURL); reason != nil {
		return shownReason(reason)
	}
	return ""
}

// failures remembers why a session's proxy did not connect to targets of late.
type failures struct {
	mu      sync.Mutex
	targets map[string]error
}

// maxFailures bounds the targets remembered; a page can name any number.
const maxFailures = 200

func (f *failures) add(target string, reason error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.targets == nil || len(f.targets) >= maxFailures {
		f.targets = map[string]error{}
	}
	f.targets[strings.ToLower(target)] = reason
}

// of returns why the server of a URL was not connected to; nil if it was.
func (f *failures) of(rawURL string) error {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.targets[weburl.Target(u)]
}

func (f *failures) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.targets = nil
}
