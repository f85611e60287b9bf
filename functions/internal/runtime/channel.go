package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/loopback"
)

// Invocation is what a process is asked to do.
type Invocation struct {
	// Function is the name that the program has given its function.
	Function string
	// Params are an object.
	Params json.RawMessage
	// Context makes the object that the function gets: the session, the secrets.
	// connectURL is the websocket at which the process finds its browser.
	Context func(connectURL string) (json.RawMessage, error)
	// Connect returns the websocket of the browser, which is opened then. It is
	// asked when the process connects to its connectURL.
	Connect func(ctx context.Context) (wsURL string, err error)
	// Taken is called when the process asks for it, before it gets it. Default nothing
	// is.
	Taken func()
}

// Outcome is what a process has answered.
type Outcome struct {
	// Result is JSON; nil where the function returned nothing.
	Result json.RawMessage
	// Failure is the error that the function ended with; nil for none.
	Failure *Failure
	// TooLarge says that the result was larger than is kept; it is not here then.
	TooLarge int64
}

// Failure is an error of a function. What it says is untrusted.
type Failure struct {
	// Type is the name of the error, as in "TypeError".
	Type string
	// Message may be empty.
	Message string
}

// ErrClosed is the end of a channel, and of what waits for it. ErrNotTaken says
// that the process had not even taken the invocation.
var (
	ErrClosed   = errors.New("runtime: the channel is closed")
	ErrNotTaken = errors.New("runtime: the process has not taken the invocation")
)

// Channel is the way to one process.
type Channel struct {
	e      *Endpoint
	secret string
	calls  chan *call // taken by who asks for the next invocation
	closed chan struct{}
	once   sync.Once

	receiving sync.Mutex      // one body of an answer is in memory at a time
	client    loopback.Client // its connections

	mu      sync.Mutex
	current *call // the one that the process has
}

// call is an invocation on its way.
type call struct {
	in   Invocation
	said json.RawMessage // its context
	id   string          // of the request, once the process has it
	done chan Outcome    // capacity 1
}

// Address is where the process finds its channel, without the scheme: it contains
// the secret.
func (c *Channel) Address() (string, error) {
	address, err := c.e.listener.Address()
	return address + "/" + c.secret, err
}

// Do hands an invocation to the process, once it asks for one, and returns its
// answer. One at a time. Its error is [ErrClosed] or the cause of the context, with
// [ErrNotTaken] behind it if the process knows nothing of the invocation.
func (c *Channel) Do(ctx context.Context, in Invocation) (Outcome, error) {
	one := &call{in: in, done: make(chan Outcome, 1)}
	address, err := c.Address()
	if err != nil {
		return Outcome{}, err
	}
	if one.said, err = in.Context("ws://" + address + connectPath); err != nil {
		return Outcome{}, err
	}
	select {
	case c.calls <- one:
	case <-c.closed:
		return Outcome{}, errors.Join(ErrClosed, ErrNotTaken)
	case <-ctx.Done():
		return Outcome{}, errors.Join(context.Cause(ctx), ErrNotTaken)
	}
	select {
	case out := <-one.done:
		return out, nil
	case <-c.closed:
		return one.answered(ErrClosed)
	case <-ctx.Done():
		return one.answered(context.Cause(ctx))
	}
}

// answered is the answer of a process that has ended just after it had given it;
// else the error.
func (one *call) answered(err error) (Outcome, error) {
	select {
	case out := <-one.done:
		return out, nil
	default:
		return Outcome{}, err
	}
}

// Close ends the channel: its process has ended, or is to hear nothing more. It is
// idempotent.
func (c *Channel) Close() {
	c.once.Do(func() {
		close(c.closed)
		c.e.forget(c)
	})
}

// take makes an invocation the one that the process has.
func (c *Channel) take(one *call, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.id = id
	c.current = one
}

// answer ends the invocation with an id. What answers twice, or something that was
// never asked, changes nothing.
func (c *Channel) answer(id string, out Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil || c.current.id != id {
		return
	}
	c.current.done <- out
	c.current = nil
}

// expects reports whether the process has an invocation with an id, which is not
// answered yet.
func (c *Channel) expects(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current != nil && c.current.id == id
}

// connector returns what opens the browser of the invocation that the process has;
// nil while it has none.
func (c *Channel) connector() func(context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return nil
	}
	return c.current.in.Connect
}

func newRequestID() string { return ids.New() }
