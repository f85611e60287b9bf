package egress_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

// BenchmarkInterceptedTunnel downloads 64 MB through a tunnel in which the proxy
// speaks TLS, and through one that it leaves alone, in turns, and reports the
// ratio of their throughputs: of-plain. Its goal: at least 0.5, since every byte
// is decrypted and encrypted once more.
func BenchmarkInterceptedTunnel(b *testing.B) {
	system, private := egresstest.NewAuthority(b, "system"), egresstest.NewAuthority(b, "private")
	chunk := make([]byte, 64<<10)
	serve := func(by *egresstest.Authority) string {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for range 1 << 10 {
				w.Write(chunk)
			}
		}))
		s.TLS = &tls.Config{Certificates: []tls.Certificate{by.Issue(b, nil, "127.0.0.1")}}
		s.StartTLS()
		b.Cleanup(s.Close)
		return s.URL
	}
	p, _ := tlsProxy(b, system, egress.TLS{Roots: []*x509.Certificate{private.Cert}})
	c := browserOf(b, p, system, "http/1.1")
	urls := []string{serve(system), serve(private)}
	took := make([][]float64, 2)
	for b.Loop() {
		for range 9 {
			for i, u := range urls {
				began := time.Now()
				resp, err := c.Get(u)
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				took[i] = append(took[i], time.Since(began).Seconds())
			}
		}
	}
	for _, all := range took {
		slices.Sort(all)
	}
	plain, intercepted := took[0][len(took[0])/2], took[1][len(took[1])/2]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(64/intercepted, "MB/s")
	b.ReportMetric(64/plain, "plain-MB/s")
	b.ReportMetric(plain/intercepted, "of-plain")
}
