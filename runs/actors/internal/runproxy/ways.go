package runproxy

import (
	"container/list"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// ways are those of the users of a proxy. A session keeps its way, and so its proxy of
// the host; who names none has a new one for each request.
type ways struct {
	gate *egress.Gate
	pool *egress.Pool

	mu       sync.Mutex
	sessions map[user]*list.Element // of *session
	order    *list.List             // the one that was used longest ago first
}

type session struct {
	of     user
	dialer *egress.Dialer
}

// mostSessions is how many sessions of a process are remembered.
const mostSessions = 1000

func newWays(o Options) *ways {
	return &ways{gate: o.Gate, pool: o.Pool, sessions: map[user]*list.Element{}, order: list.New()}
}

// of returns the way of a user by its name. Error kinds: Unauthenticated, Unavailable.
func (w *ways) of(name string) (*egress.Dialer, error) {
	u, err := readUser(name)
	if err != nil {
		return nil, err
	}
	if u.session == "" {
		return w.dialer(u.place)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if known := w.sessions[u]; known != nil {
		w.order.MoveToBack(known)
		return known.Value.(*session).dialer, nil
	}
	d, err := w.dialer(u.place)
	if err == nil {
		w.remember(&session{u, d})
	}
	return d, err
}

func (w *ways) remember(s *session) {
	w.sessions[s.of] = w.order.PushBack(s)
	if w.order.Len() > mostSessions {
		delete(w.sessions, w.order.Remove(w.order.Front()).(*session).of)
	}
}

// dialer is a new way through a proxy of the host that is at a place; directly where the
// host has none.
func (w *ways) dialer(asked egress.Place) (*egress.Dialer, error) {
	if w.pool.Len() == 0 && asked == (egress.Place{}) {
		return w.gate.Dialer(egress.Policy{}), nil
	}
	if !w.pool.Has(asked) {
		return nil, errtypes.New(errtypes.Unavailable, "no proxy of this host is in %s", asked)
	}
	routes, err := w.gate.Routes(w.pool, []egress.ProxyRule{{Type: "managed", Place: asked}}, "country")
	return w.gate.Dialer(egress.Policy{Routes: routes}), err
}
