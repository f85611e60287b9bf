package egress

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
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

// Whatever the size of a body is to the buffers that it passes, and however it
// comes, it arrives as it was, one after the other on the same connection.
func TestBodiesOfEverySizeArriveWhole(t *testing.T) {
	content := make([]byte, 600<<10)
	for i := range content {
		content[i] = byte(rand.Uint32())
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		if r.URL.Path == "/length" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		}
		for rest := content[:n]; len(rest) > 0; {
			piece := rest[:min(len(rest), 1+rand.IntN(100<<10))]
			w.Write(piece)
			http.NewResponseController(w).Flush()
			rest = rest[len(piece):]
		}
	}))
	defer server.Close()
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	c := through(t, p, server)
	defer c.CloseIdleConnections()
	total := 0
	for _, about := range []int{1, linkBuffer, bulkLeast, linkBuffer + bulkLeast, pumpBuffer, pumpBuffer + bulkLeast, 300 << 10} {
		for n := about - 1; n <= about+1; n++ {
			for _, path := range []string{"/length", "/chunks"} {
				resp, err := c.Get(server.URL + path + "?n=" + strconv.Itoa(n))
				if got := body(t, resp, err); got != string(content[:n]) {
					t.Fatalf("%s of %d bytes: %d came, or others", path, n, len(got))
				}
				total += n
			}
		}
	}
	p.Close()
	if s := p.Stats(); s.Received < int64(total) || s.Received > int64(total+total/10) || s.Failed != 0 {
		t.Errorf("%d bytes were counted as %+v", total, s)
	}
}
