package framing

import (
	"io"
	"net"
	"strings"
	"testing"
)

// Whatever comes, in whatever pieces, is handed on as it came, up to where the
// connection is broken off.
func FuzzConn(f *testing.F) {
	for _, seed := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\n\n",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc", "\r\n\r\n\r\n", "a\n b\n\n", "POST /\nTransfer-Encoding: chunked\n\nffffffffffffffff\n",
		"POST / HTTP/1.1\nContent-Length: 9223372036854775807\n\nabc",
	} {
		f.Add(seed, 1)
		f.Add(seed, 100)
	}
	f.Fuzz(func(t *testing.T, raw string, piece int) {
		piece = min(max(piece, 1), 4096)
		in, out := net.Pipe()
		defer out.Close()
		go func() {
			defer in.Close()
			_, _ = io.WriteString(in, raw)
		}()
		c := &conn{Conn: out}
		got, p := "", make([]byte, piece)
		var err error
		for err == nil {
			var n int
			n, err = c.Read(p)
			got += string(p[:n])
		}
		if !strings.HasPrefix(raw, got) || err == io.EOF && got != raw {
			t.Fatalf("%q became %q, %v", raw, got, err)
		}
	})
}
