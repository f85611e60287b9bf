// Package runproxy is the proxy of one process of a run: it leads over the gate of the
// host, through its proxies where it has some, and ends with the process.
package runproxy

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"log/slog"
	"strconv"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
)

// Options configure [Open]. Gate, Clock and Logger are required.
type Options struct {
	// Gate is what all goes over.
	Gate *egress.Gate
	// Pool are the proxies of the host. Default none: connections are direct.
	Pool   *egress.Pool
	Clock  clock.Clock
	Logger *slog.Logger
}

// Proxy is such a proxy. A nil one stands for none.
type Proxy struct {
	proxy    *egress.Proxy
	password string
}

// passwordVariable is where a process finds the password.
const passwordVariable = "APIFY_PROXY_PASSWORD"

// Open returns a proxy with a password of its own. Error kind Unavailable.
func Open(o Options) (*Proxy, error) {
	password, ways := rand.Text(), newWays(o)
	want := sha256.Sum256([]byte(password))
	p, err := egress.NewProxy(o.Gate, egress.ProxyOptions{
		AllowOtherUsers: true, Clock: o.Clock, Logger: o.Logger, Status: status,
		Authenticate: func(name, shown string) (*egress.Dialer, error) {
			if given := sha256.Sum256([]byte(shown)); subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
				return nil, errPassword
			}
			return ways.of(name)
		},
	})
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the proxy of the run cannot listen").WithCause(err)
	}
	return &Proxy{p, password}, nil
}

var errPassword = errtypes.New(errtypes.Unauthenticated, "the password is not that of a run that is executed here")

// Close ends the proxy and all connections through it. It is idempotent.
func (p *Proxy) Close() {
	if p != nil {
		_ = p.proxy.Close() // has no error
	}
}

// Password is what it lets in with; empty for none.
func (p *Proxy) Password() string { return p.Env()[passwordVariable] }

// Env is how the process finds the proxy: all four variables, or none. Clients take
// those of the hosted service for what is missing.
func (p *Proxy) Env() map[string]string {
	if p == nil {
		return nil
	}
	at := p.proxy.Addr()
	return map[string]string{
		passwordVariable: p.password, "APIFY_PROXY_HOSTNAME": at.Addr().String(), "APIFY_PROXY_PORT": strconv.Itoa(int(at.Port())),
		"APIFY_PROXY_STATUS_URL": p.proxy.URL(),
	}
}

// status is what clients ask for before they use a proxy: err is why it leads nowhere.
func status(err error) []byte {
	var s struct {
		Connected        bool    `json:"connected"`
		ConnectionError  *string `json:"connectionError"`
		IsManInTheMiddle bool    `json:"isManInTheMiddle"`
	}
	if s.Connected = err == nil; err != nil {
		message := errtypes.Public(err).Message
		s.ConnectionError = &message
	}
	body, _ := json.Marshal(s) // of texts
	return body
}
