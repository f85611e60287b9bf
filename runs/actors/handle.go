package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
)

// Run is a run in the hands of its handler. Its methods are safe for concurrent use, and
// of kind Conflict once the handler has returned or its run is over; the ids of its
// default stores are for services that read and write them otherwise.
type Run struct {
	// RunInfo is the run as it was when the handler was called.
	RunInfo
	active *active
}

// active is what a run has while its handler works.
type active struct {
	p   *process
	ctx context.Context // ends with the process
	end context.CancelCauseFunc
}

var (
	errOver = errtypes.New(errtypes.Conflict, "the handler of the run has returned")
	// ErrReplaced is what [Run.Reboot] and [Run.Metamorph] return when another process
	// of the run follows: the handler returns it.
	ErrReplaced = errors.New("actors: the handler is to return, another process of the run follows")
)

func newRun(ctx context.Context, p *process) *Run {
	a := &active{p: p}
	a.ctx, a.end = context.WithCancelCause(ctx)
	return &Run{p.row.RunInfo, a}
}

// call is a context for a call on behalf of the run's project, which ends with the
// process.
func (r *Run) call(ctx context.Context) (_ context.Context, done func(), err error) {
	if r.active.ctx.Err() != nil {
		return nil, nil, errOver
	}
	project, _ := projects.From(r.active.ctx)
	ctx, cancel := context.WithCancelCause(projects.With(ctx, project))
	deaf := context.AfterFunc(r.active.ctx, func() { cancel(context.Cause(r.active.ctx)) })
	return ctx, func() { deaf(); cancel(nil) }, nil
}

// Input decodes the input, which is JSON, into what v points to. Where there is none v
// stays as it is. Error kind Invalid for what v cannot hold.
func (r *Run) Input(v any) error {
	body, _, err := r.RawInput()
	if err != nil || body == nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return errtypes.New(errtypes.Invalid, "the input is not as the Actor wants it: %s", err)
	}
	return nil
}

// RawInput returns the input and its content type; nil for none. What its schema marks as
// secret lies sealed in the store, and is opened here.
func (r *Run) RawInput() (body []byte, contentType string, err error) {
	body, contentType, err = r.record(r.active.ctx, r.InputKey)
	if err == nil {
		body, err = r.active.p.s.openInput(r.active.ctx, r.ProgramID, body)
	}
	return body, contentType, err
}

func (r *Run) record(ctx context.Context, key string) (body []byte, contentType string, err error) {
	ctx, done, err := r.call(ctx)
	if err != nil {
		return nil, "", err
	}
	defer done()
	content, rec, err := r.active.p.s.conf.Stores.OpenRecord(ctx, r.KeyValueStoreID, key)
	if errtypes.Is(err, errtypes.NotFound) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	body, err = io.ReadAll(content)
	return body, rec.ContentType, errors.Join(err, content.Close())
}

// Value decodes the record with a key, which is JSON, into what v points to; false
// where there is none. Error kinds: Invalid; those of records.
func (r *Run) Value(ctx context.Context, key string, v any) (found bool, err error) {
	body, _, err := r.record(ctx, key)
	if err != nil || body == nil {
		return false, err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return true, errtypes.New(errtypes.Invalid, "the record %q is not as it is wanted: %s", key, err)
	}
	return true, nil
}

// SetValue keeps v as JSON in the record with a key, such as "OUTPUT". Error kinds:
// Invalid for what is no JSON; those of records.
func (r *Run) SetValue(ctx context.Context, key string, v any) error {
	encoded, err := encode(v)
	if err != nil {
		return err
	}
	return r.SetRecord(ctx, key, jsonType, bytes.NewReader(encoded))
}

// SetOutput keeps v as JSON in the record OUTPUT.
func (r *Run) SetOutput(ctx context.Context, v any) error { return r.SetValue(ctx, outputKey, v) }

// SetRecord keeps bytes of any type in the record with a key. Error kinds: those of
// records.
func (r *Run) SetRecord(ctx context.Context, key, contentType string, content io.Reader) error {
	ctx, done, err := r.call(ctx)
	if err != nil {
		return err
	}
	defer done()
	_, err = r.active.p.s.conf.Stores.PutRecord(ctx, r.KeyValueStoreID, records.NewRecord{Key: key, ContentType: contentType, Content: content})
	return err
}

// Push appends items to the dataset, all or none: each becomes an object in JSON. Error
// kinds: Invalid; those of records.
func (r *Run) Push(ctx context.Context, items ...any) error {
	encoded, err := encode(items)
	if err != nil || len(items) == 0 {
		return err
	}
	ctx, done, err := r.call(ctx)
	if err != nil {
		return err
	}
	defer done()
	return r.active.p.s.conf.Stores.Push(ctx, r.DatasetID, encoded)
}

// encode writes JSON whose texts stand as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, errtypes.New(errtypes.Invalid, "the value cannot be encoded as JSON: %s", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Logger returns a logger whose lines become the log of the run.
func (r *Run) Logger() *slog.Logger { return r.active.p.log.Logger() }

// Log adds a line to the log of the run.
func (r *Run) Log(text string) { r.active.p.log.Append(joblog.Stdout, text) }

// SetStatus says what the run is about, cut to 1,000 characters. A terminal message is
// the last word: that of the end does not take its place, and the run is not started
// again if it fails.
func (r *Run) SetStatus(ctx context.Context, message string, terminal bool) error {
	ctx, done, err := r.call(ctx)
	if err != nil {
		return err
	}
	defer done()
	_, err = r.active.p.s.UpdateRun(ctx, r.ID, RunUpdate{StatusMessage: message, Terminal: terminal})
	return err
}

// Charge counts an event of the run; see [RunService].
func (r *Run) Charge(ctx context.Context, c Charge) error {
	ctx, done, err := r.call(ctx)
	if err != nil {
		return err
	}
	defer done()
	return r.active.p.s.Charge(ctx, r.ID, c)
}

// Events are what the run is told. What nobody hears is dropped.
func (r *Run) Events() <-chan Event { return r.active.p.events }

// Reboot has another process of the run begin when the handler has returned: where the
// host closes, after its next start. It returns [ErrReplaced], which the handler
// returns, unless it fails.
func (r *Run) Reboot(ctx context.Context) error {
	return r.replaced(ctx, func(ctx context.Context, s *service) error {
		_, err := s.Reboot(ctx, r.ID)
		return err
	})
}

// Metamorph has the run go on as one of another Actor when the handler has returned. It
// returns [ErrReplaced], which the handler returns, unless it fails. Error kinds: those
// of [RunService].
func (r *Run) Metamorph(ctx context.Context, m Metamorph) error {
	return r.replaced(ctx, func(ctx context.Context, s *service) error {
		_, err := s.Metamorph(ctx, r.ID, m)
		return err
	})
}

// replaced asks for another process. That this one is told of it meanwhile breaks
// nothing off.
func (r *Run) replaced(ctx context.Context, ask func(context.Context, *service) error) error {
	ctx, done, err := r.call(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := ask(context.WithoutCancel(ctx), r.active.p.s); err != nil {
		return err
	}
	return ErrReplaced
}
