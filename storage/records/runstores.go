package records

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
)

// NewRun is a run of an Actor that gets default stores.
type NewRun struct {
	// ProjectID, ActID and RunID are whose it is.
	ProjectID, ActID, RunID string
	// Input is a record of its key-value store. Default nil: none.
	Input *NewRecord
	// KeyValueStoreSchema and DatasetSchema are those of these stores, as [New] has them.
	// One that is not valid counts as none: see [Service.CheckSchema]. Default nil: none.
	KeyValueStoreSchema, DatasetSchema json.RawMessage
}

// RunStores are the default stores of a run, which have no names. They are made by
// [RunStores.Make].
type RunStores struct {
	// The ids of the stores.
	KeyValueStore, Dataset, RequestQueue string

	s     *service
	run   NewRun
	input Record
	bytes content
}

func (s *service) ForRun(ctx context.Context, run NewRun) (_ *RunStores, err error) {
	defer errtypes.Wrap(&err, "records.ForRun(%q)", run.RunID)
	for kind, schema := range map[Kind]*json.RawMessage{KeyValueStore: &run.KeyValueStoreSchema, Dataset: &run.DatasetSchema} {
		if s.CheckSchema(kind, *schema) != nil {
			*schema = nil
		}
	}
	r := &RunStores{KeyValueStore: ids.NewShort(), Dataset: ids.NewShort(), RequestQueue: ids.NewShort(), s: s, run: run}
	if run.Input == nil {
		return r, nil
	}
	n, err := run.Input.checked()
	if err != nil {
		return nil, err
	}
	if r.input, r.bytes, err = s.keepRecord(ctx, n); err != nil {
		s.dropBlobs(ctx, r.bytes.blob)
		return nil, err
	}
	return r, nil
}

// Make makes the stores, with the input, in the transaction that makes the run.
func (r *RunStores) Make(ctx context.Context, tx *storage.Tx) error {
	var input change
	if r.run.Input != nil {
		input = change{writes: 1, items: 1, bytes: r.input.Stored}
	}
	number, err := insertRunStores(ctx, tx, r, input)
	if err != nil || r.run.Input == nil {
		return err
	}
	return insertValue(ctx, tx, number, r.input, r.bytes)
}

// Drop drops what was written of an input, where the run was not made.
func (r *RunStores) Drop(ctx context.Context) { r.s.dropBlobs(ctx, r.bytes.blob) }
