package egress

import (
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// dialAs connects with a socket that belongs to the user. The thread that took
// the user's identity ends with the goroutine.
func dialAs(t *testing.T, uid int, addr string) net.Conn {
	t.Helper()
	type result struct {
		conn net.Conn
		err  error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread()
		syscall.RawSyscall(syscall.SYS_SETFSUID, uintptr(uid), 0, 0)
		conn, err := net.Dial("tcp", addr)
		got <- result{conn, err}
	}()
	r := <-got
	if r.err != nil {
		t.Fatal(r.err)
	}
	t.Cleanup(func() { r.conn.Close() })
	return r.conn
}

func TestOtherUsersAreTurnedAway(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	for allow, want := range map[bool]string{false: "", true: "HTTP/1.1 403 "} {
		p := startProxy(t, testGate(t), ProxyOptions{AllowOtherUsers: allow})
		conn := dialAs(t, 65534, p.Addr().String())
		io.WriteString(conn, "CONNECT 127.0.0.1:80 HTTP/1.1\r\n\r\n")
		got, _ := io.ReadAll(conn)
		if string(got) != want && (want == "" || !strings.HasPrefix(string(got), want)) {
			t.Errorf("AllowOtherUsers %t: another user got %q", allow, got)
		}
		p.Close()
		if n := p.Stats().TurnedAway; (n == 1) == allow {
			t.Errorf("AllowOtherUsers %t: %d turned away", allow, n)
		}
	}
}

func TestSocketOwner(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	local, remote := conn.LocalAddr().(*net.TCPAddr).AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort()
	if _, ok := diagOwner(local, remote); !ok {
		t.Log("this kernel does not tell the owner of one socket: only its table is read")
	}
	for name, owner := range map[string]func(local, remote netip.AddrPort) (int, bool){"asked": socketOwner, "table": tableOwner} {
		if uid, ok := owner(local, remote); !ok || uid != os.Geteuid() {
			t.Errorf("%s: owner %d, %t", name, uid, ok)
		}
		if uid, ok := owner(local, netip.MustParseAddrPort("127.0.0.1:1")); ok {
			t.Errorf("%s: a connection that is not there belongs to %d", name, uid)
		}
	}
}
