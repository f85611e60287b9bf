package egress

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// A stream that stops in the middle of a large piece, longer than bulk is
// waited for, goes on as it was, with every byte in its place.
func TestBulkThatPausesGoesOn(t *testing.T) {
	const rounds, size = 30, 300 << 10
	sent := make([]byte, size)
	for i := range sent {
		sent[i] = byte(rand.Uint32())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan error, 1)
	go func() { // sends a piece for each byte that it is sent
		conn, err := l.Accept()
		for range rounds {
			if err == nil {
				_, err = io.ReadFull(conn, make([]byte, 1))
			}
			if err == nil {
				_, err = conn.Write(sent)
			}
		}
		if conn != nil {
			conn.Close()
		}
		done <- err
	}()
	// The bulk's pause is real time, half of what the idle watch takes from a
	// clock that stands still.
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{Clock: clock.NewManual(time.Unix(0, 0)), IdleTimeout: time.Millisecond})
	conn := tunnelTo(t, p, l.Addr().String())
	got := make([]byte, size)
	for range rounds {
		if _, err := conn.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("a piece is not what was sent, %v", err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	conn.Close()
	p.Close()
	if s := p.Stats(); s.Received != rounds*size || s.Sent != rounds {
		t.Errorf("counted %+v", s)
	}
}
