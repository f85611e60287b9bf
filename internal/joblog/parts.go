package joblog

import (
	"context"
	"slices"

	"github.com/drover-go/drover/storage"
)

// A log lies in parts: the entries of one flush, or some of them. Of a log that
// has become too long the oldest parts behind its head are deleted.

// trimBatch is how many parts are looked at in one flush.
const trimBatch = 200

// trim deletes the oldest parts behind the head without which enough is left.
func (l *Log) trim(ctx context.Context, tx *storage.Tx, w *writing) error {
	if !w.over(l.opts, 0, 0) {
		return nil
	}
	old, err := oldestParts(ctx, tx, l.id, w.headPart, trimBatch)
	if err != nil {
		return err
	}
	before := int64(-1)
	for _, p := range old {
		if p.lastSeq > before && !w.over(l.opts, p.lines, p.bytes) {
			break
		}
		before = p.lastSeq
		w.lines, w.bytes = w.lines-p.lines, w.bytes-p.bytes
	}
	return deleteParts(ctx, tx, l.id, w.headPart, before)
}

// part is some entries as they are stored.
type part struct {
	nextSeq, nextOffset int64
	lines, bytes        int64
	data                []byte
}

func (p part) lastSeq() int64 { return p.nextSeq - 1 }

// maxPart is how many bytes a part may have.
const maxPart = 64 << 10

// packed puts entries into parts. An entry that is larger than a part has
// several for itself, of which the first counts.
func packed(entries []Entry) (parts []part) {
	var p part
	done := func() {
		for chunk := range slices.Chunk(p.data, maxPart) {
			parts = append(parts, part{p.nextSeq, p.nextOffset, p.lines, p.bytes, chunk})
			p.lines, p.bytes = 0, 0
		}
		p = part{}
	}
	for _, e := range entries {
		if len(p.data) > 0 && len(p.data)+len(e.Text)+maxHead > maxPart {
			done()
		}
		p.data = e.encode(p.data)
		p.nextSeq, p.nextOffset = e.Seq+1, e.end()
		p.lines, p.bytes = p.lines+1, p.bytes+e.cost()
	}
	done()
	return parts
}

// maxHead is more than what stands before the text of an entry.
const maxHead = 128

// add counts parts in that were inserted. Those with which the log has no more
// than its head are never trimmed.
func (w *writing) add(parts []part, o Options) {
	for _, p := range parts {
		w.nextPart++
		w.nextSeq, w.nextOffset = p.nextSeq, p.nextOffset
		w.lines, w.bytes = w.lines+p.lines, w.bytes+p.bytes
		if w.headPart == w.nextPart-1 && w.bytes <= o.Head {
			w.headPart = w.nextPart
		}
	}
}

// over reports whether without some lines and bytes the log still has as much as
// it keeps.
func (w *writing) over(o Options, lines, bytes int64) bool {
	return o.MaxLines > 0 && w.lines-lines >= o.MaxLines || w.bytes-bytes >= o.MaxBytes
}
