package mux

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

var (
	errLeft    = errors.New("the client has left")
	errSlow    = errtypes.New(errtypes.RateLimited, "the client reads more slowly than its pages talk")
	errCrowded = errtypes.New(errtypes.RateLimited, "more waits for the clients of this instance than may, and most of it for this one, which reads too slowly")
)

// Serve lets a client speak with the browser of the session, until it leaves or
// reads too slowly, or ctx or the session ends. The error's kind is RateLimited
// for a client too many and for one that reads too slowly.
func (v *Clients) Serve(ctx context.Context, client browser.Client) error {
	c := newConn(v, client)
	if most := v.o.Limits.Max; !v.join(c, most) {
		return errtypes.New(errtypes.RateLimited, "the session has %d clients already", most)
	}
	defer c.leave()
	if err := c.open(ctx); err != nil {
		return v.s.Explain(ctx, err)
	}
	switch err := c.run(ctx); {
	case errors.Is(err, errLeft):
		return nil
	case err == error(errSlow), err == error(errCrowded):
		v.o.Logger.Warn("chrome: a client is disconnected", "session", v.s.ID(), "error", err)
		return err
	default:
		return err
	}
}

// open gives the client a root of its own.
func (c *conn) open(ctx context.Context) error {
	ctx, cancel := c.s.Bounded(ctx, c.clients.o.Call, "start")
	defer cancel()
	id, err := c.attachRoot(ctx)
	if err != nil {
		return err
	}
	c.root = id
	c.add(&attachment{real: id, root: true})
	about, err := Decoded[target.GetTargetInfoResult](c.s.Wire().Call(ctx, id, target.GetTargetInfo.Method, cdp.Empty{}))
	if err != nil || about.TargetInfo == nil {
		return cmp.Or(err, errors.New("the browser does not name itself"))
	}
	c.browser = about.TargetInfo.TargetID
	return c.refresh(ctx)
}

// attachRoot makes another root in the browser.
func (c *conn) attachRoot(ctx context.Context) (target.SessionID, error) {
	res, err := cdp.Call(ctx, c.s.Browser(), target.AttachToBrowserTarget, cdp.Empty{})
	if err != nil {
		return "", err
	}
	return res.SessionID, nil
}

// refresh learns of targets that were there before the session was.
func (c *conn) refresh(ctx context.Context) error {
	res, err := cdp.Call(ctx, c.s.Browser(), target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{}}})
	if err != nil {
		return err
	}
	for _, info := range res.TargetInfos {
		if c.s.Has(info) && info.Type != "browser" {
			c.clients.Created(info)
		}
	}
	return nil
}

// run carries messages both ways until the client leaves.
func (c *conn) run(ctx context.Context) error {
	stopOuter := context.AfterFunc(ctx, func() { c.stop(context.Cause(ctx)) })
	defer stopOuter()
	stopSession := context.AfterFunc(c.s.Context(), func() { c.stop(context.Cause(c.s.Context())) })
	defer stopSession()
	c.wg.Go(func() {
		err := c.out.Drain(c.ctx, c.client.Write)
		c.stop(cmp.Or(err, errLeft))
	})
	c.wg.Go(func() { c.stop(c.readAll()) })
	<-c.ctx.Done()
	return context.Cause(c.ctx)
}

// readAll takes the client's commands until it leaves.
func (c *conn) readAll() error {
	for {
		frame, err := c.client.Read(c.ctx)
		if errors.Is(err, io.EOF) {
			return errLeft
		}
		if err != nil {
			return cmp.Or(context.Cause(c.ctx), err)
		}
		c.take(frame)
	}
}

// leave takes away everything that the client had.
func (c *conn) leave() {
	c.stop(errLeft)
	c.out.discard()
	c.clients.leave(c)
	c.wg.Wait()
	ctx, cancel := c.s.Outliving(c.clients.o.Close)
	defer cancel()
	for id := range c.contexts {
		c.s.EndContext(id, func() error {
			c.s.Wire().Call(ctx, "", target.DisposeBrowserContext.Method, target.DisposeBrowserContextParams{BrowserContextID: id})
			return nil
		})
	}
	if c.root != "" {
		c.s.Wire().Call(ctx, "", target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: c.root})
	}
	c.removeAll()
}
