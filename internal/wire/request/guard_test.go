package request

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// A connection on which a body was dropped serves the next request as any other.
func TestTheNextRequestIsNotCanceled(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own, answered := Guard(w, r, Limits{})
		var err error
		switch r.URL.Path {
		case "/unread":
			err = errtypes.New(errtypes.Unauthenticated, "no key")
		case "/form":
			err = readForm(w, own, Limits{MaxBody: 1000})
		case "/next":
			select {
			case <-own.Context().Done():
				err = errtypes.New(errtypes.Internal, "canceled")
			case <-time.After(20 * time.Millisecond):
			}
		}
		if err == nil {
			err = errtypes.New(errtypes.NotFound, "as it is to be")
		}
		refuse(w, err)
		answered()
		time.Sleep(5 * time.Millisecond) // what is done last: the log
	}))
	t.Cleanup(s.Close)
	const chunked = " HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, pieces := range map[string][]string{
		"at once":            {"POST /unread" + chunked + "2\r\nab\r\n0\r\n\r\n"},
		"its end comes late": {"POST /unread" + chunked + "2\r\nab\r\n", "0\r\n\r\n"},
		"a form":             {"POST /form" + chunked + "14\r\n--b\r\n\r\nabcd\r\n--b--\r\n\r\n", "0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			in := bufio.NewReader(c)
			answer := func() (int, bool) {
				res, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
				return res.StatusCode, res.Close
			}
			for _, p := range pieces {
				_, _ = io.WriteString(c, p)
				time.Sleep(20 * time.Millisecond)
			}
			if status, closes := answer(); status == 200 || closes {
				t.Fatal(status, closes)
			}
			for range 3 {
				_, _ = io.WriteString(c, "GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
				if status, closes := answer(); status != http.StatusNotFound || closes {
					t.Errorf("%d, close %t", status, closes)
				}
			}
		})
	}
}

// A caller who sends no more does not hold up a server that ends.
func TestDroppingEndsWithItsServer(t *testing.T) {
	t.Parallel()
	base, end := context.WithCancel(t.Context())
	dropping, dropped := make(chan struct{}), make(chan time.Duration, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, answered := Guard(w, r, Limits{IdleTimeout: time.Hour, TotalTimeout: time.Hour})
		refuse(w, errtypes.New(errtypes.Unauthenticated, "no key"))
		close(dropping)
		dropped <- answered()
	}))
	s.Config.BaseContext = func(net.Listener) context.Context { return base }
	s.Start()
	t.Cleanup(s.Close)
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n"+strings.Repeat("x", 1000))
	<-dropping
	if res, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Fatal(res, err)
	}
	end()
	if took := <-dropped; took <= 0 {
		t.Error(took)
	}
}
