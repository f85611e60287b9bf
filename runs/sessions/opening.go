package sessions

import (
	"cmp"
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage"
)

// opener is who opens a session. The zero value is a caller whose clients drive it.
type opener struct {
	// inside drives the session in this process: it waits for no client, and the
	// last one that leaves takes nothing with it.
	inside bool
	// free is Drover's own work: whoever asked for that bounds it.
	free bool
}

func (s *service) Create(ctx context.Context, c Create) (_ Session, err error) {
	defer errtypes.Wrap(&err, "sessions.Create")
	l, err := s.createFor(ctx, c, opener{})
	if err != nil {
		return Session{}, err
	}
	return s.shown(ctx, l.row), nil
}

// createFor creates a session of the caller's project.
func (s *service) createFor(ctx context.Context, c Create, by opener) (*live, error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	if c.ProjectID != "" && !project.Is(c.ProjectID) {
		return nil, errtypes.New(errtypes.NotFound, "there is no project %q", c.ProjectID)
	}
	return s.create(ctx, project.ID, c, by)
}

func (s *service) OpenFor(ctx context.Context, projectID string, c Create) (_ browser.Session, err error) {
	defer errtypes.Wrap(&err, "sessions.OpenFor")
	l, err := s.create(ctx, projectID, c, opener{inside: true, free: true})
	if err != nil {
		return nil, err
	}
	return &held{l.browser, l}, nil
}

// create makes the record, then the browser, then says that it runs.
func (s *service) create(ctx context.Context, projectID string, c Create, by opener) (_ *live, err error) {
	ctx, done := s.metrics.opening(ctx)
	defer func() { done(err) }()
	r, err := s.build(projectID, c, by)
	if err != nil {
		return nil, err
	}
	if err := s.knowContext(inProject(ctx, projectID), c.Settings.Context); err != nil {
		return nil, err
	}
	ctx, leave, err := s.enter(ctx, by.free)
	if err != nil {
		return nil, err
	}
	defer leave()
	defer func() { err = closedOr(ctx, err) }()
	if err := s.knowExtension(inProject(ctx, projectID), r.Settings.ExtensionID); err != nil {
		return nil, err
	}
	if r.endpoint, err = s.endpoint.Address(); err != nil {
		return nil, err
	}
	s.expect(r.ID)
	log, err := s.insert(ctx, r, by)
	if err != nil {
		s.forget(r.ID)
		return nil, err
	}
	l := newLive(s, r, log)
	l.secrets.Include(c.Hide)
	if err := s.start(ctx, l, c.Settings); err != nil {
		l.cancel(err)
		l.removeExtension()
		s.drop(ctx, l)
		s.forget(r.ID)
		return nil, err
	}
	return l, nil
}

// enter counts a creation in, so that Close can wait for it. Its context ends when
// the service closes: who waits for a place then waits in vain. That of a caller
// ends before those of Drover's own work, which may go on for a while.
func (s *service) enter(ctx context.Context, free bool) (_ context.Context, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	life := s.accepting
	if free {
		life = s.open
	}
	if life.Err() != nil {
		return nil, nil, errClosing
	}
	s.creating.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(life, func() { cancel(errClosing) })
	return ctx, func() {
		stop()
		cancel(nil)
		s.creating.Done()
	}, nil
}

// closedOr is why a creation failed: what was broken off says so in many ways.
func closedOr(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errClosing) {
		return errClosing
	}
	return err
}

func (s *service) build(projectID string, c Create, by opener) (row, error) {
	if err := s.conf.check(c.Settings); err != nil {
		return row{}, err
	}
	if err := s.conf.checkCreate(&c, by.free); err != nil {
		return row{}, err
	}
	now := s.now()
	r := row{own: by.inside, instance: s.conf.DB.InstanceID(), Session: Session{
		ID: cmp.Or(c.ID, ids.New()), ProjectID: projectID, Status: Pending, CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(c.Timeout),
		KeepAlive: c.KeepAlive, Region: c.Region, UserMetadata: c.UserMetadata, Settings: c.Settings,
	}}
	r.Settings.Proxies = r.Settings.Proxies.Stored()
	return r, nil
}

// insert writes the record, unless the project has too many, and opens its log;
// nil for one without.
func (s *service) insert(ctx context.Context, r row, by opener) (log *joblog.Log, err error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	most := s.conf.Limits.PerProject
	if by.free {
		most = 0
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		ok, err := insertSession(ctx, tx, r, most)
		if err == nil && !ok {
			err = errtypes.New(errtypes.RateLimited, "the project has as many sessions open as it may, %d; release one first", most).WithCause(&LimitError{most})
		}
		if err != nil {
			return err
		}
		if !r.Settings.NoLog {
			if log, err = s.conf.Logs.Open(ctx, tx, logOf(r), s.conf.Limits.logOptions()); err != nil {
				return err
			}
		}
		return insertMetadata(ctx, tx, r.ID, members(r.UserMetadata))
	})
	return log, err
}

// start opens the browser. The settings are those with passwords.
func (s *service) start(ctx context.Context, l *live, settings Settings) (err error) {
	defer func() {
		if err != nil {
			l.leaveProfile()
		}
	}()
	if l.browser, err = l.openBrowser(ctx, settings); err != nil {
		return err
	}
	if err = s.run(ctx, l); err != nil {
		err = errors.Join(err, l.browser.Close())
	}
	return err
}

// run makes the record RUNNING and lets the session live.
func (s *service) run(ctx context.Context, l *live) error {
	var r row
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		now := s.now()
		if r, err = startSession(ctx, tx, l.ID, now, now.Add(l.ExpiresAt.Sub(l.CreatedAt))); err != nil {
			return err
		}
		s.changed(tx, l.ID)
		return s.emit(ctx, tx, r)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.live[l.ID] = l
	s.metrics.started.Inc()
	l.begin(r)
	s.mu.Unlock()
	s.listen()
	return nil
}

// drop removes the record of a session that never began: its caller has the
// error.
func (s *service) drop(ctx context.Context, l *live) {
	err := s.conf.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx *storage.Tx) error {
		if err := deletePending(ctx, tx, l.ID); err != nil {
			return err
		}
		r, err := s.endIn(ctx, tx, l.ID, *died(nil), remains{}) // one that was RUNNING for a moment
		if errors.Is(err, storage.ErrNoRow) {
			return s.conf.Logs.Delete(ctx, tx, logOf(l.row).ID())
		}
		if err != nil {
			return err
		}
		s.countEnd(tx, r)
		return s.conf.Logs.End(ctx, tx, logOf(l.row).ID())
	})
	if err != nil {
		s.conf.Logger.Error("sessions: a session that did not begin cannot be removed", "session", l.ID, "error", err)
	}
}
