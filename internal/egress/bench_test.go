package egress

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkProxyAgainstDirect downloads through a session's proxy and directly,
// in turns of one run, and reports the median of the ratios of their
// throughputs. Its goal: at least 0.8, of 20 rounds, for http and https.
//
// relay-of-direct is the same for a relay of bare TCP that looks at nothing: what
// any machine in between costs here. Where it is below the goal, as for many
// small pages one after the other over loopback, which take longer to hand on
// than to make, it is the mark.
func BenchmarkProxyAgainstDirect(b *testing.B) {
	starts := []struct {
		scheme string
		start  func(http.Handler) *httptest.Server
	}{{"http", httptest.NewServer}, {"https", httptest.NewTLSServer}}
	for _, s := range starts {
		for _, load := range []struct {
			name       string
			size, many int
		}{{"128MB", 128 << 20, 1}, {"136KB", 136 << 10, 200}, {"16KB", 16 << 10, 400}} {
			b.Run(s.scheme+"/"+load.name, func(b *testing.B) {
				server := s.start(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendBytes(w, load.size) }))
				defer server.Close()
				p := startProxy(b, testGate(b, "127.0.0.1/32"), ProxyOptions{})
				comparePaths(b, server.URL, load.many, straight(server), through(b, p, server), bareRelay(b, server))
			})
		}
	}
}

// bareRelay returns a client whose connections lead through a relay of bytes.
func bareRelay(b *testing.B, server *httptest.Server) *http.Client {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	var running sync.WaitGroup
	b.Cleanup(func() { l.Close(); running.Wait() })
	pass := func(to, from net.Conn) { io.Copy(to, from); to.Close(); from.Close() }
	running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			behind, err := net.Dial("tcp4", server.Listener.Addr().String())
			if err != nil {
				client.Close()
				continue
			}
			running.Go(func() { pass(client, behind) })
			running.Go(func() { pass(behind, client) })
		}
	})
	c := straight(server)
	c.Transport.(*http.Transport).DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp4", l.Addr().String())
	}
	return c
}

// straight returns a client with no proxy.
func straight(server *httptest.Server) *http.Client {
	t := &http.Transport{}
	if server.TLS != nil {
		t.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	}
	return &http.Client{Transport: t}
}

var benchChunk = make([]byte, 64<<10)

func sendBytes(w http.ResponseWriter, n int) {
	w.Header().Set("Content-Length", fmt.Sprint(n))
	for n > 0 {
		sent, err := w.Write(benchChunk[:min(n, len(benchChunk))])
		if err != nil {
			return
		}
		n -= sent
	}
}

// benchRounds is how many rounds a median is of, whatever b.N is.
const benchRounds = 20

func comparePaths(b *testing.B, url string, many int, direct, proxied, relayed *http.Client) {
	clients := []*http.Client{direct, proxied, relayed}
	took := make([][]float64, len(clients))
	for b.Loop() {
		for round := range benchRounds {
			for i := range clients { // another one begins each time
				c := (i + round) % len(clients)
				took[c] = append(took[c], download(b, clients[c], url, many))
			}
		}
	}
	for _, c := range clients {
		c.CloseIdleConnections()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took[1])*1e3, "ms")
	b.ReportMetric(median(ratios(took[0], took[1])), "of-direct")
	b.ReportMetric(median(ratios(took[0], took[2])), "relay-of-direct")
}

func ratios(a, b []float64) (all []float64) {
	for i := range a {
		all = append(all, a[i]/b[i])
	}
	return all
}

func median(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

// download returns the seconds that it takes.
func download(b *testing.B, c *http.Client, url string, many int) float64 {
	start := time.Now()
	buf := make([]byte, 256<<10)
	for range many {
		resp, err := c.Get(url)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, resp.Body, buf); err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
	return time.Since(start).Seconds()
}
