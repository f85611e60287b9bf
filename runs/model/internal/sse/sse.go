// Package sse reads server-sent events, as providers of language models stream
// their answers (WHATWG HTML, 9.2.6 "Interpreting an event stream").
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An Event is what a server sent at once. Its data is the caller's.
type Event struct {
	Name string // of the type; empty for "message"
	Data []byte
}

// ErrTooLong is an event longer than the reader's limit.
var ErrTooLong = errors.New("sse: an event is too long")

// A Reader reads the events of one stream. It is for one goroutine.
type Reader struct {
	lines  *bufio.Scanner
	limit  int
	afterR bool // the last line ended with a carriage return: a line feed belongs to it
	seen   int  // how much of the line that has begun was searched for its end
	began  bool // a line was read: the byte order mark is only before the first
}

// NewReader returns a reader of r. An event may have limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	s := &Reader{lines: bufio.NewScanner(r), limit: limit}
	s.lines.Buffer(make([]byte, 0, min(limit+1, 4096)), limit+1)
	s.lines.Split(s.split)
	return s
}

// Next returns the next event that has data. Comments and events without data,
// which servers send to keep a connection open, are passed over. The last event
// counts also where the blank line behind it is missing, since servers forget
// it. The error is io.EOF at the end of the stream, [ErrTooLong], or the
// stream's own.
func (s *Reader) Next() (Event, error) {
	var e Event
	var data [][]byte
	size := 0
	for s.lines.Scan() {
		line := s.lines.Bytes()
		if !s.began {
			s.began, line = true, bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			if data != nil {
				return e.with(data), nil
			}
			e, size = Event{}, 0
			continue
		}
		if size += len(line); size > s.limit {
			return Event{}, ErrTooLong
		}
		switch name, value := field(line); name {
		case "event":
			e.Name = string(value)
		case "data":
			data = append(data, bytes.Clone(value))
		}
	}
	err := s.lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return Event{}, ErrTooLong
	case err != nil:
		return Event{}, err
	case data != nil:
		return e.with(data), nil
	}
	return Event{}, io.EOF
}

func (e Event) with(data [][]byte) Event {
	e.Data = bytes.Join(data, []byte("\n"))
	return e
}

// field splits a line. A comment has no name, and a line without a colon no
// value.
func field(line []byte) (name string, value []byte) {
	before, after, _ := bytes.Cut(line, []byte(":"))
	return string(before), bytes.TrimPrefix(after, []byte(" "))
}

// split ends a line at a line feed, a carriage return, or both. It does not wait
// for the byte behind a carriage return: the event may be whole by then.
func (s *Reader) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	skip := 0
	if s.afterR && len(data) > 0 {
		s.afterR = false
		if data[0] == '\n' {
			skip, data = 1, data[1:]
		}
	}
	if i := lineEnd(data, min(s.seen, len(data))); i >= 0 {
		s.afterR, s.seen = data[i] == '\r', 0
		return skip + i + 1, data[:i:i], nil
	}
	if atEOF && len(data) > 0 {
		return skip + len(data), data, nil
	}
	s.seen = len(data)
	return skip, nil, nil
}

// lineEnd returns where a line ends in data, from some place on; -1 for nowhere.
// It looks for both ends in pieces, so that neither is searched far behind the
// other.
func lineEnd(data []byte, from int) int {
	const piece = 4 << 10
	for ; from < len(data); from += piece {
		part := data[from:min(from+piece, len(data))]
		at := bytes.IndexByte(part, '\n')
		if at >= 0 {
			part = part[:at]
		}
		if i := bytes.IndexByte(part, '\r'); i >= 0 {
			at = i
		}
		if at >= 0 {
			return from + at
		}
	}
	return -1
}
