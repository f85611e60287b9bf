package platform

import (
	"cmp"
	"io"
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// inputOfRun reads the input of a run.
type inputOfRun func(x *exchange) (*actors.Input, error)

// runSync answers with a record of a run that has SUCCEEDED. Who does not wait for
// that leaves the run running.
func (s starter) runSync(input inputOfRun) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		key := q.String("outputRecordKey")
		in, err := x.syncIn(input)
		if err != nil {
			return answer{}, err
		}
		ctx, cancel := x.untilClosing()
		defer cancel()
		out, err := s.sync(x.Actors, ctx, x.Path(s.variable), in, key)
		if err != nil {
			return answer{}, hookError(err)
		}
		return outputOf(out), nil
	}
}

// syncIn is how a run is to be started that is waited for. A HEAD, which looks and
// changes nothing, starts none.
func (x *exchange) syncIn(input inputOfRun) (in actors.Start, err error) {
	if x.R.Method == http.MethodHead {
		x.W.Header().Set("Allow", "GET, OPTIONS, POST")
		return in, errtypes.OfType(errtypes.TypeMethodNotAllowed, "the method must be GET or POST: it starts a run")
	}
	if in, err = x.startIn(x.Query()); err != nil {
		return in, err
	}
	in.Input, err = input(x)
	return in, err
}

// outputOf is what a run has put out, as it lies there.
func outputOf(out *actors.Output) answer {
	return api.OK(&recordDocument{api.Document{
		Status: http.StatusCreated, Type: cmp.Or(out.Record.ContentType, "text/plain; charset=utf-8"), Header: headersOf(out.Record),
		Write: func(w io.Writer) error {
			_, err := io.Copy(w, out)
			return err
		},
	}, out})
}

// runItems answers with the dataset of a run that has SUCCEEDED, as its own route
// does.
func (s starter) runItems(input inputOfRun) call {
	return func(x *exchange) (answer, error) {
		q := x.Query()
		asked, out, attachment := itemsIn(q), outputIn(q), q.Flag("attachment")
		if err := q.Err(); err != nil {
			return answer{}, err
		}
		in, err := x.syncIn(input)
		if err != nil {
			return answer{}, err
		}
		r, err := s.finished(x, in)
		if err != nil {
			return answer{}, err
		}
		x.find("storeId", r.DatasetID)
		d, err := x.itemsDocument(asked, out, attachment)
		if err != nil {
			return answer{}, err
		}
		d.Status = http.StatusCreated
		return api.OK(d), nil
	}
}

// finished is a run that has SUCCEEDED.
func (s starter) finished(x *exchange, in actors.Start) (actors.RunInfo, error) {
	ctx, cancel := x.untilClosing()
	defer cancel()
	r, err := s.start(x.Actors, ctx, x.Path(s.variable), in)
	if err != nil {
		return r, hookError(err)
	}
	return x.Actors.Finish(ctx, r.ID)
}
