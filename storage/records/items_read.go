package records

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// How many chunks are read in one transaction: few at first, since a page is often
// small, then twice as many each time.
const firstChunks, mostChunks = 2, 32

// items calls each with the items of the page, good until it returns. No
// transaction is open meanwhile.
func (it *Items) items(ctx context.Context, each func([]byte) error) error {
	from, to := it.Offset, it.Offset+it.Count // positions, the second exclusive
	if it.Desc {
		from, to = it.Total-it.Offset-it.Count, it.Total-it.Offset
	}
	atOnce := firstChunks
	for left := it.Count; left > 0; atOnce = min(2*atOnce, mostChunks) {
		at := to - left
		if it.Desc {
			at = from + left - 1
		}
		chunks, err := it.read(ctx, at, atOnce)
		if err != nil {
			return err
		}
		for _, c := range chunks {
			n, err := it.within(ctx, c, from, to, each)
			if left -= n; err != nil {
				return err
			}
		}
	}
	return nil
}

// read returns the chunks from the one with a position on, in the order asked for.
func (it *Items) read(ctx context.Context, at int64, most int) ([]placed, error) {
	chunks, err := storage.ReadOne(ctx, it.s.conf.DB, func(ctx context.Context, q storage.Querier) ([]placed, error) {
		return listChunks(ctx, q, it.number, at, it.Desc, most)
	})
	if err == nil && len(chunks) == 0 {
		err = notFound(Dataset) // it was deleted meanwhile
	}
	return chunks, err
}

// within calls each with the items of a chunk from one position to before
// another, and returns how many these are.
func (it *Items) within(ctx context.Context, c placed, from, to int64, each func([]byte) error) (n int64, err error) {
	first, last := max(from, c.first), min(to, c.first+c.items)
	if first >= last {
		return 0, nil
	}
	data := []byte(c.data)
	if c.blob != "" {
		if data, err = it.blob(ctx, c.blob); err != nil {
			return 0, err
		}
	}
	lines := splitLines(data, first-c.first, last-c.first)
	if it.Desc {
		slices.Reverse(lines)
	}
	for _, line := range lines {
		if err := each(line); err != nil {
			return 0, err
		}
	}
	return last - first, ctx.Err()
}

func (it *Items) blob(ctx context.Context, key string) ([]byte, error) {
	r, err := it.s.conf.Blobs.Open(ctx, key)
	if errtypes.Is(err, errtypes.NotFound) {
		return nil, notFound(Dataset)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// splitLines returns the lines from one to before another.
func splitLines(data []byte, from, to int64) [][]byte {
	lines := make([][]byte, 0, to-from)
	for i := int64(0); i < to && len(data) > 0; i++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		if data = rest; i >= from {
			lines = append(lines, line)
		}
	}
	return lines
}
