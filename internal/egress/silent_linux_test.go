package egress

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// TestASilentAddressGivesWayToTheNext fills the backlog of a listener that
// never accepts, so that the system keeps whoever connects to it waiting.
func TestASilentAddressGivesWayToTheNext(t *testing.T) {
	silent, port := fullBacklog(t, "127.0.0.1")
	server := greet(t, "127.0.0.2:"+port)
	hands := clock.NewManual(time.Unix(0, 0))
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.0/8"), Clock: hands})
	result := make(chan string)
	go func() {
		conn, err := g.race(t.Context(), []netip.AddrPort{netip.MustParseAddrPort(silent), netip.MustParseAddrPort(server.Addr().String())}, g.dialOne)
		if err != nil {
			result <- err.Error()
			return
		}
		conn.Close()
		result <- conn.RemoteAddr().String()
	}()
	hands.WaitForTimers(1) // the first attempt is under way
	if n := server.visits.Load(); n != 0 {
		t.Errorf("the second address was tried at once")
	}
	hands.Advance(250 * time.Millisecond)
	if got := <-result; got != server.Addr().String() {
		t.Errorf("got %s", got)
	}
}

func TestConnectingEndsWithItsTime(t *testing.T) {
	silent, _ := fullBacklog(t, "127.0.0.1")
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.0/8"), ConnectTimeout: time.Millisecond})
	_, err := g.DialContext(t.Context(), "tcp", silent)
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("got %v, want a time-out", err)
	}
}

// fullBacklog returns the address of a listener whose queue is full.
func fullBacklog(t testing.TB, host string) (addr, port string) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "listener")
	t.Cleanup(func() { file.Close() })
	ip := netip.MustParseAddr(host).As4()
	if err := errors.Join(syscall.Bind(fd, &syscall.SockaddrInet4{Addr: ip}), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	port = fmt.Sprint(name.(*syscall.SockaddrInet4).Port)
	addr = net.JoinHostPort(host, port)
	for range 8 { // the queue takes one or two
		conn, err := net.DialTimeout("tcp", addr, 200*time.Millisecond)
		if err != nil {
			return addr, port
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Skip("this system queues connections without bound")
	return "", ""
}
