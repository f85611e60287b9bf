package sessions

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// Processes on the same data ask each other for what only one of them has: the
// recording, the tabs and the newest log of a session that runs, and to take a
// file for it. They know each other by a MAC under the secret of the data, which
// neither the signing key nor a view token of the session is.

const peerScheme = "Drover-Peer "

// nameParameter is the name of a file for a session.
const nameParameter = "name"

// maxPeerAnswer bounds what is read of another process's answer, in bytes.
const maxPeerAnswer = 256 << 20

func peerPath(id, what string) string { return "/v1/sessions/" + id + "/peer/" + what }

func (s *service) peerKey(id string) string { return s.seal("peer "+id, "") }

// peerOnly lets other processes on the same data in.
func (s *service) peerOnly(r *http.Request, id string) error {
	if !hmac.Equal([]byte(r.Header.Get("Authorization")), []byte(peerScheme+s.peerKey(id))) {
		return errtypes.New(errtypes.Unauthenticated, "only other processes on the same data may ask for this")
	}
	return nil
}

// tell answers a peer with what this process has of a session.
func tell[T any](s *service, what func(context.Context, *live) (T, error)) http.HandlerFunc {
	return s.guarded(s.peerOnly, running, func(w http.ResponseWriter, r *http.Request, session row) {
		l := s.find(session.ID)
		if l == nil {
			refuse(w, errtypes.New(errtypes.Gone, "the session has ended"))
			return
		}
		known, err := what(r.Context(), l)
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(known) // what cannot be written nobody reads
	})
}

// takeUpload takes a file from a peer. What is left of it is read, so that the
// peer sees the answer.
func (s *service) takeUpload(w http.ResponseWriter, r *http.Request, known row) {
	var err error = errtypes.New(errtypes.Gone, "the session has ended")
	if l := s.find(known.ID); l != nil {
		err = l.take(Upload{r.URL.Query().Get(nameParameter), r.Body})
	}
	if err != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, s.conf.Limits.MaxUpload+1))
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// fromOwner returns what the process that has a session knows of it, and what
// is kept of it if the session has ended, perhaps with that process.
func fromOwner[T any](ctx context.Context, s *service, known row, what string, kept func(row) (T, error)) (all T, err error) {
	if known.Status != Running {
		return kept(known)
	}
	bounded, cancel := clock.WithTimeout(ctx, s.conf.Clock, releaseTime, errSilent)
	defer cancel()
	res, err := s.ask(bounded, known, http.MethodGet, what, nil, nil)
	if err == nil {
		defer res.Body.Close()
		err = readAnswer(res, &all)
	}
	switch {
	case err == nil:
		return all, nil
	case ctx.Err() != nil:
		return all, context.Cause(ctx)
	}
	now, lookErr := s.lookUp(ctx, known.ID) // which ends what a dead process had
	if lookErr != nil || !now.Status.Final() {
		return all, err
	}
	return kept(now)
}

// giveOwner sends a file to the process that has a session.
func (s *service) giveOwner(ctx context.Context, known row, u Upload) error {
	body := &source{from: io.LimitReader(u.Content, s.conf.Limits.MaxUpload+1), closed: make(chan struct{})}
	res, err := s.ask(ctx, known, http.MethodPost, "uploads", url.Values{nameParameter: {u.Filename}}, body)
	if err == nil {
		err = readAnswer(res, nil)
		res.Body.Close()
	}
	if broken := body.wait(); broken != nil {
		err = broken // which is why the other process had no answer
	}
	if now, lookErr := s.lookUp(ctx, known.ID); err != nil && lookErr == nil && now.Status.Final() {
		return ended(now)
	}
	return err
}

// readAnswer reads another process's answer, or the error that it is.
func readAnswer(res *http.Response, into any) error {
	body := json.NewDecoder(io.LimitReader(res.Body, maxPeerAnswer))
	if res.StatusCode >= 300 {
		var e struct{ Message string }
		if err := body.Decode(&e); err != nil {
			return errSilent.WithCause(err)
		}
		return errtypes.New(kindOf(res.StatusCode), "%s", e.Message)
	}
	if into == nil {
		return nil
	}
	if err := body.Decode(into); err != nil {
		return errSilent.WithCause(err)
	}
	return nil
}

func kindOf(status int) errtypes.Kind {
	for _, k := range errtypes.Kinds() {
		if k.HTTPStatus() == status {
			return k
		}
	}
	return errtypes.Internal
}

// source is the body of a request that keeps why it broke off, and tells when
// nobody reads it any more: an answer may come before all of it is sent.
type source struct {
	from   io.Reader
	err    error
	closed chan struct{}
	once   sync.Once
}

func (b *source) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

func (b *source) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}

// wait returns why it broke off; nil if it did not.
func (b *source) wait() error {
	<-b.closed
	return b.err
}
