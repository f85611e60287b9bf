package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// greeter listens on a loopback address, counts who comes, and tells each its
// own address.
type greeter struct {
	net.Listener
	visits atomic.Int64
	done   chan struct{}
}

func greet(t testing.TB, addr string) *greeter {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	g := &greeter{Listener: l, done: make(chan struct{})}
	go func() {
		defer close(g.done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			g.visits.Add(1)
			io.WriteString(conn, conn.LocalAddr().String())
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-g.done })
	return g
}

func (g *greeter) port() string {
	_, port, _ := net.SplitHostPort(g.Addr().String())
	return port
}

// reached dials and returns the address that answered.
func reached(t testing.TB, g *Gate, addr string) string {
	t.Helper()
	conn, err := g.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func refusedClass(t testing.TB, err error) Class {
	t.Helper()
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return refused.Class
}

func TestNothingIsConnectedToThatIsRefused(t *testing.T) {
	server := greet(t, "127.0.0.1:0")
	g := testGate(t)
	dns := newDNSServer(t, map[string][][]netip.Addr{"internal.example.": {addrs("127.0.0.1")}})
	g.opts.Resolver = dns.resolver()
	for _, host := range []string{"127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "localhost", "internal.example", "0.0.0.0", "::", "::127.0.0.1", "64:ff9b::127.0.0.1"} {
		conn, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, server.port()))
		if err == nil {
			conn.Close()
			t.Errorf("%s was connected to", host)
			continue
		}
		refusedClass(t, err)
		if !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: kind %s", host, errtypes.KindOf(err))
		}
	}
	if n := server.visits.Load(); n != 0 {
		t.Errorf("the server had %d visits", n)
	}
}

func TestNumberFormsAreNamesToTheGate(t *testing.T) {
	server := greet(t, "127.0.0.1:0")
	g := newGate(t, Options{Resolver: newDNSServer(t, nil).resolver()})
	for _, host := range []string{"127.1", "2130706433", "0x7f000001", "0177.0.0.1", "①②⑦.⓪.⓪.①"} {
		_, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, server.port()))
		var dns *net.DNSError
		if !errors.As(err, &dns) || !dns.IsNotFound {
			t.Errorf("%s: %v, want a name that is not found", host, err)
		}
	}
}

func TestTheAddressDialledIsTheOneChecked(t *testing.T) {
	checked := greet(t, "127.0.0.2:0")
	private := greet(t, "127.0.0.1:"+checked.port())
	dns := newDNSServer(t, map[string][][]netip.Addr{
		"rebind.example.": {addrs("127.0.0.2"), addrs("127.0.0.1")},
	})
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.2/32"), Resolver: dns.resolver()})
	if got := reached(t, g, "rebind.example:"+checked.port()); !strings.HasPrefix(got, "127.0.0.2:") {
		t.Errorf("%s answered", got)
	}
	if n := dns.questions("rebind.example."); n != 1 {
		t.Errorf("the name was looked up %d times for one connection", n)
	}
	_, err := g.DialContext(t.Context(), "tcp", "rebind.example:"+checked.port())
	if class := refusedClass(t, err); class != ClassLoopback {
		t.Errorf("refused as %s", class)
	}
	if n := private.visits.Load(); n != 0 {
		t.Errorf("the private server had %d visits", n)
	}
}

func TestOfMixedAnswersOnlyTheFreeAreDialled(t *testing.T) {
	free := greet(t, "127.0.0.2:0")
	private := greet(t, "127.0.0.1:"+free.port())
	dns := newDNSServer(t, map[string][][]netip.Addr{"mixed.example.": {addrs("127.0.0.1", "127.0.0.2", "10.0.0.1", "::1")}})
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.2/32"), Resolver: dns.resolver()})
	if got := reached(t, g, "mixed.example:"+free.port()); !strings.HasPrefix(got, "127.0.0.2:") {
		t.Errorf("%s answered", got)
	}
	if n := private.visits.Load(); n != 0 {
		t.Errorf("the private server had %d visits", n)
	}
}

