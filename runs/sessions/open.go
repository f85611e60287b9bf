package sessions

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Browser is a session that its host drives, with the verbs of [browser.Session].
// Clients, agents and other Browsers of the same session take turns with it, a call
// at a time. Methods of one Browser are not called at the same time, but for those that
// browser.Session names. Close it.
type Browser struct {
	browser.Session
	service *service
	project string
}

// Record returns the record of the session, as Service.Get does. Error kind NotFound
// once it is deleted.
func (b *Browser) Record(ctx context.Context) (Session, error) {
	return b.service.Get(inProject(ctx, b.project), b.ID())
}

// Open implements [Service].
func (s *service) Open(ctx context.Context, c Create) (_ *Browser, err error) {
	defer errtypes.Wrap(&err, "sessions.Open")
	l, err := s.createFor(ctx, c, opener{inside: true})
	if err != nil {
		return nil, err
	}
	return &Browser{&held{l.browser, l}, s, l.ProjectID}, nil
}

// Attach implements [Service].
func (s *service) Attach(ctx context.Context, id string) (_ *Browser, err error) {
	defer errtypes.Wrap(&err, "sessions.Attach(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	l := s.find(id)
	switch {
	case r.Status.Final():
		return nil, errtypes.New(errtypes.Conflict, "the session %s has ended", id)
	case l == nil || r.Status != Running:
		return nil, errtypes.New(errtypes.Conflict, "the session %s does not run in this process", id)
	}
	return &Browser{&guest{held{l.browser, l}}, s, l.ProjectID}, nil
}
