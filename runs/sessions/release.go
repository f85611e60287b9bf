package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// releaseTime is how long the process that has a session may take to end it, or
// to answer.
const releaseTime = 30 * time.Second

var errNoAnswer = errtypes.New(errtypes.Unavailable, "the process that has the session does not end it; try again later")

// Release implements [Service].
func (s *service) Release(ctx context.Context, id string) (_ Session, err error) {
	defer errtypes.Wrap(&err, "sessions.Release(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil || r.Status.Final() {
		return r.Session, err
	}
	if l := s.find(id); l != nil {
		l.end(released)
	} else if err := s.askRelease(ctx, r); err != nil {
		return Session{}, err
	}
	bounded, cancel := clock.WithTimeout(ctx, s.conf.Clock, releaseTime, errNoAnswer)
	defer cancel()
	return s.Wait(bounded, id)
}

// askRelease leaves word for the process that has the session.
func (s *service) askRelease(ctx context.Context, r row) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		s.changed(tx, r.ID)
		tx.AfterCommit(func() { s.conf.Notify.Publish(releasesTopic) })
		return requestRelease(ctx, tx, r.ProjectID, r.ID, s.now())
	})
}

// Wait implements [Service].
func (s *service) Wait(ctx context.Context, id string) (_ Session, err error) {
	defer errtypes.Wrap(&err, "sessions.Wait(%q)", id)
	changes := s.conf.Notify.Subscribe(topic(id))
	defer changes.Close()
	for {
		r, err := s.get(ctx, id)
		if err != nil || r.Status.Final() {
			return r.Session, err
		}
		select {
		case <-changes.C():
		case <-s.conf.Notify.Done():
			return r.Session, errClosing
		case <-ctx.Done():
			return r.Session, context.Cause(ctx)
		}
	}
}

// releasesTopic is published for releases; those of other processes wake every
// topic.
const releasesTopic = "sessions/releases"

// listen sees to it that releases which other processes ask for are heard.
// Nobody else can ask where the database is in memory.
func (s *service) listen() {
	if s.conf.DB.Dir() == "" {
		return
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel() // a listener that is being stopped stays stopped
	s.listener.Start(ended, s.hearReleases)
}

// hearReleases ends sessions that others want ended. It waits for nothing else,
// and goes on once it has begun: what it costs is one look for each commit of
// another process.
func (s *service) hearReleases(run *lifecycle.Run) {
	changes := s.conf.Notify.Subscribe(releasesTopic)
	defer changes.Close()
	run.Ready()
	for s.endReleased(run.Context()); s.awaitChange(run, changes); {
		s.endReleased(run.Context())
	}
}

func (s *service) awaitChange(run *lifecycle.Run, changes *notify.Subscription) bool {
	select {
	case <-changes.C():
		return true
	case <-run.Stopping():
		return false
	}
}

func (s *service) endReleased(ctx context.Context) {
	ids, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) ([]string, error) {
		return releases(ctx, q, s.conf.DB.InstanceID())
	})
	if err != nil {
		if ctx.Err() == nil {
			s.conf.Logger.Warn("sessions: it cannot be told which sessions are to be released", "error", err)
		}
		return
	}
	for _, id := range ids {
		if l := s.find(id); l != nil {
			l.end(released)
		}
	}
}
