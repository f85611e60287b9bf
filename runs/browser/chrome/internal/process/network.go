package process

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// ErrNetworkEnded is the end of a browser whose network service has ended.
var ErrNetworkEnded = errtypes.New(errtypes.Unavailable,
	"the network service of this session's browser ended unexpectedly, and with it the way through the session's proxy, so the browser was ended")

// networkType is how the browser calls the process that speaks to the network.
const networkType = "network.mojom.NetworkService"

// networkEvery is how often the browser is asked for that process where its end
// cannot be waited for.
const networkEvery = 2 * time.Second

// watchNetwork ends a browser whose network service has ended. The browser
// starts another at once, but in that the contexts of sessions have lost their
// proxies: they have the browser's own, which refuses everything, or none if it
// runs elsewhere.
func (p *Process) watchNetwork() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first, err := p.firstNetwork(ctx)
	for err == nil && first != 0 {
		gone := p.awaitEnd(first)
		var pid int
		pid, err = p.networkService(ctx) // an answer shows, too, that the browser itself lives
		switch {
		case err != nil || !p.Alive(): // or it is leaving, and its network service with it
			return
		case gone || pid != first:
			p.endNetwork()
			return
		}
	}
	p.debugf("the network service is not watched: %v", err)
}

// A browser that starts is asked so often for its network service, and in such
// intervals.
const (
	networkTries = 200
	networkPause = 10 * time.Millisecond
)

// firstNetwork is the id of the network service that the browser starts with,
// as soon as it can be told from other processes where that is possible.
func (p *Process) firstNetwork(ctx context.Context) (pid int, err error) {
	for range networkTries {
		pid, err = p.networkService(ctx)
		if err != nil || p.seeNetwork(pid) {
			return pid, err
		}
		p.round(networkPause)
	}
	return pid, nil
}

// networkService is the id of the network service, 0 while there is none.
func (p *Process) networkService(ctx context.Context) (int, error) {
	all, err := mux.Decoded[systeminfo.GetProcessInfoResult](p.wire.Call(ctx, "", systeminfo.GetProcessInfo.Method, cdp.Empty{}))
	if err != nil {
		return 0, err
	}
	for _, one := range all.ProcessInfo {
		if one.Type == networkType {
			return int(one.ID), nil
		}
	}
	return 0, nil
}

// seeNetwork remembers a network service that this machine shows by that number.
// In a container of its own a browser has other numbers, or elsewhere.
func (p *Process) seeNetwork(pid int) bool {
	seen := pid != 0 && p.away == nil && named(pid, networkType)
	if seen {
		p.network.Store(int64(pid))
	}
	return seen
}

// networkGone reports whether the network service is known to have ended. The
// browser may not know it yet.
func (p *Process) networkGone() bool {
	pid := p.network.Load()
	return pid != 0 && !named(int(pid), networkType)
}

// awaitEnd waits for the end of a network service, or for the time after which
// the browser has to be asked again. It reports whether it knows of the end.
func (p *Process) awaitEnd(pid int) (gone bool) {
	if p.network.Load() == int64(pid) && pid != 0 {
		gone, err := awaitPID(pid, p.exited)
		if err == nil {
			return gone
		}
		p.debugf("the end of the network service cannot be waited for: %v", err)
	}
	p.round(networkEvery)
	return p.networkGone()
}

func (p *Process) endNetwork() {
	if p.Alive() {
		p.log.Error("chrome: the network service has ended, so the browser is killed", "pid", p.network.Load())
	}
	p.cut(ErrNetworkEnded)
}

// NetworkEnded ends a browser whose network service has ended, which it may not
// know yet, and returns the error of that; nil where it has not.
func (p *Process) NetworkEnded() error {
	if !p.networkGone() {
		return nil
	}
	p.endNetwork()
	return ErrNetworkEnded
}
