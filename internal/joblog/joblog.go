// Package joblog keeps the logs of what runs for a while: sessions, builds,
// invocations, runs of Actors.
//
// A log belongs to an owner. The process that works for the owner opens the log
// and appends to it; appending waits for nothing. What all logs of a process
// have said is written in one transaction, once a flush interval, so that a
// process that is killed takes no more with it than that. Everybody on the same
// data reads the rows, and may follow a log while it grows.
//
//	log, err := logs.Open(ctx, tx, owner, joblog.Options{})  // in the transaction that starts the work
//	log.Append(joblog.Stdout, "hello")
//	err = logs.End(ctx, tx, owner.ID())                      // in the one that ends it
//	for e, err := range logs.Follow(ctx, owner.ID(), 0) { … }
//
// A log that has ended is sealed soon after: its entries move into one blob, or
// into one row where they are few. Readers do not notice.
package joblog

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// Owner is whose log it is.
type Owner struct {
	// Kind and Ref name it, as in "session" and the session's id.
	Kind, Ref string
	ProjectID string
}

// ID is the id of the owner's log.
func (o Owner) ID() string { return o.Kind + "/" + o.Ref }

// Logs are the logs of a database, and those that this process appends to.
type Logs struct {
	conf    Config
	flusher lifecycle.Runner
	dirty   chan struct{} // capacity 1: something waits to be written or sealed
	full    chan struct{} // capacity 1: so much waits that it is written at once
	waiting atomic.Int64  // bytes, of all logs

	mu     sync.Mutex
	open   map[string]*Log    // by id
	ended  []string           // ids of logs that are to be sealed
	bounds map[string]Options // of logs that have ended here and are not sealed yet
	closed bool
}

// New returns the logs of the database. It starts nothing. Close it after what
// appends, and before the database. Error kind Invalid for a config that lacks
// something.
func New(c Config) (_ *Logs, err error) {
	defer errtypes.Wrap(&err, "joblog.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &Logs{conf: c.withDefaults(), dirty: make(chan struct{}, 1), full: make(chan struct{}, 1), open: map[string]*Log{}, bounds: map[string]Options{}}
	c.Reaper.Register("logs", s.reap)
	c.Keeper.Register(
		retention.Sweep{Things: "logs", Run: s.sealLeft},
		retention.Orphans{Things: "logs", Columns: blobColumns, Blobs: c.Blobs},
	)
	return s, nil
}

// reap ends the logs of a process that died; the keeper seals them.
func (s *Logs) reap(ctx context.Context, tx *storage.Tx, dead string) error {
	ids, err := endLogsOf(ctx, tx, dead, s.conf.Clock.Now())
	for _, id := range ids {
		s.changed(tx, id)
	}
	return err
}

func topic(id string) string { return "log/" + id }

// changed wakes who follows the log once the transaction is committed.
func (s *Logs) changed(tx *storage.Tx, id string) {
	tx.AfterCommit(func() { s.conf.Notify.Publish(topic(id)) })
}

// Create makes a log that nobody appends to yet, so that it can be followed from
// then on. One that is there already stays as it is.
func (s *Logs) Create(ctx context.Context, tx *storage.Tx, o Owner) (err error) {
	defer errtypes.Wrap(&err, "joblog.Create(%q)", o.ID())
	return insertLog(ctx, tx, o)
}

// Open makes this process the one that appends to a log, which is made when it
// is not there and goes on where it had ended. Append to it once the transaction
// is committed. Who had it open before can append no more.
func (s *Logs) Open(ctx context.Context, tx *storage.Tx, o Owner, opts Options) (_ *Log, err error) {
	defer errtypes.Wrap(&err, "joblog.Open(%q)", o.ID())
	l := newLog(s, o.ID(), opts)
	if l.next, l.offset, err = takeLog(ctx, tx, o, l.writer, s.conf.DB.InstanceID()); err != nil {
		return nil, err
	}
	tx.AfterCommit(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[l.id] = l
	})
	return l, nil
}

// find returns a log that this process appends to; nil for any other.
func (s *Logs) find(id string) *Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// forget takes a log out of those that this process appends to.
func (s *Logs) forget(l *Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[l.id] == l {
		delete(s.open, l.id)
	}
}

// End writes what a log still has to say and ends it, in the transaction that
// ends its owner. What is appended from then on may be lost. When that is rolled back, End can be called again. It is no
// error when there is no such log, or when it has ended.
func (s *Logs) End(ctx context.Context, tx *storage.Tx, id string) (err error) {
	defer errtypes.Wrap(&err, "joblog.End(%q)", id)
	l := s.find(id)
	if l != nil {
		l.finish()
		if err := l.write(ctx, tx); err != nil {
			return err
		}
	}
	ended, err := endLog(ctx, tx, id, s.conf.Clock.Now())
	if err != nil || !ended {
		return err
	}
	tx.AfterCommit(func() {
		if l != nil {
			l.close()
			s.bound(l)
		}
		s.sealLater(id)
	})
	s.changed(tx, id) // after that: who follows finds it ended
	return nil
}

// Delete deletes logs in the transaction that deletes their owners, and their
// blobs after it.
func (s *Logs) Delete(ctx context.Context, tx *storage.Tx, ids ...string) (err error) {
	defer errtypes.Wrap(&err, "joblog.Delete")
	for _, id := range ids {
		key, err := deleteLog(ctx, tx, id)
		if errors.Is(err, storage.ErrNoRow) {
			continue
		}
		if err != nil {
			return err
		}
		tx.AfterCommit(func() {
			if l := s.find(id); l != nil {
				l.close()
			}
			s.forgetBounds(id)
			s.dropBlob(context.Background(), key)
		})
		s.changed(tx, id)
	}
	return nil
}

// dropBlob deletes a blob. One that stays is swept, so that it is no error of the
// caller's.
func (s *Logs) dropBlob(ctx context.Context, key string) {
	if key == "" {
		return
	}
	if err := s.conf.Blobs.Delete(ctx, key); err != nil {
		s.conf.Logger.Warn("joblog: a file of a log cannot be deleted; it is tried again later", "error", err)
	}
}

var errClosing = errtypes.New(errtypes.Unavailable, "the logs are being closed")

// Close writes what waits, seals what has ended until ctx ends, and waits for
// both. What is appended afterwards is dropped. It is idempotent.
func (s *Logs) Close(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "joblog.Close")
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.flusher.Stop(ctx, errClosing)
	return s.flush(context.WithoutCancel(ctx))
}
