package egress

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// BenchmarkProxyAgainstDirect downloads through a session's proxy and directly,
// in pairs of one run, and reports the median of the ratios of their
// throughputs. Its goal: at least 0.8, of 20 pairs, for http and https.
func BenchmarkProxyAgainstDirect(b *testing.B) {
	starts := []struct {
		scheme string
		start  func(http.Handler) *httptest.Server
	}{{"http", httptest.NewServer}, {"https", httptest.NewTLSServer}}
	for _, s := range starts {
		for _, load := range []struct {
			name       string
			size, many int
		}{{"128MB", 128 << 20, 1}, {"136KB", 136 << 10, 200}} {
			b.Run(s.scheme+"/"+load.name, func(b *testing.B) {
				server := s.start(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendBytes(w, load.size) }))
				defer server.Close()
				p := startProxy(b, testGate(b, "127.0.0.1/32"), ProxyOptions{})
				comparePaths(b, server.URL, load.many, straight(server), through(b, p, server))
			})
		}
	}
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

// benchPairs is how many pairs a median is of, whatever b.N is.
const benchPairs = 20

func comparePaths(b *testing.B, url string, many int, direct, proxied *http.Client) {
	defer direct.CloseIdleConnections()
	defer proxied.CloseIdleConnections()
	var ratios, speeds []float64
	for b.Loop() {
		for i := range benchPairs {
			clients := []*http.Client{direct, proxied}
			if i%2 == 1 {
				slices.Reverse(clients)
			}
			took := map[*http.Client]float64{}
			for _, c := range clients {
				took[c] = download(b, c, url, many)
			}
			ratios = append(ratios, took[direct]/took[proxied])
			speeds = append(speeds, took[proxied])
		}
	}
	slices.Sort(ratios)
	slices.Sort(speeds)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(speeds[len(speeds)/2]*1e3, "ms")
	b.ReportMetric(ratios[len(ratios)/2], "of-direct")
}

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
