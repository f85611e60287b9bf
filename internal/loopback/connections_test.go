package loopback

import (
	"bufio"
	"net"
	"net/http"
	"testing"
)

// Who waits until a client has no connection hears of the end of the last one.
func TestAClientIsGone(t *testing.T) {
	t.Parallel()
	conns, client := NewConnections(), &Client{}
	e := New(Options{Name: "tests", Configure: conns.Watch, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if end, ok := conns.Begin(r, client); ok {
			end()
		}
	})})
	defer e.Close()
	<-conns.Gone(client) // it was never there
	addr, err := e.Address()
	if err != nil {
		t.Fatal(err)
	}
	var open []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp4", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: " + addr + "\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		open = append(open, conn)
	}
	gone := conns.Gone(client)
	open[0].Close()
	select {
	case <-gone:
		t.Error("it has a connection")
	default:
	}
	open[1].Close()
	<-gone
	<-conns.Gone(client)
}
