package chrome

import (
	"slices"
	"time"
)

// Making a session takes a tenth of a second or two, nearly all of it the
// browser's. So a few are made in advance in each process: each a context of its
// own with its own proxy and an empty tab, in which nothing has ever been loaded.
// Spares live and end with the process they are in. They are made where memory
// is left, and are the first to go where it is lacking.

// A spare is what furnish has made, to be used once.
type spare interface {
	// ready reports whether it is as it was made.
	ready() bool
	// Close ends it.
	Close() error
}

// kept is a spare that nobody uses yet.
type kept struct {
	spare
	claim *claim
}

// refillPause is how long the making of spares is put off while there are some:
// it keeps the browser busy for a tenth of a second, in which the session that
// has just been opened is likely to load its first page.
const refillPause = 200 * time.Millisecond

// takeSpare returns a spare that is ready, with its memory, for a user of the
// pool; nil for none.
func (l *pool) takeSpare() (spare, *claim) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	for len(l.spares) > 0 && !l.f.closed {
		if k := l.spares[0]; k.ready() && l.proc.alive() {
			l.spares = slices.Delete(l.spares, 0, 1)
			return k.spare, k.claim
		}
		l.dropSpare()
	}
	return nil, nil
}

// dropSpare ends the oldest. The lock is held.
func (l *pool) dropSpare() {
	k := l.spares[0]
	l.spares = slices.Delete(l.spares, 0, 1)
	k.claim.leave()
	l.f.later(func() {
		k.Close()
		k.claim.release()
	})
}

// refill begins to make spares if some are missing.
func (l *pool) refill() {
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
	l.f.later(func() {
		if pause == 0 || l.f.rest(pause) {
			l.fill()
		}
	})
}

// rest reports false when the provider has been closed meanwhile.
func (f *fleet) rest(d time.Duration) bool {
	timer := f.opts.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-f.life.Done():
		return false
	}
}

// missing reports whether a spare should be made. Without a process there are
// none: it is started by who needs it. The lock is held.
func (l *pool) missing() bool {
	return !l.f.closed && l.proc != nil && l.proc.alive() && len(l.spares) < l.wanted()
}

// wanted is how many spares the pool should have: sessions of unusual kinds have
// none, and one is enough for who has not come yet. The lock is held.
func (l *pool) wanted() int {
	switch {
	case l.kind != l.f.opts.kind:
		return 0
	case l == l.f.vacant:
		return min(1, l.f.opts.Spares)
	}
	return l.f.opts.Spares
}

// fill makes spares, one after the other, until none is missing.
func (l *pool) fill() {
	for {
		proc, c := l.fillNext()
		if proc == nil {
			return
		}
		s, err := l.f.furnish(l.f.life, l, proc)
		if err != nil {
			l.f.opts.Logger.Debug("chrome: a spare session cannot be made", "error", err)
			c.release()
			l.stopFilling()
			return
		}
		l.keep(proc, kept{s, c})
	}
}

// fillNext returns the process to make the next spare in, and its memory; nil
// ends the filling.
func (l *pool) fillNext() (*process, *claim) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if l.missing() {
		if c := l.f.memory.try(l.f.tabBytes()); c != nil {
			return l.proc, c
		}
	}
	l.filling = false
	return nil, nil
}

// stopFilling gives up until somebody opens a session again.
func (l *pool) stopFilling() {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.filling = false
}

// keep puts a spare by, unless its process has gone out of use meanwhile.
func (l *pool) keep(proc *process, k kept) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.spares = append(l.spares, k)
	if l.proc != proc || l.f.closed {
		l.dropSpare()
	}
}
