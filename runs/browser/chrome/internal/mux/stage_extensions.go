package mux

import (
	"errors"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

var errSharedBrowser = errors.New("the session shares its browser with others, which has no extensions: upload one to POST /v1/extensions, and create a session that names it as extensionId")

// getExtensions lists the session's extensions as the browser knows them. Where
// they lie is nothing for clients.
func (c *conn) getExtensions(_ *attachment, cmd policy.Command) {
	if !c.s.Alone() {
		c.fail(cmd, errSharedBrowser)
		return
	}
	c.later(cmd, func() (any, error) {
		ctx, cancel := c.s.Bounded(c.ctx, c.clients.o.Call, "answer")
		defer cancel()
		list, err := c.s.Extensions(ctx)
		return map[string]any{"extensions": list}, err
	})
}
