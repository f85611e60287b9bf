package functions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/guard"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
	"github.com/drover-go/drover/storage"
)

// execute calls the handler of a Go function. When it returns, the browser of the
// invocation is gone.
func (s *service) execute(ctx context.Context, g registered, r row) (e ending, err error) {
	base, secrets, err := s.given(ctx, g, r)
	if err != nil {
		return ending{}, err
	}
	a, err := s.activate(ctx, base, r, redactor(secrets))
	if err != nil {
		return ending{}, err
	}
	defer a.close()
	a.secrets = secrets
	inv := r.Invocation
	inv.active = a
	out := s.handle(ctx, g.run, &inv)
	switch {
	case ctx.Err() != nil:
		return ending{}, context.Cause(ctx)
	case out.err != nil:
		a.log.Append(joblog.Stderr, "error: "+out.said)
		if e, ok := a.lacking(); ok {
			return e, nil
		}
		return failed(codeOf(out.err), "%s", redactor(secrets)(out.said)), nil
	}
	return s.completed(ctx, out.result), nil
}

// given is what an invocation of a Go function gets: the settings of the session of
// its version, and its secrets. The passwords of proxies are in the registration
// alone.
func (s *service) given(ctx context.Context, g registered, r row) (base json.RawMessage, secrets map[string]string, err error) {
	if s.conf.Secrets != nil {
		if secrets, err = s.conf.Secrets.Secrets(ctx, r.ProjectID, r.FunctionID); err != nil {
			return nil, nil, err
		}
	}
	if r.VersionID != g.versionID {
		v, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (version, error) {
			return findVersion(ctx, q, r.ProjectID, r.VersionID)
		})
		if errors.Is(err, storage.ErrNoRow) {
			err = errDeleted
		}
		if err != nil || !bytes.Equal(v.Session, g.session) {
			return v.Session, secrets, err
		}
	}
	base, err = settingsjson.Encode(g.o.Session)
	return base, secrets, err
}

// outcome is what a handler came to.
type outcome struct {
	// result is JSON; nil for none.
	result json.RawMessage
	err    error
	// said is the text of err.
	said string
}

// handle calls a handler in a goroutine of its own. One that panics, ends its
// goroutine or does not heed the end of its context has failed, and takes nothing
// with it.
func (s *service) handle(ctx context.Context, run Handler, inv *Invocation) outcome {
	out, ok := guard.Call(ctx, guard.Options[outcome]{
		Clock: s.conf.Clock, Grace: s.conf.Limits.HandlerGrace,
		Broken: func(p any, stack []byte) outcome {
			if p == nil {
				return refused(errors.New("the handler ended its goroutine"))
			}
			inv.active.log.Append(joblog.Stderr, fmt.Sprintf("panic: %v\n%s", p, stack))
			return refused(fmt.Errorf("panic: %v", p))
		},
		Left: func() {
			s.conf.Logger.Warn("functions: a handler goes on although its invocation is over", "invocation", inv.ID, "function", inv.FunctionID)
		},
		Returned: func() {
			s.conf.Logger.Info("functions: the handler of an invocation that was over has returned", "invocation", inv.ID, "function", inv.FunctionID)
		},
	}, func() outcome { return work(ctx, run, inv) })
	if !ok {
		return refused(context.Cause(ctx))
	}
	return out
}

func refused(err error) outcome { return outcome{err: err, said: err.Error()} }

// work calls a handler and encodes its result. All that is the handler's own is done
// here: its error and its result may panic, too.
func work(ctx context.Context, run Handler, inv *Invocation) outcome {
	result, err := run(ctx, inv)
	if err != nil {
		return refused(err)
	}
	if result == nil {
		return outcome{}
	}
	encoded, err := encode(result)
	if err != nil {
		return refused(fmt.Errorf("the result cannot be encoded as JSON: %w", err))
	}
	return outcome{result: encoded}
}

// codeOf tells a browser or a place that failed from the function itself.
func codeOf(err error) string {
	if errtypes.Is(err, errtypes.Unavailable) || errtypes.Is(err, errtypes.Internal) && errors.As(err, new(*errtypes.Error)) {
		return CauseInternal
	}
	return CauseWorkload
}

// Secrets returns the secrets that are attached to the function, by their names. Do
// not write them down: the log and the cause of the invocation leave them out, its
// result does not. Error kind Conflict outside of a handler.
func (inv *Invocation) Secrets() (map[string]string, error) {
	if inv.active == nil {
		return nil, errNotActive
	}
	return inv.active.secrets, nil
}
