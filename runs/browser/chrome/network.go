package chrome

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"

	"github.com/drover-go/drover/errtypes"
)

var errNetworkEnded = errtypes.New(errtypes.Unavailable,
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
func (p *process) watchNetwork() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first, gone := 0, false
	for {
		pid, err := p.networkService(ctx) // an answer shows, too, that the browser itself lives
		if err != nil {
			p.debugf("the network service is not watched any more: %v", err)
			return
		}
		if first == 0 {
			first = pid
		}
		switch {
		case !p.alive(): // or it is leaving, and its network service with it
			return
		case (gone || pid != first) && !p.opts.unwatched:
			p.endNetwork(first)
			return
		}
		gone = p.awaitEnd(first)
	}
}

// networkService is the id of the network service, 0 while there is none.
func (p *process) networkService(ctx context.Context) (int, error) {
	raw, err := p.wire.call(ctx, "", systeminfo.GetProcessInfo.Method, cdp.Empty{})
	if err != nil {
		return 0, err
	}
	var all systeminfo.GetProcessInfoResult
	if err := json.Unmarshal(raw, &all); err != nil {
		return 0, err
	}
	for _, one := range all.ProcessInfo {
		if one.Type == networkType {
			return int(one.ID), nil
		}
	}
	return 0, nil
}

// awaitEnd waits for the end of a network service, or for the time after which
// the browser has to be asked again. It reports whether it knows of the end.
func (p *process) awaitEnd(pid int) (gone bool) {
	if p.away == nil && pid != 0 {
		gone, sure := awaitPID(pid, networkType, p.exited)
		if sure {
			return gone
		}
	}
	p.round(networkEvery)
	return false
}

func (p *process) endNetwork(pid int) {
	p.log.Error("chrome: the network service has ended, so the browser is killed", "pid", pid)
	p.fail(errNetworkEnded)
	p.cut()
}
