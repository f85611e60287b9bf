package chrome

import (
	"context"

	"github.com/drover-go/drover/errtypes"
)

// HTML implements [browser.Session]. Shadow roots stand in place of the
// children of their hosts; frames are left empty.
func (s *session) HTML(ctx context.Context, limit int) (_ string, truncated bool, err error) {
	defer errtypes.Wrap(&err, "chrome.HTML")
	if limit < 0 {
		return "", false, errtypes.Field("limit", "must not be negative")
	}
	t, done, err := s.work(&ctx)
	if err != nil {
		return "", false, err
	}
	defer done()
	res, err := eval[struct {
		HTML      string `json:"html"`
		Truncated bool   `json:"truncated"`
	}](ctx, t.mainFrame(), "html", limit)
	return res.HTML, res.Truncated, s.explain(ctx, err)
}
