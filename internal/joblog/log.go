package joblog

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/ids"
)

// maxText is the longest text of an entry in bytes.
const maxText = 1 << 20

// Options bound one log. The zero value is useful.
type Options struct {
	// MaxLines is how many entries are kept. Default 0: MaxBytes alone counts.
	MaxLines int64
	// MaxBytes is how many bytes the texts of the entries that are kept may have
	// together, with 32 more for each. Default 10 MiB.
	MaxBytes int64
	// Head is how many of MaxBytes are kept from the beginning of the log; of the
	// rest the newest are. Default 0: only the newest. What is kept may be more
	// than MaxLines and MaxBytes by as much as was written at a time; and of a log
	// that goes on after it was sealed by as much again, until it is sealed anew.
	Head int64
	// MaxLine is how many bytes of an entry's text are kept, except of an Event's,
	// which is left out where it is longer than 1 MiB. Range 1 byte to 1 MiB.
	// Default 64 KiB.
	MaxLine int
	// MaxWaiting is how many bytes may wait to be written; beyond it entries are
	// dropped, and their number is logged. Default 1 MiB.
	MaxWaiting int64
	// Redact takes secrets out of a text before it is kept anywhere. It must be
	// safe for concurrent use. Default nothing is taken out.
	Redact func(text string) string
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 10<<20)
	o.MaxLine = min(cmp.Or(o.MaxLine, 64<<10), maxText)
	o.MaxWaiting = cmp.Or(o.MaxWaiting, 1<<20)
	return o
}

// Log is a log that this process appends to.
type Log struct {
	logs   *Logs
	id     string
	writer string // who it is in the row
	opts   Options

	mu      sync.Mutex
	pending []Entry // not yet written, as far as is known
	size    int64   // of pending
	next    int64   // number of the entry that comes next
	offset  int64   // where that begins as text
	dropped int64   // entries there was no room for
	closed  bool
}

func newLog(s *Logs, id string, o Options) *Log {
	return &Log{logs: s, id: id, writer: ids.New(), opts: o.withDefaults()}
}

// Append adds an entry with the time of now. It waits for nothing, and is safe
// for concurrent use.
func (l *Log) Append(stream Stream, text string) {
	l.AppendAt(l.logs.conf.Clock.Now(), stream, text)
}

// AppendAt adds an entry with another time.
func (l *Log) AppendAt(at time.Time, stream Stream, text string) {
	if l.opts.Redact != nil {
		text = l.opts.Redact(text)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if stream != Event {
		text = l.cut(text)
	}
	l.mu.Lock()
	added := l.add(at, stream, text)
	urgent := l.size >= l.opts.MaxWaiting/2
	l.mu.Unlock()
	if added {
		l.logs.wake(urgent)
	}
}

// cut bounds a text, and says of how many bytes it is what is left.
func (l *Log) cut(text string) string {
	text = strings.TrimSuffix(text, "\n")
	if len(text) <= l.opts.MaxLine {
		return text
	}
	return strings.ToValidUTF8(text[:l.opts.MaxLine], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// add keeps an entry until it is written, if there is room for it.
func (l *Log) add(at time.Time, stream Stream, text string) (added bool) {
	if l.closed {
		return false
	}
	e := l.entry(at, stream, text)
	size := e.cost()
	if len(text) > maxText || l.size+size > l.opts.MaxWaiting || l.logs.waiting.Load()+size > l.logs.conf.MaxWaiting {
		l.dropped++
		return false
	}
	l.keep(e)
	return true
}

// entry is the next one.
func (l *Log) entry(at time.Time, stream Stream, text string) Entry {
	return Entry{Seq: l.next, Offset: l.offset, Time: at.UTC().Truncate(time.Millisecond), Stream: stream, Text: text}
}

// keep has the next entry wait to be written.
func (l *Log) keep(e Entry) {
	l.pending = append(l.pending, e)
	l.release(-e.cost())
	l.next, l.offset = e.Seq+1, e.end()
}

// after returns the entries that wait, from a number on, and whether these are
// all there are from there on.
func (l *Log) after(seq int64) (entries []Entry, all bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.next - int64(len(l.pending))
	return append([]Entry{}, l.pending[min(max(seq-first, 0), int64(len(l.pending))):]...), seq >= first
}

// written forgets the entries before a number, which are in the database now,
// and tells what was dropped meanwhile.
func (l *Log) written(next int64) {
	l.mu.Lock()
	n := 0
	for n < len(l.pending) && l.pending[n].Seq < next {
		l.release(l.pending[n].cost())
		n++
	}
	l.pending = append([]Entry(nil), l.pending[n:]...)
	told := l.tellDropped()
	l.mu.Unlock()
	if told {
		l.logs.wake(false)
	}
}

// tellDropped adds an entry that says how many were dropped for want of room, if
// any were, and there is room for it.
func (l *Log) tellDropped() (told bool) {
	if l.dropped == 0 {
		return false
	}
	n := l.dropped
	told = l.add(l.logs.conf.Clock.Now(), System, droppedText(n))
	l.dropped = n
	if told {
		l.dropped = 0
	}
	return told
}

func droppedText(n int64) string {
	return fmt.Sprintf("%d entries of this log were dropped: they came faster than they could be written", n)
}

func (l *Log) release(size int64) {
	l.size -= size
	l.logs.waiting.Add(-size)
}

// finish tells what was dropped, room or not: nothing is appended any more.
func (l *Log) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dropped > 0 && !l.closed {
		l.keep(l.entry(l.logs.conf.Clock.Now(), System, droppedText(l.dropped)))
		l.dropped = 0
	}
}

// close drops what waits: nobody may write it any more.
func (l *Log) close() {
	l.mu.Lock()
	l.closed = true
	l.release(l.size)
	l.pending = nil
	l.mu.Unlock()
	l.logs.forget(l)
}

// waits reports whether something is to be written.
func (l *Log) waits() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pending) > 0
}
