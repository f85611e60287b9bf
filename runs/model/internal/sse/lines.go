package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines reads a stream of JSON documents, one a line, as events without a name.
// It is for one goroutine.
type Lines struct{ lines *bufio.Scanner }

// NewLines returns a reader of r. A line may have limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, min(limit+1, 4096)), limit+1)
	return &Lines{s}
}

// Next returns the next line that is not empty. The error is io.EOF at the end,
// [ErrTooLong], or the stream's own.
func (l *Lines) Next() (Event, error) {
	for l.lines.Scan() {
		if line := bytes.TrimSpace(l.lines.Bytes()); len(line) > 0 {
			return Event{Data: bytes.Clone(line)}, nil
		}
	}
	switch err := l.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Event{}, ErrTooLong
	case err != nil:
		return Event{}, err
	}
	return Event{}, io.EOF
}
