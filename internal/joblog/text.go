package joblog

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// SeqAt returns the number from which on the entries of a log have the text from
// an offset on: for [Logs.Entries] and [Logs.Follow], which [Text] then makes
// text of. Some of the entries may lie before the offset. Error kind NotFound
// when there is no such log.
func (s *Logs) SeqAt(ctx context.Context, id string, offset int64) (seq int64, err error) {
	defer errtypes.Wrap(&err, "joblog.SeqAt(%q, %d)", id, offset)
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if _, err := findLog(ctx, q, id); err != nil {
			return err
		}
		seq, err = seqAt(ctx, q, id, offset)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no log %q", id)
	}
	return seq, err
}

// Text makes the text of entries, as far as it lies from an offset on, a line for
// each. Where entries are missing that are no longer kept, a line in brackets
// says how many: it has no place in the offsets.
func Text(entries iter.Seq2[Entry, error], offset int64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		next := int64(0)
		if offset > 0 {
			next = -1 // what is before the first is of no interest
		}
		for e, err := range entries {
			if err != nil {
				yield("", err)
				return
			}
			line := ""
			if missing := e.Seq - next; next >= 0 && missing > 0 {
				line = fmt.Sprintf("[%d lines are not kept]\n", missing)
			}
			next = e.Seq + 1
			if text := e.AppendText(nil); e.end() > offset {
				line += string(text[max(offset-e.Offset, 0):])
			}
			if line != "" && !yield(line, nil) {
				return
			}
		}
	}
}
