package process

import (
	"slices"
	"time"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/clock"
)

// Making a session takes a tenth of a second or two, nearly all of it the
// browser's. So a few are made in advance in each process: each a context of its
// own with its own proxy and an empty tab, in which nothing has ever been loaded.
// Spares live and end with the process they are in. They are made where memory
// is left, and are the first to go where it is lacking.

// A Spare is what furnish has made, to be used once.
type Spare interface {
	// Ready reports whether it is as it was made.
	Ready() bool
	// Close ends it.
	Close() error
}

// kept is a spare that nobody uses yet.
type kept struct {
	Spare
	grant *admission.Grant
}

// refillPause is how long the making of spares is put off while there are some:
// it keeps the browser busy for a tenth of a second, in which the session that
// has just been opened is likely to load its first page.
const refillPause = 200 * time.Millisecond

// TakeSpare returns a spare that is ready, with its memory, for a user of the
// pool; nil for none.
func (l *Pool) TakeSpare() (Spare, *admission.Grant) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if l.f.closed {
		return nil, nil
	}
	for _, k := range slices.Clone(l.spares) {
		switch {
		case !k.Ready() || !l.proc.Alive():
			l.drop(k)
		case k.grant.Claim(): // else it is about to be ended
			l.remove(k)
			return k.Spare, k.grant
		}
	}
	return nil, nil
}

// remove takes a spare out, and reports whether it was there. The lock is held.
func (l *Pool) remove(k *kept) bool {
	i := slices.Index(l.spares, k)
	if i >= 0 {
		l.spares = slices.Delete(l.spares, i, i+1)
	}
	return i >= 0
}

// drop ends a spare. The lock is held.
func (l *Pool) drop(k *kept) {
	if l.remove(k) {
		l.f.Later(func() {
			k.Close()
			k.grant.Release()
		})
	}
}

// Refill begins to make spares if some are missing.
func (l *Pool) Refill() {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if l.filling || !l.missing() {
		return
	}
	l.filling = true
	pause := refillPause
	if len(l.spares) == 0 {
		pause = 0
	}
	l.f.Later(func() {
		if pause == 0 || clock.Sleep(l.f.life, l.f.opts.Clock, pause) == nil {
			l.fill()
		}
	})
}

// missing reports whether a spare should be made. Without a process there are
// none: it is started by who needs it. The lock is held.
func (l *Pool) missing() bool {
	return !l.f.closed && l.proc != nil && l.proc.Alive() && len(l.spares) < l.wanted()
}

// wanted is how many spares the pool should have: sessions of unusual kinds have
// none, and one is enough for who has not come yet. The lock is held.
func (l *Pool) wanted() int {
	switch {
	case l.kind != l.f.opts.Kind:
		return 0
	case l == l.f.vacant:
		return min(1, l.f.opts.Spares)
	}
	return l.f.opts.Spares
}

// fill makes spares, one after the other, until none is missing.
func (l *Pool) fill() {
	for {
		proc, g := l.fillNext()
		if proc == nil {
			return
		}
		s, err := l.f.furnish(l.f.life, l, proc)
		if err != nil {
			l.f.opts.Logger.Debug("chrome: a spare session cannot be made", "error", err)
			g.Release()
			l.stopFilling()
			return
		}
		l.keep(proc, &kept{s, g})
	}
}

// fillNext returns the process to make the next spare in, and its memory; nil
// ends the filling.
func (l *Pool) fillNext() (*Process, *admission.Grant) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if l.missing() {
		if g, ok := l.f.reserveFree(admission.Request{Project: l.owner.Project, Bytes: TabBytes, Within: l.grant()}); ok {
			return l.proc, g
		}
	}
	l.filling = false
	return nil, nil
}

// stopFilling gives up until somebody opens a session again.
func (l *Pool) stopFilling() {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.filling = false
}

// keep puts a spare by, unless its process has gone out of use meanwhile.
func (l *Pool) keep(proc *Process, k *kept) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.spares = append(l.spares, k)
	if l.proc != proc || l.f.closed {
		l.drop(k)
		return
	}
	l.f.endIfAsked(k.grant.Spare, func() { l.drop(k) })
}