func TestControlChecksWhatTheSystemIsGiven(t *testing.T) {
	server := greet(t, "127.0.0.1:0")
	g := testGate(t)
	_, err := g.dialOne(t.Context(), netip.MustParseAddrPort("127.0.0.1:"+server.port()))
	if class := refusedClass(t, err); class != ClassLoopback {
		t.Errorf("refused as %s", class)
	}
	for _, c := range []struct{ network, address string }{
		{"udp4", "8.8.8.8:80"}, {"unix", "/run/x.sock"}, {"tcp4", "example.com:80"},
	} {
		if err := g.control(t.Context(), c.network, c.address, nil); !errors.Is(err, errNotChecked) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := g.control(t.Context(), "tcp4", "8.8.8.8:25", nil); refusedClass(t, err) != ClassPort {
		t.Error("port 25 passes Control")
	}
	if n := server.visits.Load(); n != 0 {
		t.Errorf("the server had %d visits", n)
	}
}

func TestBadTargets(t *testing.T) {
	g := testGate(t, "127.0.0.0/8")
	for _, c := range []struct{ network, addr string }{
		{"udp", "127.0.0.1:80"}, {"unix", "/run/x.sock"}, {"ip4:icmp", "127.0.0.1"},
		{"tcp", "127.0.0.1"}, {"tcp", "127.0.0.1:http"}, {"tcp", "127.0.0.1:65536"}, {"tcp", "127.0.0.1:-1"}, {"tcp", "::1:80"},
	} {
		if conn, err := g.DialContext(t.Context(), c.network, c.addr); err == nil {
			conn.Close()
			t.Errorf("%v was dialled", c)
		}
	}
	_, err := g.DialContext(t.Context(), "tcp", "127.0.0.1:25")
	if class := refusedClass(t, err); class != ClassPort {
		t.Errorf("port 25 is refused as %s", class)
	}
}

func TestFailuresKeepTheirNature(t *testing.T) {
	dns := newDNSServer(t, map[string][][]netip.Addr{"empty.example.": {{}}})
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.0/8"), Resolver: dns.resolver()})
	for _, host := range []string{"unknown.example", "empty.example"} {
		_, err := g.DialContext(t.Context(), "tcp", host+":80")
		var dnsErr *net.DNSError
		if !errors.As(err, &dnsErr) || !dnsErr.IsNotFound {
			t.Errorf("%s: %v", host, err)
		}
	}
	_, err := g.DialContext(t.Context(), "tcp", closedPort(t))
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a closed port: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.DialContext(ctx, "tcp", "127.0.0.1:80"); !errors.Is(err, context.Canceled) && !strings.Contains(fmt.Sprint(err), "operation was canceled") {
		t.Errorf("a canceled context: %v", err)
	}
}

// closedPort returns an address on which nothing listens.
func closedPort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestAFailedAddressGivesWayToTheNext(t *testing.T) {
	server := greet(t, "127.0.0.3:0")
	dns := newDNSServer(t, map[string][][]netip.Addr{"h.example.": {addrs("127.0.0.1", "127.0.0.2", "127.0.0.3")}})
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.0/8"), Resolver: dns.resolver()})
	if got := reached(t, g, "h.example:"+server.port()); !strings.HasPrefix(got, "127.0.0.3:") {
		t.Errorf("%s answered", got)
	}
	g.opts.MaxAddresses = 2
	if _, err := g.DialContext(t.Context(), "tcp", "h.example:"+server.port()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("with two addresses tried: %v", err)
	}
}

func TestInterleave(t *testing.T) {
	for in, want := range map[string]string{
		"2a00::1":                         "2a00::1",
		"2a00::1 2a00::2 1.1.1.1 2.2.2.2": "2a00::1 1.1.1.1 2a00::2 2.2.2.2",
		"1.1.1.1 2.2.2.2 3.3.3.3 2a00::1": "1.1.1.1 2a00::1 2.2.2.2 3.3.3.3",
		"::ffff:1.1.1.1 2a00::1 2a00::2":  "::ffff:1.1.1.1 2a00::1 2a00::2",
	} {
		if got := interleave(addrs(strings.Fields(in)...)); !slices.Equal(got, addrs(strings.Fields(want)...)) {
			t.Errorf("%s: got %v, want %s", in, got, want)
		}
	}
}
