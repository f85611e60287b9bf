package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter"
)

// closing is the way from the signal to the end of the process. One time bounds
// all of it: of that, what is under way has the most, and what has to be closed
// in order the rest.
type closing struct {
	signal context.Context // ends when the process is to end
	within time.Duration
	log    *slog.Logger

	work   context.Context // ends when requests and runs are cut
	cancel context.CancelFunc
	stop   func() bool // stops the watch over the end
}

// mostReserve is how long closing in order may take at most: a quarter of a
// shorter time.
const mostReserve = 5 * time.Second

// leastTime is the shortest time that may be asked for.
const leastTime = time.Second

func (cmd serveCmd) newClosing(signal context.Context, log *slog.Logger) *closing {
	return &closing{signal: signal, within: cmd.ShutdownTime, log: log}
}

// begin starts the time, once.
func (c *closing) begin() {
	if c.work != nil {
		return
	}
	c.log.Info("closing", "within", c.within)
	reserve := min(c.within/4, mostReserve)
	c.work, c.cancel = context.WithTimeout(context.Background(), c.within-reserve)
	c.stop = time.AfterFunc(c.within, c.giveUp).Stop
}

// giveUp ends the process whatever hinders it. Browsers end with it; what it
// leaves behind, the next process cleans up and gives a cause to.
func (c *closing) giveUp() {
	c.log.Error("not everything could be closed in time; the process ends", "within", c.within)
	os.Exit(1)
}

// errClosing is why a request is cut.
var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// serve answers requests until the signal, then lets those under way end, but for
// what only waits: stopAccepting breaks that off. Those that take longer than they
// may are broken off, too, and cut if they do not answer.
func (c *closing) serve(listener net.Listener, h http.Handler, stopAccepting func()) error {
	requests, breakOff := context.WithCancelCause(context.Background())
	defer breakOff(nil)
	server := httpadapter.Server(h, c.log)
	server.BaseContext = func(net.Listener) context.Context { return requests }
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(httpadapter.Strict(listener)) }()
	select {
	case err := <-ended:
		return err
	case <-c.signal.Done():
	}
	c.begin()
	stopAccepting()
	err := server.Shutdown(c.work)
	if err != nil {
		breakOff(errClosing)
		err = c.drain(server)
	}
	<-ended
	return err
}

// drain lets requests that were broken off answer, for a part of what is left.
func (c *closing) drain(server *http.Server) error {
	bound, cancel := context.WithTimeout(context.Background(), min(c.within/16, time.Second))
	defer cancel()
	if server.Shutdown(bound) == nil {
		return nil
	}
	return server.Close() // whoever is still connected is cut off
}

// finish closes everything else: what is under way may go on until the same
// time.
func (c *closing) finish(d *drover.Drover) error {
	c.begin()
	defer c.cancel()
	defer c.stop()
	return d.Shutdown(c.work)
}
