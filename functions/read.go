package functions

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
)

// logOf is the owner of the log of an invocation.
func logOf(r row) joblog.Owner {
	return joblog.Owner{Kind: "invocation", Ref: r.ID, ProjectID: r.ProjectID}
}

func (s *service) find(ctx context.Context, id string) (r row, err error) {
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) (err error) {
		r, err = findInvocation(ctx, q, projectID, id)
		return orNotFound(err, "invocation", id)
	})
	return r, err
}

func (s *service) Invocation(ctx context.Context, id string) (_ Invocation, err error) {
	defer errtypes.Wrap(&err, "functions.Invocation(%q)", id)
	r, err := s.find(ctx, id)
	if err != nil {
		return Invocation{}, err
	}
	return s.withResult(ctx, r)
}

// withResult reads a result that is in a blob.
func (s *service) withResult(ctx context.Context, r row) (Invocation, error) {
	if r.resultBlob == "" {
		return r.Invocation, nil
	}
	blob, err := s.conf.Blobs.Open(ctx, r.resultBlob)
	if err != nil {
		return Invocation{}, err
	}
	r.Result, err = io.ReadAll(blob)
	return r.Invocation, errors.Join(err, blob.Close())
}

func (s *service) Invocations(ctx context.Context, versionID string, f Filter) (l List[Invocation], err error) {
	defer errtypes.Wrap(&err, "functions.Invocations(%q)", versionID)
	if err := f.Page.check(); err != nil {
		return l, err
	}
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		if _, err := findVersion(ctx, q, projectID, versionID); err != nil {
			return orNotFound(err, "version", versionID)
		}
		rows, err := listInvocations(ctx, q, versionID, f)
		l.Total = rows.Total
		for _, r := range rows.Items {
			l.Items = append(l.Items, r.Invocation)
		}
		return err
	})
	return l, err
}

func (s *service) Wait(ctx context.Context, id string) (inv Invocation, err error) {
	defer errtypes.Wrap(&err, "functions.Wait(%q)", id)
	r, err := s.find(ctx, id)
	if err != nil {
		return Invocation{}, err
	}
	err = s.executorOf(r).Follow(ctx, id, func() (done bool, err error) {
		inv, err = s.Invocation(ctx, id)
		return inv.Status.Final(), err
	})
	return inv, err
}

func (s *service) Cancel(ctx context.Context, id string) (inv Invocation, err error) {
	defer errtypes.Wrap(&err, "functions.Cancel(%q)", id)
	r, err := s.find(ctx, id)
	if err != nil {
		return Invocation{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		stopped, err := s.executorOf(r).Stop(ctx, tx, r.ProjectID, id)
		if errors.Is(err, storage.ErrNoRow) {
			return errtypes.New(errtypes.Conflict, "the invocation has already ended")
		}
		inv = stopped.Invocation
		return err
	})
	return inv, err
}

func (s *service) Logs(ctx context.Context, id string) (all []LogEntry, err error) {
	defer errtypes.Wrap(&err, "functions.Logs(%q)", id)
	r, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	for e, err := range s.conf.Logs.Entries(ctx, logOf(r).ID(), 0) {
		if err != nil {
			return nil, err
		}
		all = append(all, LogEntry{e.Seq, e.Time, e.Text})
	}
	return all, nil
}

func (s *service) Follow(ctx context.Context, id string) iter.Seq2[LogEntry, error] {
	return func(yield func(LogEntry, error) bool) {
		r, err := s.find(ctx, id)
		if err != nil {
			yield(LogEntry{}, err)
			return
		}
		for e, err := range s.conf.Logs.Follow(ctx, logOf(r).ID(), 0) {
			if !yield(LogEntry{e.Seq, e.Time, e.Text}, err) {
				return
			}
		}
	}
}
