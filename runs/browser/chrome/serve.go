package chrome

import (
	"context"
	"encoding/json"
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

// Serve implements [browser.Session].
func (s *session) Serve(ctx context.Context, client browser.Client) (err error) {
	defer errtypes.Wrap(&err, "chrome.Serve(%q)", s.ID())
	if !s.admit() {
		return context.Cause(s.ctx)
	}
	defer s.wg.Done()
	c := newConn(s, client)
	if !s.visitors.join(c, s.p.opts.Clients.Max) {
		return errtypes.New(errtypes.RateLimited, "the session has %d clients already", s.p.opts.Clients.Max)
	}
	defer c.leave()
	if err := c.open(ctx); err != nil {
		return s.explain(ctx, err)
	}
	switch err := c.run(ctx); {
	case errors.Is(err, errLeft):
		return nil
	case err == error(errSlow), err == error(errCrowded):
		s.p.opts.Logger.Warn("chrome: a client is disconnected", "session", s.ID(), "error", err)
		return err
	default:
		return err
	}
}

// admit lets Close wait for the caller; not once Close has begun.
func (s *session) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.ctx.Err() != nil {
		return false
	}
	s.wg.Add(1)
	return true
}

// open gives the client a root of its own.
func (c *conn) open(ctx context.Context) error {
	ctx, cancel := c.s.bounded(ctx, c.s.p.opts.Timeouts.Call, "start")
	defer cancel()
	id, err := c.s.attachRoot(ctx)
	if err != nil {
		return err
	}
	c.root = id
	c.sit(&seat{real: id, root: true})
	res, err := c.s.proc.wire.call(ctx, id, target.GetTargetInfo.Method, cdp.Empty{})
	var about target.GetTargetInfoResult
	if err == nil {
		err = json.Unmarshal(res, &about)
	}
	if err != nil || about.TargetInfo == nil {
		return cmpErr(err, errors.New("the browser does not name itself"))
	}
	c.browser = about.TargetInfo.TargetID
	return c.s.refresh(ctx)
}

// attachRoot makes another root in the browser.
func (s *session) attachRoot(ctx context.Context) (target.SessionID, error) {
	res, err := cdp.Call(ctx, s.proc.session(), target.AttachToBrowserTarget, cdp.Empty{})
	if err != nil {
		return "", err
	}
	return res.SessionID, nil
}

// refresh learns of targets that were there before the session was.
func (s *session) refresh(ctx context.Context) error {
	res, err := cdp.Call(ctx, s.proc.session(), target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{}}})
	if err != nil {
		return err
	}
	for _, info := range res.TargetInfos {
		if s.proc.sessionOf(info) == s && info.Type != "browser" {
			s.visitors.created(info)
		}
	}
	return nil
}

// run carries messages both ways until the client leaves.
func (c *conn) run(ctx context.Context) error {
	stopOuter := context.AfterFunc(ctx, func() { c.stop(context.Cause(ctx)) })
	defer stopOuter()
	stopSession := context.AfterFunc(c.s.ctx, func() { c.stop(context.Cause(c.s.ctx)) })
	defer stopSession()
	c.wg.Go(func() {
		err := c.out.drain(c.ctx, c.client.Write)
		c.stop(cmpErr(err, errLeft))
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
			return cmpErr(context.Cause(c.ctx), err)
		}
		c.take(frame)
	}
}

// leave takes away everything that the client had.
func (c *conn) leave() {
	c.stop(errLeft)
	c.out.discard()
	c.s.visitors.leave(c)
	c.wg.Wait()
	ctx, cancel := c.s.proc.within(c.s.p.opts.Timeouts.Close)
	defer cancel()
	for id := range c.contexts {
		c.s.finishDownloads(id)
	}
	for id := range c.contexts {
		c.s.proc.wire.call(ctx, "", target.DisposeBrowserContext.Method, target.DisposeBrowserContextParams{BrowserContextID: id})
		c.s.proc.unlend(id)
		c.s.dropDownloads(id)
	}
	if c.root != "" {
		c.s.proc.wire.call(ctx, "", target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: c.root})
	}
	c.unsitAll()
}
