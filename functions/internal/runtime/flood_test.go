package runtime

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// heapOver returns how much the heap grows at most while f runs.
func heapOver(f func()) int64 {
	use := func() int64 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	runtime.GC()
	begin, most := use(), int64(0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	for tick := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case <-done:
			tick.Stop()
			return most - begin
		case <-tick.C:
			most = max(most, use())
		}
	}
}

// send posts a body of a size over a connection of its own, as far as it is taken, and
// returns the status; 0 for none.
func send(at, what string, piece []byte, pieces int) int {
	host, secret, _ := strings.Cut(at, "/")
	conn, err := net.Dial("tcp4", host)
	if err != nil {
		return 0
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /%s/2018-06-01/runtime/invocation/%s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n", secret, what, host, len(piece)*pieces)
	for range pieces {
		if _, err := conn.Write(piece); err != nil {
			break
		}
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// TestBodiesTakeNoMemory has a process send what it can over many connections, for an
// invocation that it has and for others. No other test runs meanwhile.
func TestBodiesTakeNoMemory(t *testing.T) {
	_, ch := open(t, Options{})
	at := address(t, ch)
	outcome := make(chan Outcome, 1)
	go func() {
		out, _ := ch.Do(t.Context(), Invocation{Function: "f", Params: []byte(`{}`), Context: contextOf})
		outcome <- out
	}()
	id, body := next(t, at)
	if line, err := bufio.NewReader(body).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	piece := []byte(strings.Repeat(" ", 96<<10)) // with a number behind it JSON
	grown := heapOver(func() {
		var all sync.WaitGroup
		for i := range 300 {
			what := "nobody/response"
			switch i % 3 {
			case 1:
				what = id + "/response"
			case 2:
				what = id + "/error"
			}
			all.Go(func() { send(at, what, piece, 64) })
		}
		all.Wait()
	})
	t.Logf("the heap has grown by %d MiB", grown>>20)
	if grown > 64<<20 {
		t.Errorf("the heap has grown by %d MiB", grown>>20)
	}
	if out := <-outcome; out.Failure == nil { // white space is no JSON
		t.Errorf("%+v", out)
	}
}

// A process has a few connections at a time, and each that ends makes room for another.
func TestAProcessHasAFewConnections(t *testing.T) {
	t.Parallel()
	e, ch := open(t, Options{})
	other := e.Open()
	host, secret, _ := strings.Cut(address(t, ch), "/")
	ask := func(secret string) (net.Conn, int) {
		t.Helper()
		conn, err := net.Dial("tcp4", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET /%s/2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: %s\r\n\r\n", secret, host)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		return conn, res.StatusCode
	}
	var first net.Conn
	for i := range e.conns.Most {
		conn, status := ask(secret)
		if status != http.StatusOK {
			t.Fatalf("%d: %d", i, status)
		}
		if i == 0 {
			first = conn
		}
	}
	if _, status := ask(secret); status != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", status)
	}
	if _, status := ask(other.secret); status != http.StatusOK {
		t.Errorf("another process: %d", status)
	}
	first.Close()
	for until := time.Now().Add(testlevel.Loaded(30 * time.Second)); ; {
		if _, status := ask(secret); status == http.StatusOK {
			break
		}
		if time.Now().After(until) {
			t.Fatal("a connection that has ended makes no room")
		}
	}
}

// Connections that say nothing keep nobody out.
func TestSilentConnectionsGo(t *testing.T) {
	t.Parallel()
	e, ch := open(t, Options{})
	e.conns.MostUnknown = 8
	host, secret, _ := strings.Cut(address(t, ch), "/")
	var silent []net.Conn
	for range 30 {
		conn, err := net.Dial("tcp4", host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		silent = append(silent, conn)
	}
	if status := post(t, host+"/"+secret, "x/response", "1"); status != http.StatusAccepted {
		t.Error(status)
	}
	for _, conn := range silent[:20] {
		if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil { // before the head's time is over
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("it is open: %v", err)
		}
	}
	if n := e.conns.Unknown(); n > 8 {
		t.Errorf("%d are left", n)
	}
}
