package storage

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// insideKey marks a context as being inside a transaction of the database.
type insideKey struct{ db *DB }

// siteDepth is how many return addresses tell one call from another.
const siteDepth = 8

// stackDepth is how far up the stack an enclosing transaction is looked for.
const stackDepth = 128

// call is a transaction under way, known by the return addresses above it.
type call struct{ site [siteDepth]uintptr }

// calls are the transactions of a database that are under way. They find the
// use of a database inside its own transaction where the context cannot tell,
// because the caller used the one of outside.
type calls struct {
	mu  sync.Mutex
	all []*call
}

// begin registers the transaction that its caller runs, and returns what ends
// it.
func (c *calls) begin() (end func()) {
	own := new(call)
	runtime.Callers(3, own.site[:]) // above this function and the one that runs it
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, own)
	return func() { c.end(own) }
}

func (c *calls) end(own *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.all, own); i >= 0 {
		c.all = slices.Delete(c.all, i, i+1)
	}
}

// enclose reports whether the calling goroutine is inside one of the
// transactions: the return addresses above that transaction are then part of
// its stack. Another goroutine that runs the same code has them only if it is
// inside a transaction of that place, too.
func (c *calls) enclose() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 {
		return false
	}
	var buf [stackDepth]uintptr
	stack := buf[:runtime.Callers(2, buf[:])]
	return slices.ContainsFunc(c.all, func(one *call) bool { return one.within(stack) })
}

func (c *call) within(stack []uintptr) bool {
	for i := range stack {
		if stack[i] == c.site[0] && samePlace(stack[i:], c.site[:]) {
			return true
		}
	}
	return false
}

// samePlace compares two stacks from the same depth up. The shorter ends where
// its goroutine began, or where it was cut.
func samePlace(stack, site []uintptr) bool {
	n := min(len(stack), len(site))
	return slices.Equal(stack[:n], site[:n])
}

// enter refuses a call from inside a transaction of the same database, and
// marks the context for the calls inside.
func (db *DB) enter(ctx context.Context) (context.Context, error) {
	if ctx.Value(insideKey{db}) != nil || db.calls.enclose() {
		return nil, ErrNested
	}
	return context.WithValue(ctx, insideKey{db}, true), nil
}
