package sessions

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// Join is how a session is driven that exists.
type Join struct {
	// Secrets says that values will be typed which nobody may see: the session must
	// not be recorded then.
	Secrets bool
	// Hide as in [Create]; it counts until the session ends.
	Hide *secrets.Vault
}

const joinField = "sessionId"

// CheckJoin implements [Service].
func (s *service) CheckJoin(ctx context.Context, id string, j Join) (err error) {
	defer errtypes.Wrap(&err, "sessions.CheckJoin(%q)", id)
	r, err := s.get(ctx, id)
	if errtypes.Is(err, errtypes.NotFound) {
		return errtypes.Field(joinField, "names no session: there is no %q", id)
	}
	if err != nil {
		return err
	}
	_, err = s.joinable(r, j)
	return err
}

// Join implements [Service].
func (s *service) Join(ctx context.Context, projectID, id string, j Join) (_ browser.Session, err error) {
	defer errtypes.Wrap(&err, "sessions.Join(%q)", id)
	r, err := s.get(inProject(ctx, projectID), id)
	if err != nil {
		return nil, err
	}
	l, err := s.joinable(r, j)
	if err != nil {
		return nil, err
	}
	l.secrets.Include(j.Hide)
	return &guest{held{l.browser, l}}, nil
}

// joinable returns a session if it runs here and nobody sees what is typed.
func (s *service) joinable(r row, j Join) (*live, error) {
	if r.Status.Final() {
		return nil, errtypes.Field(joinField, "names a session that has ended: %s", r.ID)
	}
	l := s.find(r.ID)
	switch {
	case l == nil || r.Status != Running:
		return nil, errtypes.Field(joinField, "names a session that does not run in this process: %s", r.ID)
	case j.Secrets && !r.Settings.NoRecording && !r.Settings.StepsOnly:
		return nil, errtypes.Field(joinField, "names a session whose frames are recorded, which would show the values of variables: %s", r.ID)
	}
	return l, nil
}

// guest is a session that somebody else has, and will end. It is driven in turns
// with all who have it.
type guest struct{ held }

// Close leaves the session as it is.
func (g *guest) Close() error { return nil }
