package v1

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
)

type healthJSON struct {
	Status string `json:"status"`
}

// healthTTL is how long an answer is good for.
const healthTTL = time.Second

// healthCheck remembers the last answer: whoever asks needs no key, and must
// not keep the database busy by asking often, since every check writes.
type healthCheck struct {
	check func(ctx context.Context) error

	mu    sync.Mutex
	asked time.Time
	err   error
}

func (c *healthCheck) ask(timeout time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.check == nil || !c.asked.IsZero() && time.Since(c.asked) < healthTTL {
		return c.err
	}
	// Not the context of the caller, since the answer is for others too.
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	c.err = c.check(ctx)
	c.asked = time.Now()
	return c.err
}

// health says whether the service can do its work, and nothing else.
func health(x *exchange) (answer, error) {
	if err := x.checked.ask(x.opts.HealthTimeout); err != nil {
		return answer{}, errtypes.New(errtypes.Unavailable, "the service cannot do its work at the moment").WithCause(err)
	}
	return answer{http.StatusOK, healthJSON{"ok"}}, nil
}
