package page

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// standing are the dialogs that wait for who drives the session. While there is
// one, nothing is done in any tab: pages of one process stand still together.
type standing struct {
	mu  sync.Mutex
	all []*dialog
	// free ends when a dialog comes to stand, with the error about it.
	free  context.Context
	block context.CancelCauseFunc
}

// renew is called before the first use, and with the lock held.
func (w *standing) renew() { w.free, w.block = context.WithCancelCause(context.Background()) }

// add says that a dialog stands. It runs on a goroutine that reads messages.
func (w *standing) add(d *dialog) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
	w.tell()
}

// tell is called with the lock held.
func (w *standing) tell() {
	if w.free.Err() != nil {
		w.renew()
	}
	if n := len(w.all); n > 0 {
		w.block(&browser.DialogError{Dialog: *w.all[n-1].shown})
	}
}

func (w *standing) remove(d *dialog) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.all, d); i >= 0 {
		w.all = slices.Delete(w.all, i, i+1)
		w.tell()
	}
}

// last is the dialog that came last; nil for none.
func (w *standing) last() *dialog {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.all); n > 0 {
		return w.all[n-1]
	}
	return nil
}

func (w *standing) each() []*dialog {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

// err is that of a call which is made now; nil where no dialog stands.
func (w *standing) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return context.Cause(w.free)
}

// whenOne calls f with the error when a dialog comes to stand, or stands.
func (w *standing) whenOne(f func(error)) (stop func() bool) {
	w.mu.Lock()
	free := w.free
	w.mu.Unlock()
	return context.AfterFunc(free, func() { f(context.Cause(free)) })
}

// boundedApart is Bounded for what does not end with a call: the time while a
// dialog stands does not count, since a page may have to wait for it.
func (s *Session) boundedApart(limit time.Duration, what string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	s.wg.Go(func() {
		for s.waits(ctx, limit) {
		}
		cancel(mux.TimeoutError(what, limit))
	})
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// waits lets the time pass and reports whether a dialog stood at its end, which is
// gone then.
func (s *Session) waits(ctx context.Context, limit time.Duration) bool {
	timer := s.opts.Clock.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-ctx.Done():
		return false
	}
	d := s.standing.last()
	if d == nil {
		return false
	}
	select {
	case <-d.gone:
		return true
	case <-ctx.Done():
		return false
	}
}

// orStanding is the page that a dialog came to stand on, where that is the error; of
// one that has gone again, the page as it is now.
func (s *Session) orStanding(ctx context.Context, err error) (browser.Page, error) {
	if _, ok := errors.AsType[*browser.DialogError](err); !ok {
		return browser.Page{}, err
	}
	d := s.standing.last()
	if d == nil {
		return s.Page(ctx)
	}
	s.mu.Lock()
	p := browser.Page{URL: d.tab.url, Title: d.tab.title, Dialog: d.shown}
	s.mu.Unlock()
	p.Dialogs, p.Downloads, p.Tabs = s.takeDialogs(), s.h.TakeDownloads(), s.openTabs()
	return p, nil
}
