package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/loopback"
	"github.com/drover-go/drover/storage"
)

// New returns the service. It opens no browser. Close it, whether or not it is
// used.
func New(ctx context.Context, c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "sessions.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s, err := newService(ctx, c.withDefaults())
	if err != nil {
		return nil, err
	}
	s.conf.Reaper.Register("sessions", s.reap)
	s.keep()
	return s, nil
}

func newService(ctx context.Context, c Config) (*service, error) {
	secret, err := c.DB.SecretKey(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	s := &service{conf: c, secret: secret, live: map[string]*live{}, unwritten: map[string]*live{}, holdings: map[string]*holding{}}
	s.open, s.stopAtOnce = context.WithCancel(context.Background())
	s.accepting, s.stopAccepting = context.WithCancel(s.open)
	s.metrics = newMetrics(c.Telemetry, s)
	s.files.start(c)
	s.handler = s.routes()
	s.endpoint = loopback.New(loopback.Options{Name: "sessions", Handler: s.handler, Refuse: refuse, Logger: c.Logger})
	return s, nil
}

type service struct {
	conf    Config
	secret  []byte
	files   files
	metrics metrics

	handler  http.Handler
	endpoint *loopback.Endpoint
	listener lifecycle.Runner // for releases

	straying sync.Mutex // held while strays are ended

	// accepting ends when callers get no more sessions, and open, which it is
	// within, when nobody does.
	open, accepting           context.Context
	stopAccepting, stopAtOnce context.CancelFunc

	mu       sync.Mutex
	creating sync.WaitGroup
	live     map[string]*live // nil for those that are being created
	// unwritten are those that have ended, which could not be written yet.
	unwritten map[string]*live
	holdings  map[string]*holding // by the id of the API key
	peers     sync.WaitGroup      // clients and viewers of all sessions
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }

func topic(id string) string { return "session/" + id }

// changed tells who waits for a session once the transaction is committed.
func (s *service) changed(tx *storage.Tx, id string) {
	tx.AfterCommit(func() { s.conf.Notify.Publish(topic(id)) })
}

func (s *service) Check(ctx context.Context, settings Settings) (err error) {
	defer errtypes.Wrap(&err, "sessions.Check")
	if err := s.conf.check(settings); err != nil {
		return err
	}
	if err := s.knowContext(ctx, settings.Context); err != nil {
		return err
	}
	if err := s.knowExtension(ctx, settings.ExtensionID); err != nil {
		return err
	}
	_, err = s.conf.tlsMaterial(ctx, settings)
	return err
}

// expect makes an id known whose session is about to be.
func (s *service) expect(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[id] = nil
}

func (s *service) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, id)
}

// find returns the live session with an id; nil if this process has none.
func (s *service) find(id string) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

// shown adds what is not stored, for who calls.
func (s *service) shown(ctx context.Context, r row) Session {
	if r.ID != "" {
		r.ViewToken = s.newViewToken(ctx, r.ID)
	}
	if r.Status != Running {
		return r.Session
	}
	r.ProxyBytes = s.carried(r)
	r.SigningKey = s.keyFor(ctx, r.ID)
	r.ConnectURL = "ws://" + r.endpoint + ConnectPath(r.ID) + "?signingKey=" + r.SigningKey
	return r.Session
}

// carried is what the proxy of an open session has carried: what is written of it,
// unless this process knows more.
func (s *service) carried(r row) int64 {
	if l := s.find(r.ID); l != nil {
		return l.bytes()
	}
	return r.ProxyBytes
}

func (s *service) Get(ctx context.Context, id string) (_ Session, err error) {
	defer errtypes.Wrap(&err, "sessions.Get(%q)", id)
	r, err := s.get(ctx, id)
	return s.shown(ctx, r), err
}

func (s *service) get(ctx context.Context, id string) (row, error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return row{}, err
	}
	if err := s.settle(ctx); err != nil {
		return row{}, err
	}
	return s.one(ctx, id, func(ctx context.Context, q storage.Querier) (row, error) { return findSession(ctx, q, project.ID, id) })
}

// one reads a session. Error kind NotFound.
func (s *service) one(ctx context.Context, id string, find func(context.Context, storage.Querier) (row, error)) (row, error) {
	r, err := storage.ReadOne(ctx, s.conf.DB, find)
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no session %q", id)
	}
	return r, err
}

func (s *service) List(ctx context.Context, f Filter) (_ []Session, err error) {
	defer errtypes.Wrap(&err, "sessions.List")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	if f.Status != "" && !slices.Contains(Statuses(), f.Status) {
		return nil, errtypes.Field("status", "must be one of %s", joined(Statuses()))
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	rows, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) ([]row, error) {
		return listSessions(ctx, q, project.ID, f, s.conf.Limits.MaxList)
	})
	all := make([]Session, len(rows))
	for i, r := range rows {
		all[i] = s.shown(ctx, r)
	}
	return all, err
}

// StopAccepting implements [Service].
func (s *service) StopAccepting() {
	s.mu.Lock() // none is just being counted in
	defer s.mu.Unlock()
	s.stopAccepting()
}

// Close implements [Service].
func (s *service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.stopAtOnce()
	s.mu.Unlock()
	s.creating.Wait()
	s.mu.Lock()
	var all []*live
	for _, l := range s.live {
		if l != nil { // none is just being created, but one may have panicked on its way
			all = append(all, l)
		}
	}
	s.mu.Unlock()
	for _, l := range all {
		l.end(shutDown)
	}
	for _, l := range all {
		<-l.done
	}
	s.peers.Wait()
	s.listener.Stop(ctx, errClosing)
	return errors.Join(s.endStrays(ctx, s.unwrittenIDs()), s.endpoint.Close(), s.files.close())
}

// members are the simple values of a metadata object, as text.
func members(raw json.RawMessage) (all []Metadata) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	for name, value := range object {
		var s string
		switch {
		case len(value) == 0 || value[0] == '{' || value[0] == '[' || value[0] == 'n':
			continue
		case json.Unmarshal(value, &s) != nil:
			s = string(value)
		}
		all = append(all, Metadata{name, s})
	}
	return all
}
