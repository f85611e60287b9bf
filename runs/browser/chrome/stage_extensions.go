package chrome

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/extensions"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

var errSharedBrowser = errors.New("the session shares its browser with others, which has no extensions: upload one to POST /v1/extensions, and create a session that names it as extensionId")

// getExtensions lists the session's extensions as the browser knows them. Where
// they lie is nothing for clients.
func (c *conn) getExtensions(_ *seat, cmd policy.Command) {
	if c.s.dedicated == nil {
		c.fail(cmd, errSharedBrowser)
		return
	}
	c.later(cmd, func() (any, error) {
		ctx, cancel := c.s.bounded(c.ctx, c.s.p.opts.Timeouts.Call, "answer")
		defer cancel()
		list, err := c.s.listExtensions(ctx)
		return map[string]any{"extensions": list}, err
	})
}

func (s *session) listExtensions(ctx context.Context) ([]*extensions.ExtensionInfo, error) {
	list := []*extensions.ExtensionInfo{}
	if len(s.proc.opts.extensions) == 0 {
		return list, nil // it has none, and no such command either
	}
	res, err := cdp.Call(ctx, s.proc.session(), extensions.GetExtensions, cdp.Empty{})
	for _, info := range res.Extensions {
		if s.loaded(info.ID) {
			info.Path = ""
			list = append(list, info)
		}
	}
	return list, err
}
