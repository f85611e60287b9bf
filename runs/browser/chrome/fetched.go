package chrome

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// maxFetched bounds the downloads that are remembered.
const maxFetched = 1000

// remember is called with the lock held.
func (d *downloads) remember(item *download) {
	if len(d.all) >= maxFetched {
		d.all = slices.Delete(d.all, 0, 1)
	}
	d.all = append(d.all, item)
}

// state is called with the lock of its session's downloads held.
func (item *download) state() browser.DownloadState {
	switch {
	case item.given != "":
		return browser.Refused
	case item.end != "":
		return item.end
	}
	return browser.UnderWay
}

// Fetched implements [browser.Files].
func (s *session) Fetched(ctx context.Context, wait time.Duration) (_ []browser.Fetched, err error) {
	defer errtypes.Wrap(&err, "chrome.Fetched")
	timer := s.p.opts.Clock.NewTimer(wait)
	defer timer.Stop()
	for {
		all, going, changed := s.fetched()
		if !going || wait <= 0 {
			return all, nil
		}
		select {
		case <-changed:
		case <-timer.C():
			wait = 0
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-s.Context().Done():
			return nil, context.Cause(s.Context())
		}
	}
}

// fetched are the downloads as they are now.
func (s *session) fetched() (all []browser.Fetched, going bool, changed <-chan struct{}) {
	d := s.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, item := range d.all {
		f := browser.Fetched{
			Filename: page.Clean(item.name, s.p.opts.Limits.Message), State: item.state(), Received: item.received, Why: item.given,
		}
		going = going || f.State == browser.UnderWay
		all = append(all, f)
	}
	return all, going, d.changed
}

// Offered implements [browser.Files].
func (s *session) Offered() []browser.Offered {
	files := s.Clients.Permitted()
	all := []browser.Offered{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, browser.Offered{Name: name, Path: files[name]})
	}
	return all
}
