package mux

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

func errTooManyTabs(most int) error {
	return fmt.Errorf("the session has %d tabs, which is as many as it may have", most)
}

// createContext makes a browser context of the client's own, which uses the
// session's proxy and ends with the client.
func (c *conn) createContext(_ *attachment, cmd policy.Command) {
	c.mu.Lock()
	room := len(c.contexts)+c.making < c.clients.o.Limits.Contexts
	if room {
		c.making++
	}
	c.mu.Unlock()
	if !room {
		c.fail(cmd, fmt.Errorf("the client has %d browser contexts, which is as many as it may have", c.clients.o.Limits.Contexts))
		return
	}
	c.later(cmd, func() (any, error) {
		id, err := c.newContext()
		c.locked(func() { c.making-- })
		return map[string]any{"browserContextId": id}, err
	})
}

func (c *conn) newContext() (cdp.BrowserContextID, error) {
	made, err := Decoded[target.CreateBrowserContextResult](c.call(c.root, target.CreateBrowserContext.Method, c.s.ContextParams()))
	if err != nil {
		return "", err
	}
	id := made.BrowserContextID
	c.locked(func() { c.contexts[id] = true })
	ctx, cancel := c.s.Bounded(c.ctx, c.clients.o.Call, "answer")
	defer cancel()
	return id, c.s.AdoptContext(ctx, id)
}

// disposeContext ends a context of the client's own.
func (c *conn) disposeContext(_ *attachment, cmd policy.Command) {
	id := parsed[target.DisposeBrowserContextParams](cmd).BrowserContextID
	if id == c.s.ContextID() {
		c.fail(cmd, fmt.Errorf("the session's own browser context ends with the session"))
		return
	}
	c.later(cmd, func() (any, error) {
		err := c.s.EndContext(id, func() error {
			_, err := c.call(c.root, cmd.Method, paramsOf(cmd))
			return err
		})
		if err != nil {
			return nil, err
		}
		c.locked(func() { delete(c.contexts, id) })
		return struct{}{}, nil
	})
}
