package child

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
)

// A Line is one line of output, without its end.
type Line struct {
	// Time is when its end was read.
	Time time.Time
	// Stream is where the child printed it.
	Stream Stream
	// Text is valid UTF-8.
	Text string
	// Cut says that the line is longer than LineBytes: the rest is dropped, and
	// counted in a later notice.
	Cut bool

	reached chan struct{} // of no line: closed once all before it is delivered
}

// A Stream is where a line was printed.
type Stream uint8

const (
	// Stdout is the child's output.
	Stdout Stream = iota
	// Stderr is the child's output for errors.
	Stderr
	// Notice is no output: the line says what was dropped before it.
	Notice
)

// OutputLimits bound the lines of a child that are delivered. What is over them
// is read, so that the child goes on, dropped and counted. Below 0 is no limit.
type OutputLimits struct {
	// LineBytes is the length at which a line is cut. Default 16 KiB, also for
	// values below 0.
	LineBytes int
	// Rate is in bytes a second; two seconds of it may come at once. Default
	// 1 MiB.
	Rate int64
	// Total is in bytes. Default 64 MiB.
	Total int64
	// Waiting is how many bytes of lines may wait for a slow Output. Default
	// 1 MiB, also for values below 0.
	Waiting int64
}

func (l OutputLimits) withDefaults() OutputLimits {
	l.LineBytes = cmp.Or(max(l.LineBytes, 0), 16<<10)
	l.Rate = cmp.Or(l.Rate, 1<<20)
	l.Total = cmp.Or(l.Total, 64<<20)
	l.Waiting = cmp.Or(max(l.Waiting, 0), 1<<20)
	return l
}

// lineCost is what a line counts beside its bytes, for what it takes to keep it.
const lineCost = 64

// output takes lines from readers, which never wait for who gets them, and hands
// them over one at a time.
type output struct {
	clock   clock.Clock
	limits  OutputLimits
	deliver func(Line)
	tail    tail
	readers sync.WaitGroup
	streams []*stream

	mu      sync.Mutex
	waiting []Line
	size    int64 // of those that wait, with their cost
	total   int64
	budget  allowance
	dropped dropped // since the last notice
	over    bool    // no further lines come
	more    chan struct{}
	done    chan struct{}
}

type dropped struct{ lines, bytes int64 }

func newOutput(c clock.Clock, l OutputLimits, deliver func(Line)) *output {
	o := &output{clock: c, limits: l, deliver: deliver, more: make(chan struct{}, 1), done: make(chan struct{})}
	o.budget = allowance{rate: l.Rate, left: 2 * l.Rate, at: c.Now()}
	if deliver == nil {
		close(o.done)
	} else {
		go o.handOver()
	}
	return o
}

// follow reads a stream until its end.
func (o *output) follow(f *os.File, s Stream) {
	r := &stream{File: f}
	o.streams = append(o.streams, r)
	o.readers.Go(func() {
		defer r.close()
		o.read(r, s)
	})
}

// drain is how long output is read on when nothing is left of a child. Only what
// got away from its end can still hold a stream open then; else reading what is
// there takes no time, but on a busy machine.
const drain = 5 * time.Second

// finish waits until all that was printed has been read and delivered. The
// deadline is the system's, which the files know.
func (o *output) finish() {
	for _, r := range o.streams {
		r.endBy(time.Now().Add(drain))
	}
	o.readers.Wait()
	o.mu.Lock()
	o.over = true
	o.mu.Unlock()
	lifecycle.Poke(o.more)
	<-o.done
}

// put takes a line, or counts it as dropped; it reports which.
func (o *output) put(l Line) (kept bool) {
	if o.deliver == nil {
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	cost := int64(len(l.Text)) + 1
	switch {
	case o.limits.Total >= 0 && o.total+cost > o.limits.Total,
		o.size+cost+lineCost > o.limits.Waiting && o.size > 0,
		!o.budget.take(cost, l.Time):
		o.dropped.lines++
		o.dropped.bytes += cost
		return false
	}
	o.total += cost
	o.say(l.Time)
	o.append(l)
	return true
}

// skip counts bytes of a line that was cut as dropped.
func (o *output) skip(n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dropped.bytes += n
}

// say puts the notice of what was dropped before a line. The lock is held.
func (o *output) say(at time.Time) {
	d := o.dropped
	if d == (dropped{}) {
		return
	}
	o.dropped = dropped{}
	o.append(Line{Time: at, Stream: Notice, Text: fmt.Sprintf("%d bytes of output were dropped, %d whole lines among them", d.bytes, d.lines)})
}

// append puts a line behind those that wait. The lock is held.
func (o *output) append(l Line) {
	l.Text = strings.ToValidUTF8(l.Text, "\uFFFD")
	o.waiting = append(o.waiting, l)
	o.size += int64(len(l.Text)) + lineCost
	lifecycle.Poke(o.more)
}

// handOver delivers lines until no more come.
func (o *output) handOver() {
	defer close(o.done)
	for {
		l, ok, over := o.next()
		switch {
		case ok && l.reached != nil:
			close(l.reached)
		case ok:
			o.deliver(l)
		case over:
			return
		default:
			<-o.more
		}
	}
}

func (o *output) next() (l Line, ok, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) == 0 && o.over {
		o.say(o.clock.Now())
	}
	if len(o.waiting) == 0 {
		o.waiting = nil // gives back what many lines took
		return Line{}, false, o.over
	}
	l = o.waiting[0]
	o.waiting[0] = Line{}
	o.waiting = o.waiting[1:]
	o.size -= int64(len(l.Text)) + lineCost
	return l, true, false
}

// An allowance is filled at a rate, up to two seconds of it. When it is empty,
// nothing is taken until one second of it is there again, so that lines come and
// are dropped in runs and not by turns.
type allowance struct {
	rate, left int64
	at         time.Time
	empty      bool
}

func (a *allowance) take(n int64, now time.Time) bool {
	if a.rate < 0 {
		return true
	}
	if gone := now.Sub(a.at); gone > 0 {
		fill := float64(a.rate) * min(gone.Seconds(), 2)
		if fill >= 1 {
			a.left, a.at = min(a.left+int64(fill), 2*a.rate), now
		}
	}
	if a.empty && a.left < a.rate {
		return false
	}
	a.empty = a.left < n
	if a.empty {
		return false
	}
	a.left -= n
	return true
}
