package v1

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
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
	now   *checking // nil where nothing is being found out
}

// checking is a check under way; err is set when done is closed.
type checking struct {
	done chan struct{}
	err  error
}

var errHealthTime = errors.New("v1: the check takes too long")

// ask waits for the check no longer than the timeout: a disk that hangs lets
// nobody break off what is asked of it.
func (c *healthCheck) ask(timeout time.Duration) error {
	now, err := c.begin(timeout)
	if now == nil {
		return err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-now.done:
		return now.err
	case <-timer.C:
		return errHealthTime
	}
}

// begin starts a check, unless one is under way or the last answer is good yet.
func (c *healthCheck) begin(timeout time.Duration) (*checking, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.check == nil || c.now == nil && !c.asked.IsZero() && time.Since(c.asked) < healthTTL {
		return nil, c.err
	}
	if c.now == nil {
		c.now = &checking{done: make(chan struct{})}
		go c.run(c.now, timeout)
	}
	return c.now, nil
}

func (c *healthCheck) run(now *checking, timeout time.Duration) {
	// Not the context of a caller, since the answer is for others too.
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	now.err = c.check(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.asked, c.now = now.err, time.Now(), nil
	close(now.done)
}

// health says whether the service can do its work, and nothing else.
func health(x *exchange) (answer, error) {
	if err := x.checked.ask(x.opts.HealthTimeout); err != nil {
		return answer{}, errtypes.New(errtypes.Unavailable, "the service cannot do its work at the moment").WithCause(err)
	}
	return api.OK(healthJSON{"ok"}), nil
}
