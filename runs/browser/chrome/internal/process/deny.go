package process

import (
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
)

// denyProxy is where a browser sends what belongs to no session: its own
// business, and whatever would slip past a session's proxy. It hangs up on
// everyone. That it listens keeps another local process from taking the port.
// It holds the UDP port of the same number, too, and reads nothing there: see
// guardPreferences.
type DenyProxy struct {
	ln  net.Listener
	udp []io.Closer
	wg  sync.WaitGroup
}

// denyTries is how many ports are tried until one is free for UDP, too.
const denyTries = 20

func NewDenyProxy() (d *DenyProxy, err error) {
	for range denyTries {
		if d, err = listenDeny(); err == nil {
			d.wg.Go(d.serve)
			return d, nil
		}
	}
	return nil, err
}

func listenDeny() (*DenyProxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	udp, err := holdUDP(ln.Addr().(*net.TCPAddr).Port)
	if err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return &DenyProxy{ln: ln, udp: udp}, nil
}

// holdUDP takes a port, of IPv6 where the machine has it, too, so that nobody else
// can have it on all interfaces.
func holdUDP(port int) (held []io.Closer, err error) {
	four, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return nil, err
	}
	six, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback, Port: port})
	switch {
	case err == nil:
		return []io.Closer{four, six}, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, errors.Join(err, four.Close())
	}
	return []io.Closer{four}, nil
}

func (d *DenyProxy) Addr() string { return d.ln.Addr().String() }

func (d *DenyProxy) serve() {
	for {
		c, err := d.ln.Accept()
		if err != nil {
			return
		}
		c.Close()
	}
}

func (d *DenyProxy) Close() error {
	err := d.ln.Close()
	for _, held := range d.udp {
		err = errors.Join(err, held.Close())
	}
	d.wg.Wait()
	return err
}
