package chrome

import (
	"net"
	"sync"
)

// denyProxy is where a browser sends what belongs to no session: its own
// business, and whatever would slip past a session's proxy. It hangs up on
// everyone. That it listens keeps another local process from taking the port.
type denyProxy struct {
	ln net.Listener
	wg sync.WaitGroup
}

func newDenyProxy() (*denyProxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &denyProxy{ln: ln}
	d.wg.Go(d.serve)
	return d, nil
}

func (d *denyProxy) addr() string { return d.ln.Addr().String() }

func (d *denyProxy) serve() {
	for {
		c, err := d.ln.Accept()
		if err != nil {
			return
		}
		c.Close()
	}
}

func (d *denyProxy) close() error {
	err := d.ln.Close()
	d.wg.Wait()
	return err
}
