package models

import (
	"math"
	"time"
)

// A bucket fills with time up to its size. What a request takes is never more
// than its size, so that none waits for ever; what several take may leave a debt.
// A nil bucket never lacks anything.
type bucket struct {
	size, level, perSecond float64
	at                     time.Time // of the level; zero for a full one
}

// perMinute is a full bucket, into which n come in a minute; nil if n is 0.
func perMinute(n, size int) *bucket {
	if n == 0 {
		return nil
	}
	return &bucket{size: float64(size), level: float64(size), perSecond: float64(n) / 60}
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at); passed > 0 {
		b.level, b.at = min(b.level+passed.Seconds()*b.perSecond, b.size), now
	}
}

// delay is how long it takes until n are there.
func (b *bucket) delay(n int64, now time.Time) time.Duration {
	if b == nil || n <= 0 {
		return 0
	}
	b.fill(now)
	const tiny = 1e-6 // that the sums of fractions are wrong by
	if missing := b.most(n) - b.level; missing > tiny {
		return time.Duration(math.Ceil(missing / b.perSecond * float64(time.Second)))
	}
	return 0
}

func (b *bucket) take(n int64, now time.Time) { b.add(-1, n, now) }

func (b *bucket) giveBack(n int64, now time.Time) { b.add(1, n, now) }

func (b *bucket) add(sign float64, n int64, now time.Time) {
	if b == nil {
		return
	}
	b.fill(now)
	b.level += sign * b.most(n)
}

// most is what counts of n.
func (b *bucket) most(n int64) float64 { return min(max(float64(n), 0), b.size) }
