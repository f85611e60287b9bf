package egress

import (
	"bufio"
	"errors"
	"net"
)

// exact is a connection from which so many bytes may come. Whoever sends more
// fails.
type exact struct {
	net.Conn
	in   *bufio.Reader
	left int64
}

var errTooMuch = errors.New("egress: the client sent more than its request")

func (e *exact) Read(p []byte) (int, error) {
	if e.left > 0 {
		p = p[:min(int64(len(p)), e.left)]
	}
	n, err := e.in.Read(p)
	if e.left -= int64(n); e.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

// CloseWrite ends the direction to the client.
func (e *exact) CloseWrite() error { return closeWrite(e.Conn) }
