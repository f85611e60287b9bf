package child

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// pause is what a reader rests when it had to drop all that it read, so that a
// child that prints for ever keeps no processor of the host busy. The child goes
// on at some 30 MB a second.
const pause = time.Millisecond

const readSize = 32 << 10

// read splits a stream into lines until it ends.
func (o *output) read(r io.Reader, s Stream) {
	asked, _ := r.(*stream)
	line, buf := splitter{limit: o.limits.LineBytes}, make([]byte, readSize)
	for {
		n, err := r.Read(buf)
		o.tail.add(buf[:n])
		kept := o.split(&line, buf[:n], s)
		if err != nil && !asked.goesOn(err) {
			break
		}
		asked.tellIfEmpty(func() { o.breakOff(&line, s) })
		if !kept && n > 0 {
			_ = clock.Sleep(context.Background(), o.clock, pause)
		}
	}
	o.breakOff(&line, s)
}

// breakOff ends a line whose end has not come: what follows is another one.
func (o *output) breakOff(line *splitter, s Stream) {
	line.skipping = false
	if line.begun {
		o.flush(line, s, false)
	}
}

// split puts the lines that end in b, and reports whether anything of b was
// kept.
func (o *output) split(line *splitter, b []byte, s Stream) (kept bool) {
	for len(b) > 0 {
		rest, end := line.add(b)
		switch end {
		case unfinished:
			kept = true
		case skipped:
			o.skip(int64(len(b) - len(rest)))
		default:
			kept = o.flush(line, s, end == cut) || kept
		}
		b = rest
	}
	return kept
}

func (o *output) flush(line *splitter, s Stream, cut bool) (kept bool) {
	return o.put(Line{Time: o.clock.Now(), Stream: s, Text: line.take(), Cut: cut})
}

// A splitter gathers one line, up to a limit.
type splitter struct {
	limit    int
	line     []byte
	begun    bool // there is a line, which may be empty as yet
	skipping bool // the line was cut, its end has not come
}

// An ending is what has become of a line.
type ending uint8

const (
	unfinished ending = iota // it goes on
	whole                    // its end has come
	cut                      // it has reached the limit
	skipped                  // it was cut before
)

// add takes from b what belongs to the line, and returns what does not.
func (l *splitter) add(b []byte) (rest []byte, _ ending) {
	end := bytes.IndexByte(b, '\n')
	if l.skipping {
		if l.skipping = end < 0; l.skipping {
			return nil, skipped
		}
		return b[end+1:], skipped
	}
	l.begun = true
	size := end
	if end < 0 {
		size = len(b)
	}
	if fits := l.limit - len(l.line); size > fits {
		l.line, l.skipping = append(l.line, b[:fits]...), true
		return b[fits:], cut
	}
	l.line = append(l.line, b[:size]...)
	if end < 0 {
		return nil, unfinished
	}
	return b[end+1:], whole
}

// take returns the line and begins another.
func (l *splitter) take() string {
	text := string(bytes.TrimSuffix(l.line, []byte{'\r'}))
	l.line, l.begun = l.line[:0], false
	return text
}
