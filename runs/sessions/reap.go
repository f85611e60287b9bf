package sessions

import (
	"context"

	"github.com/drover-go/drover/storage"
)

// reap ends the sessions of a process that has died. Its browsers went with it;
// their files, and what was uploaded to them, the keeper removes.
func (s *service) reap(ctx context.Context, tx *storage.Tx, dead string) error {
	ids, err := openOf(ctx, tx, dead)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := s.endIn(ctx, tx, id, *hostLost, remains{})
		if err != nil {
			return err
		}
		s.countEnd(tx, r)
	}
	return nil
}

// settle ends the sessions of processes that have died, and those of this one
// whose end could not be written: every look at sessions begins with it, so that
// nobody sees one RUNNING that is not. It costs two queries along an index of
// open sessions where only this process has any.
func (s *service) settle(ctx context.Context) error {
	var with, mine []string
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if with, err = owners(ctx, q); err == nil && len(with) > 0 {
			mine, err = openOf(ctx, q, s.conf.DB.InstanceID())
		}
		return err
	})
	if strays := s.strays(mine); err == nil && len(strays) > 0 {
		err = s.endStrays(ctx, strays)
	}
	if err != nil {
		return err
	}
	return s.conf.Reaper.Check(ctx, with...)
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
