package v1

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs"
)

// heartbeat is how often a stream gives a sign of life, and looks whether its key
// is still good.
const heartbeat = 15 * time.Second

// lastEventHeader is what clients of server-sent events come back with.
const lastEventHeader = "Last-Event-ID"

// streamMessages sends the messages of a run as they are written, and at last the
// run. It is broken off when the service closes: clients come back with the id of
// the last message.
func streamMessages(x *exchange) (answer, error) {
	since, err := lastEvent(x)
	if err != nil {
		return answer{}, err
	}
	first := runs.MessageFilter{Since: since, Limit: 1}
	if _, err := x.Runs.ListMessages(x.R.Context(), x.id("runId"), first); err != nil { // while it can be answered with a status
		return answer{}, asLastEvent(err)
	}
	release, err := x.streams.take(x.Record.ProjectID)
	if err != nil {
		return answer{}, err
	}
	defer release()
	events := x.Events()
	defer events.End()
	defer context.AfterFunc(x.Accepting, events.Break)()
	if x.R.Method != http.MethodHead {
		x.stream(since, events)
	}
	return answer{}, nil
}

// lastEvent is the id of the last message that the client has: a client that
// comes back repeats the query of its first time, and says newer in the header.
func lastEvent(x *exchange) (string, error) {
	q := x.Query()
	fromQuery := q.String("lastEventId")
	return ids.Canonical(cmp.Or(x.R.Header.Get(lastEventHeader), fromQuery)), q.Err()
}

// asLastEvent names the field as this route has it.
func asLastEvent(err error) error {
	if e, ok := errors.AsType[*errtypes.Error](err); ok && e.Field == "since" {
		return errtypes.Field("lastEventId", "(or the header %s) is no message of this run", lastEventHeader)
	}
	return err
}

// stream sends what there is until the run has ended, somebody leaves, or the
// service closes. An answer that fails on its way is broken off.
func (x *exchange) stream(since string, events *api.Events) {
	ctx, cancel := x.untilClosing()
	defer cancel()
	err := x.relay(ctx, since, events)
	if err == nil {
		err = x.sendEnd(ctx, events)
	}
	if err != nil && ctx.Err() == nil && !errtypes.Is(err, errtypes.Unavailable) {
		x.Record.Err = err
		panic(http.ErrAbortHandler)
	}
}

// untilClosing is the context of a request that only waits.
func (x *exchange) untilClosing() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(x.R.Context())
	stop := context.AfterFunc(x.Accepting, cancel)
	return ctx, func() { stop(); cancel() }
}

func (x *exchange) sendEnd(ctx context.Context, events *api.Events) error {
	r, err := x.Runs.Get(ctx, x.id("runId"))
	if err != nil {
		return err
	}
	return events.Send("end", "", v1json.RunOf(r))
}

// relay sends messages until the run has ended. While the client takes its time,
// they wait in the database.
func (x *exchange) relay(ctx context.Context, since string, events *api.Events) error {
	ctx, cancel := context.WithCancel(ctx)
	messages, ended := make(chan runs.Message), make(chan error, 1)
	go func() { ended <- x.follow(ctx, since, messages) }()
	err, over := x.sendAll(events, messages, ended)
	cancel()
	if !over {
		<-ended
	}
	return err
}

func (x *exchange) follow(ctx context.Context, since string, to chan<- runs.Message) error {
	for m, err := range x.Runs.MessagesSince(ctx, x.id("runId"), since) {
		if err != nil {
			return err
		}
		select {
		case to <- m:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// sendAll reports whether it has heard the end.
func (x *exchange) sendAll(events *api.Events, messages <-chan runs.Message, ended <-chan error) (err error, over bool) {
	beat := x.opts.Clock.NewTimer(heartbeat)
	defer beat.Stop()
	for err == nil {
		select {
		case m := <-messages:
			err = events.Send("message", m.ID, messageOut(m))
		case err = <-ended:
			return err, true
		case <-beat.C():
			beat.Reset(heartbeat)
			if _, err = x.authenticate(x.Exchange); err == nil {
				err = events.Beat()
			}
		}
	}
	return err, false
}

// places are how many streams projects have.
type places struct {
	most int

	mu    sync.Mutex
	taken map[string]int // by project
}

// take takes one. Error kind RateLimited.
func (p *places) take(project string) (release func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[project] >= p.most {
		return nil, errtypes.New(errtypes.RateLimited, "the project has as many streams of messages open as it may, %d", p.most)
	}
	p.taken[project]++
	return func() { p.release(project) }, nil
}

func (p *places) release(project string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[project]--; p.taken[project] == 0 {
		delete(p.taken, project)
	}
}
