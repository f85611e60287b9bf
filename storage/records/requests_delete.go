package records

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) DeleteRequests(ctx context.Context, queue string, requests []Removed, c Client) (gone []Removed, err error) {
	defer errtypes.Wrap(&err, "records.DeleteRequests(%q)", queue)
	if err := checkBatch(len(requests)); err != nil {
		return nil, err
	}
	for i, r := range requests {
		if r.ID == "" && r.UniqueKey == "" {
			return nil, invalidRequest("requests[%d] must have an id or a uniqueKey", i)
		}
	}
	var blobs []string
	err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
		gone, blobs = []Removed{}, nil
		sum := change{deletes: int64(len(requests)), modified: true}
		for _, r := range requests {
			id := r.ID
			if id == "" {
				id = RequestID(r.UniqueKey)
			}
			f, err := takeRequest(ctx, tx, st.number, id)
			if err != nil {
				return err
			}
			sum.items, sum.bytes, sum.handled = sum.items-f.rows, sum.bytes-f.bytes, sum.handled-one(f.handled)
			blobs = append(blobs, f.blob)
			gone = append(gone, r)
		}
		return changeQueue(ctx, tx, st.number, c.Key, sum, s.now())
	})
	if err == nil {
		s.dropBlobs(ctx, blobs...)
	}
	return gone, err
}

func (s *service) DeleteRequest(ctx context.Context, queue, id string, c Client) error {
	_, err := s.DeleteRequests(ctx, queue, []Removed{{ID: id}}, c)
	return err
}
