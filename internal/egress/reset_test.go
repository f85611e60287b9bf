package egress_test

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/drover-go/drover/internal/egress"
)

// A response that says its length by its end is whole for whoever sees an
// orderly one, so that the end of a server that breaks off must not look so.
func TestAResponseThatBreaksOffIsNotTakenForTheWhole(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	served := make(chan struct{})
	go func() {
		defer close(served)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf of")
		<-read
		conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}()
	gate, err := egress.New(egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := egress.NewProxy(gate, egress.ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	through, _ := url.Parse(p.URL())
	tr := &http.Transport{Proxy: http.ProxyURL(through)}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get("http://" + l.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, len("half of"))); err != nil {
		t.Fatal(err)
	}
	close(read)
	if rest, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("the client takes it for the whole: %q", rest)
	}
	l.Close()
	<-served
}
