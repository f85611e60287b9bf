package storage

import (
	"context"
	"database/sql"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// turnstileName is the file beside the database that the turnstile locks.
const turnstileName = "writer.lock"

// turnstilePoll is how often a process that waits for its turn looks again.
const turnstilePoll = 2 * time.Millisecond

// turnstile lets the processes that write one file take turns. SQLite has no
// queue: whoever waits looks at the lock now and then, up to 100 ms apart, and a
// process that writes one transaction after the other never leaves it free at
// that moment. So a transaction begins only once its process holds the turnstile,
// and a process that waits for the database holds it meanwhile: the one that has
// just written has to stand behind it.
//
// It is a courtesy and no lock: who does not get through goes on without it, and
// waits for SQLite as everybody does.
type turnstile struct {
	lock *flock.Flock // nil for a database in memory, which has one process
	wait time.Duration
}

func newTurnstile(o Options) turnstile {
	if o.Dir == "" {
		return turnstile{}
	}
	path := filepath.Join(o.Dir, turnstileName)
	return turnstile{lock: flock.New(path, flock.SetPermissions(0o600)), wait: o.BusyTimeout}
}

// begin begins a transaction of the one connection that writes. Nobody else of
// this process is here: they wait for the connection.
func (t turnstile) begin(ctx context.Context, writer *sql.Conn) (*sql.Tx, error) {
	if t.lock == nil {
		return writer.BeginTx(ctx, nil)
	}
	if t.enter(ctx) {
		defer t.lock.Unlock()
	}
	return writer.BeginTx(ctx, nil)
}

func (t turnstile) enter(ctx context.Context) bool {
	if ok, err := t.lock.TryLock(); ok || err != nil {
		return ok
	}
	ctx, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	ok, err := t.lock.TryLockContext(ctx, turnstilePoll)
	return ok && err == nil
}
