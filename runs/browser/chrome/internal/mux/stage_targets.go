package mux

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// resume lets a target begin once it need wait for nobody: the browser may let
// it go when the first says so, or may want to hear it from each. The answer to
// who comes last comes when the page has begun.
func (c *conn) resume(st *attachment, cmd policy.Command) {
	h, last := c.clients.resumed(c, st.target)
	if h == nil {
		c.forward(st, cmd)
		return
	}
	begin := func() (any, error) {
		if !until(c.ctx, h.begun) {
			return nil, context.Cause(c.ctx)
		}
		return c.call(st.real, cmd.Method, paramsOf(cmd))
	}
	if last {
		c.later(cmd, begin)
		return
	}
	c.answer(cmd, struct{}{})
	c.busy(func() { begin() })
}

// createTarget opens a page. Clients act on it as soon as they have its id, so
// by then the session hears of it, and so do they.
func (c *conn) createTarget(st *attachment, cmd policy.Command) {
	if most := c.clients.o.MaxTabs; c.clients.pages() >= most {
		c.fail(cmd, errTooManyTabs(most))
		return
	}
	if parsed[target.CreateTargetParams](cmd).Hidden != nil {
		c.later(cmd, func() (any, error) { return c.createHidden(paramsOf(cmd)) })
		return
	}
	c.later(cmd, func() (any, error) {
		params, address := emptyPage(paramsOf(cmd))
		res, err := c.call(st.real, cmd.Method, params)
		var made target.CreateTargetResult
		if err != nil || json.Unmarshal(res, &made) != nil {
			return res, err
		}
		c.fresh([]*target.Info{{TargetID: made.TargetID, Type: "page"}}) // by then, the browser has told of it
		if t := c.s.Tab(made.TargetID); t != nil {
			c.awaitTab(made.TargetID, t)
			c.awaitPage(c.fill(made.TargetID, t, address))
		}
		c.awaitAttached()
		return res, nil
	})
}

// emptyPage takes the address out of the parameters for a new page: the browser
// would ask the server for it before anybody can hear of that.
func emptyPage(raw json.RawMessage) (params json.RawMessage, address string) {
	var all map[string]any
	if json.Unmarshal(raw, &all) != nil || all["forTab"] == true {
		return raw, ""
	}
	address, _ = all["url"].(string)
	if address == "" || address == "about:blank" {
		return raw, ""
	}
	all["url"] = "about:blank"
	params, err := json.Marshal(all)
	if err != nil {
		return raw, ""
	}
	return params, address
}

// fill brings a new page to its address, at once or when its clients let it
// begin. The result is closed when it is there, or need not be waited for.
func (c *conn) fill(id target.ID, t Tab, address string) (there <-chan struct{}) {
	done := make(chan struct{})
	h, _ := c.clients.holdOf(id)
	if address == "" || h != nil {
		close(done)
	}
	if address != "" {
		c.s.Spawn(func() {
			if h == nil {
				defer close(done)
			} else if !until(c.s.Context(), h.begun) {
				return // the session ends, which waits for this
			}
			t.Fill(address)
		})
	}
	return done
}

// pageWait is how long the answer to a new page waits for what it shows, which
// clients ask for at once. A server may take longer, and they hear of it then.
const pageWait = time.Second

func (c *conn) awaitPage(there <-chan struct{}) {
	timer := c.clients.o.Clock.NewTimer(pageWait)
	defer timer.Stop()
	select {
	case <-there:
	case <-timer.C():
	case <-c.ctx.Done():
	}
}

func (c *conn) getTargets(_ *attachment, cmd policy.Command) {
	p := parsed[struct{ Filter policy.TargetFilter }](cmd)
	c.clients.mu.Lock()
	list := c.visible(p.Filter)
	c.clients.mu.Unlock()
	c.later(cmd, func() (any, error) { return map[string]any{"targetInfos": c.fresh(list)}, nil })
}

func (c *conn) getTargetInfo(st *attachment, cmd policy.Command) {
	p := parsed[struct{ TargetID target.ID }](cmd)
	switch {
	case p.TargetID == "": // of the session's own target
		c.forward(st, cmd)
	case p.TargetID == c.browser:
		c.answer(cmd, targetInfo{c.browserInfo()})
	default:
		c.later(cmd, func() (any, error) {
			return targetInfo{c.fresh([]*target.Info{c.clients.find(p.TargetID)})[0]}, nil
		})
	}
}

// fresh returns what the browser says of targets now, as the client sees them:
// of new titles it does not tell by itself.
func (c *conn) fresh(known []*target.Info) []*target.Info {
	list := make([]*target.Info, len(known))
	ctx, cancel := c.s.Bounded(c.ctx, c.clients.o.Call, "answer")
	defer cancel()
	var wg sync.WaitGroup
	for i, info := range known {
		wg.Go(func() { list[i] = c.seen(c.asked(ctx, info)) })
	}
	wg.Wait()
	return list
}

// asked returns what the browser says of a target now; what is known of one
// that has no title, or has gone.
func (c *conn) asked(ctx context.Context, known *target.Info) *target.Info {
	if known == nil || known.Type != "page" && known.Type != "tab" {
		return known
	}
	res, err := cdp.Call(ctx, c.s.Browser(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: known.TargetID})
	if err != nil || res.TargetInfo == nil {
		return known
	}
	return res.TargetInfo
}
