package sessions

import (
	"context"
	"errors"

	"github.com/drover-go/drover/storage"
)

// bury ends the sessions of processes that have died, and those of this one
// whose end could not be written: every look at sessions begins with it, so that
// nobody sees one RUNNING that is not. It costs two queries along an index of
// open sessions where only this process has any.
func (s *service) bury(ctx context.Context) error {
	var with, mine []string
	self := s.conf.DB.InstanceID()
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if with, err = owners(ctx, q); err == nil && len(with) > 0 {
			mine, err = openOf(ctx, q, self)
		}
		return err
	})
	if strays := s.strays(mine); err == nil && len(strays) > 0 {
		err = s.endStrays(ctx, strays)
	}
	if err != nil || len(with) == 0 || len(with) == 1 && with[0] == self {
		return err
	}
	alive, err := s.alive(ctx)
	if err != nil {
		return err
	}
	for _, instance := range with {
		if !alive[instance] {
			err = errors.Join(err, s.buryOne(ctx, instance))
		}
	}
	return err
}

// alive are the instances whose process lives.
func (s *service) alive(ctx context.Context) (map[string]bool, error) {
	all, err := s.conf.DB.Instances(ctx)
	alive := map[string]bool{}
	for _, in := range all {
		alive[in.ID] = in.Alive
	}
	return alive, err
}

// buryOne ends what a dead instance had. Its browsers went with it; their files,
// and what was uploaded to them, did not.
func (s *service) buryOne(ctx context.Context, instance string) error {
	var ids []string
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if ids, err = openOf(ctx, tx, instance); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := endSession(ctx, tx, id, *hostLost, remains{}, s.now()); err != nil {
				return err
			}
			s.changed(tx, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		err = errors.Join(err, s.files.remove(id))
	}
	s.sweepBrowsers()
	s.conf.Logger.Warn("sessions: the sessions of a process that died are ended", "sessions", len(ids), "instance", instance)
	return err
}

// strays are those of the open sessions that nobody here knows.
func (s *service) strays(open []string) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range open {
		if _, known := s.live[id]; !known {
			ids = append(ids, id)
		}
	}
	return ids
}
