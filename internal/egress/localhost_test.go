package egress_test

import (
	"context"
	"net"
	"net/netip"
	"testing"

	"github.com/drover-go/drover/internal/egress"
)

// nobodyAsked is a resolver that no name below localhost comes to.
type nobodyAsked struct{ t *testing.T }

func (n nobodyAsked) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.t.Errorf("%s is asked for", host)
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func TestNamesBelowLocalhostAreThisMachine(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, open := range []bool{true, false} {
		o := egress.Options{Resolver: nobodyAsked{t}}
		if open {
			o.AllowPrefixes = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}
		gate, err := egress.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range []string{"app.localhost", "a.b.LOCALHOST", "app.localhost."} {
			conn, err := gate.DialContext(t.Context(), "tcp", net.JoinHostPort(host, port))
			if open != (err == nil) {
				t.Errorf("%s, open %v: %v", host, open, err)
			}
			if conn != nil {
				conn.Close()
			}
		}
	}
}
