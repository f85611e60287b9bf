// Package hosthttp is what clients of services have in common that the host has
// configured: language models, search services. Their addresses are the host's
// choice and not subject to the gate of pages.
package hosthttp

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Transport makes connections through the proxies of the environment, each within
// the time, TLS included.
func Transport(connect time.Duration) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: connect}).DialContext
	t.TLSHandshakeTimeout = connect
	t.MaxIdleConnsPerHost = 16
	return t
}

// Stay is a CheckRedirect that follows no redirect: the key would go along.
func Stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// RetryAfter reads the headers that say when to ask again.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// Clean takes secrets of four characters and more out of a text.
func Clean(text string, secrets ...string) string {
	for _, secret := range secrets {
		if len(secret) >= 4 {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}
