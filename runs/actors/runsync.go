package actors

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records"
)

func (s *service) RunSync(ctx context.Context, actor string, in Start, key string) (_ *Output, err error) {
	defer errtypes.Wrap(&err, "actors.RunSync(%q)", actor)
	return s.runSync(ctx, in, key, func(in Start) (RunInfo, error) { return s.Start(ctx, actor, in) })
}

func (s *service) RunTaskSync(ctx context.Context, task string, in Start, key string) (_ *Output, err error) {
	defer errtypes.Wrap(&err, "actors.RunTaskSync(%q)", task)
	return s.runSync(ctx, in, key, func(in Start) (RunInfo, error) { return s.StartTask(ctx, task, in) })
}

func (s *service) runSync(ctx context.Context, in Start, key string, start func(Start) (RunInfo, error)) (*Output, error) {
	key = cmp.Or(key, outputKey)
	if err := records.CheckKey(key); err != nil {
		return nil, err
	}
	in.WaitForFinish = 0
	r, err := start(in)
	if err != nil {
		return nil, err
	}
	if r, err = s.Finish(ctx, r.ID); err != nil {
		return nil, err
	}
	out := &Output{Run: r}
	out.ReadCloser, out.Record, err = s.conf.Stores.OpenRecord(ctx, r.KeyValueStoreID, key)
	if errtypes.Is(err, errtypes.NotFound) {
		out.ReadCloser = io.NopCloser(bytes.NewReader(nil))
		return out, nil
	}
	return out, err
}

func (s *service) Finish(ctx context.Context, id string) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Finish(%q)", id)
	r, err = s.Wait(ctx, id, s.conf.Limits.SyncWait)
	switch {
	case err != nil:
		return r, err
	case !r.Status.Final():
		return r, errtypes.OfType(errtypes.TypeRunTimeoutExceeded, "Actor run exceeded the timeout of %d seconds for this API endpoint", int(s.conf.Limits.SyncWait.Seconds()))
	case r.Status != Succeeded:
		return r, errtypes.OfType(errtypes.TypeRunFailed, "Actor run did not succeed (run ID: %s, status: %s).", r.ID, r.Status)
	}
	return r, nil
}
