package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage/projects"
)

// errRevoked is why a socket ends whose API key was revoked.
var errRevoked = errors.New("sessions: the API key was revoked")

// revokedText tells who has a link of such a key.
const revokedText = "the API key that this link was made with is revoked"

// checkKey is an error when an API key is revoked: the link in the parameter
// was made with it.
func (s *service) checkKey(ctx context.Context, apiKey, parameter string) error {
	if apiKey == "" {
		return nil
	}
	err := s.conf.Callers.CheckKey(ctx, apiKey)
	if errtypes.Is(err, errtypes.Unauthenticated) {
		return &errtypes.Error{Kind: errtypes.Unauthenticated, Field: parameter, Message: revokedText + "; ask for a new one with GET /v1/sessions/{id} and another key"}
	}
	return err
}

// holding is an API key that sockets are open with.
type holding struct {
	sockets int
	ctx     context.Context // ends when the key is revoked, or nobody is left
	cancel  context.CancelCauseFunc
}

// whenRevoked calls f once an API key is revoked, by this process or another on
// the same data, unless stop is called before.
func (s *service) whenRevoked(apiKey string, f func()) (stop func()) {
	if apiKey == "" {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.holdings[apiKey]
	if h == nil || h.ctx.Err() != nil {
		h = &holding{}
		h.ctx, h.cancel = context.WithCancelCause(context.Background())
		s.holdings[apiKey] = h
		sub := s.conf.Notify.Subscribe(projects.KeyTopic(apiKey))
		s.peers.Go(func() { s.followKey(h, apiKey, sub) })
	}
	h.sockets++
	forget := context.AfterFunc(h.ctx, func() {
		if errors.Is(context.Cause(h.ctx), errRevoked) {
			f()
		}
	})
	return func() {
		forget()
		s.leaveKey(h, apiKey)
	}
}

func (s *service) leaveKey(h *holding, apiKey string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.sockets--; h.sockets == 0 {
		h.cancel(nil)
		if s.holdings[apiKey] == h {
			delete(s.holdings, apiKey)
		}
	}
}

// keyRetry is how long after a look at a key that failed the next one follows.
const keyRetry = time.Second

// followKey waits until the key is revoked, or nobody holds it any more. One
// goroutine does so for all sockets of a key.
func (s *service) followKey(h *holding, apiKey string, sub *notify.Subscription) {
	defer sub.Close()
	for {
		err := s.conf.Callers.CheckKey(h.ctx, apiKey)
		if errtypes.Is(err, errtypes.Unauthenticated) {
			h.cancel(errRevoked)
			return
		}
		again := s.conf.Clock.NewTimer(keyRetry)
		if err == nil {
			again.Stop()
		}
		select {
		case <-h.ctx.Done():
			again.Stop()
			return
		case <-sub.C():
		case <-again.C():
		}
		again.Stop()
	}
}
