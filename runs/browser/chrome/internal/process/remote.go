package process

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// remote is the connection to a browser that Drover did not start and does not
// end. Others may use the browser, too.
type remote struct {
	at   endpoint
	sock *socket
	can  Reach

	mu     sync.Mutex
	asking cdp.BrowserContextID // the probe's own
	ended  bool
	wg     sync.WaitGroup // what letGo started, and the pings
}

// Reach is what a browser sees of this machine.
type Reach struct {
	Proxy bool // the sessions' proxies
	Files bool // its files
}

// String is safe to be shown.
func (r *remote) String() string { return r.at.String() }

// Reaches tells what the browser sees; one on a pipe sees everything.
func (p *Process) Reaches() Reach {
	if p.away == nil {
		return Reach{Proxy: true, Files: true}
	}
	return p.away.can
}

// Connect connects to the browser at RemoteURL.
func Connect(ctx context.Context, o Options) (*Process, error) {
	at, err := ParseRemote(o.RemoteURL)
	if err != nil {
		return nil, err
	}
	sock, err := at.dial(ctx)
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "the remote browser at %s cannot be reached", at).WithCause(err)
	}
	p := newProcess(o)
	p.away = &remote{at: at, sock: sock}
	p.wire = mux.NewWire(sock)
	p.exited = p.wire.Lost()
	p.away.spawn(func() { sock.keepAlive(o.Clock, p.wire.Lost()) })
	go p.watchRemote()
	err = p.connect(ctx)
	if err == nil {
		p.away.can, err = p.probe(ctx)
	}
	if err != nil {
		p.Stop()
		return nil, errtypes.New(errtypes.Unavailable, "the remote browser at %s does not do what is needed of it", at).WithCause(err)
	}
	if p.away.can != (Reach{Proxy: true, Files: true}) {
		p.log.Warn("chrome: the remote browser is out of reach of this machine's proxies or files: see RemoteURL",
			"browser", at.String(), "proxies", p.away.can.Proxy, "files", p.away.can.Files)
	}
	if p.away.can.Proxy {
		p.away.spawn(p.watchNetwork)
	}
	return p, nil
}

// watchRemote sees the connection end.
func (p *Process) watchRemote() {
	<-p.wire.Lost()
	p.wire.Close()
	if died := p.end(p.away.sock.cause()); died != nil {
		p.log.Error("chrome: the browser died", "error", died)
	}
	p.away.mu.Lock()
	p.away.ended = true
	p.away.mu.Unlock()
	p.away.wg.Wait()
	close(p.gone)
}

// spawn runs f in a goroutine that the end of the connection waits for.
func (r *remote) spawn(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.wg.Go(f)
	}
}

// cut ends the connection, also where nobody reads it.
func (r *remote) cut(w *mux.Wire) {
	r.sock.Close()
	w.Lose()
}

// letGo detaches from a page that is of no session. The browser has attached us
// to it, and may have stopped it, because it does so with all. It runs on the
// goroutine that reads the wire, so it must not send.
func (r *remote) letGo(w *mux.Wire, ev *target.EventAttachedToTarget) {
	if ev.TargetInfo == nil || ev.TargetInfo.Type != "page" || !ev.WaitingForDebugger && r.isAsking(ev.TargetInfo) {
		return
	}
	id := ev.SessionID
	r.spawn(func() {
		w.Send(id, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
		w.Send("", target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: id})
	})
}

// ask notes the context in which the probe attaches to a page by itself.
func (r *remote) ask(id cdp.BrowserContextID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asking = id
}

func (r *remote) isAsking(info *target.Info) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return info.BrowserContextID == r.asking
}

// pingEvery is how often a connection is tried on which the other end may have
// vanished without a word, and how long it may take to answer.
const pingEvery = 15 * time.Second

var errSilent = errors.New("it does not answer any more")
