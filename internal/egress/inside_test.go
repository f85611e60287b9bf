package egress_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"

	"github.com/drover-go/drover/internal/egress"
)

// What a policy answers inside never reaches a server: not the one that the
// target names, nor the gate, which would refuse it.
func TestATunnelThatIsAnsweredInside(t *testing.T) {
	inside := func(c net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ninside %s", r.Host)
		}
		c.Close()
	}
	policy := egress.Policy{AllowedDomains: []string{"nothing.invalid"}, Inside: func(target string) func(net.Conn) {
		if target != "10.1.2.3:80" && target != "10.1.2.3:443" {
			return nil
		}
		return inside
	}}
	g := gateFor(t, nil)
	p, _ := startProxy(t, g, policy)
	for target, want := range map[string]string{
		"https://10.1.2.3/": "inside 10.1.2.3", "https://10.1.2.3:80/": "inside 10.1.2.3:80", "https://10.1.2.3:444/": "", "https://10.1.2.4/": "",
	} {
		got := ""
		res, err := throughProxy(t, p).Get(target)
		if err == nil {
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			got = string(body)
		}
		if got != want {
			t.Errorf("%s: %q, %v", target, got, err)
		}
	}
	if n := p.Stats().Refused; n != 2 {
		t.Errorf("%d were refused", n)
	}
	if s := p.Stats(); s.Sent != 0 || s.Received != 0 {
		t.Errorf("traffic of %d and %d bytes", s.Sent, s.Received)
	}
}

// throughProxy is a client that accepts the certificates that the proxy makes.
func throughProxy(t *testing.T, p *egress.Proxy) *http.Client {
	t.Helper()
	via, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(via), TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, // the key is looked at, as Chromium does
		VerifyConnection: func(s tls.ConnectionState) error {
			if hashOf(s.PeerCertificates[0]) != egress.LeafKeyHash() {
				return errors.New("the certificate has another key")
			}
			return nil
		},
	}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}
