package egresstest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"testing"
)

// serveSOCKS serves SOCKS 5 until the test ends.
func (p *Proxy) serveSOCKS(t testing.TB) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				defer context.AfterFunc(ctx, func() { conn.Close() })()
				p.socks(ctx, conn)
			})
		}
	})
	p.End = func() { l.Close(); cancel(); wg.Wait() }
	t.Cleanup(p.End)
	return l.Addr().String()
}

func (p *Proxy) socks(ctx context.Context, conn net.Conn) {
	if !p.greet(conn) {
		return
	}
	target, ok := readTarget(conn)
	if !ok {
		return
	}
	p.note("SOCKS " + target)
	server, err := p.gate.DialContext(ctx, "tcp", target)
	if err != nil {
		conn.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	defer server.Close()
	defer context.AfterFunc(ctx, func() { server.Close() })()
	conn.Write([]byte{5, 0, 0, 3, 4, 'h', 'e', 'r', 'e', 0, 80}) // a name is as good as an address
	relay(conn, conn, server)
}

// read returns n bytes; nil when they do not come.
func read(in io.Reader, n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil
	}
	return b
}

func readText(in io.Reader) string {
	n := read(in, 1)
	if n == nil {
		return ""
	}
	return string(read(in, int(n[0])))
}

// greet agrees on a way to log in, the one it wants, and checks it.
func (p *Proxy) greet(conn net.Conn) bool {
	head := read(conn, 2)
	if head == nil || head[0] != 5 {
		return false
	}
	want := byte(0)
	if p.user != "" {
		want = 2
	}
	offered := false
	for _, m := range read(conn, int(head[1])) {
		offered = offered || m == want
	}
	if !offered {
		conn.Write([]byte{5, 0xff})
		return false
	}
	conn.Write([]byte{5, want})
	if want == 0 {
		return true
	}
	if v := read(conn, 1); v == nil || v[0] != 1 {
		return false
	}
	user, password := readText(conn), readText(conn)
	ok := user == p.user && password == p.password
	conn.Write([]byte{1, map[bool]byte{false: 1, true: 0}[ok]})
	return ok
}

func readTarget(conn net.Conn) (string, bool) {
	head := read(conn, 4)
	if head == nil || head[0] != 5 || head[1] != 1 {
		return "", false
	}
	host := ""
	switch head[3] {
	case 1, 4:
		addr, _ := netip.AddrFromSlice(read(conn, map[byte]int{1: 4, 4: 16}[head[3]]))
		host = addr.String()
	case 3:
		host = readText(conn)
	}
	port := read(conn, 2)
	if port == nil {
		return "", false
	}
	return net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port)))), true
}
