package joblog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Stream is where an entry comes from.
type Stream byte

// The streams.
const (
	// Stdout and Stderr are lines of a process.
	Stdout Stream = 'o'
	Stderr Stream = 'e'
	// System is what Drover has to say.
	System Stream = 's'
	// Event is something in a form of its owner's, which is no part of the log
	// as text.
	Event Stream = 'v'
)

// Entry is one line of a log.
type Entry struct {
	// Seq numbers the entries from 0, those that are no longer kept included.
	Seq int64
	// Offset is where it begins in the log as text, in bytes.
	Offset int64
	// Time has milliseconds.
	Time   time.Time
	Stream Stream
	// Text is valid UTF-8, without a newline at its end.
	Text string
}

// textTime is how an entry begins in the log as text. Its length is fixed.
const textTime = "2006-01-02T15:04:05.000Z "

// AppendText appends the entry as a line of text: its time, its text, a newline.
// Entries of [Event] have none.
func (e Entry) AppendText(b []byte) []byte {
	if e.Stream == Event {
		return b
	}
	b = e.Time.UTC().AppendFormat(b, textTime)
	return append(append(b, e.Text...), '\n')
}

// end is where it ends in the log as text.
func (e Entry) end() int64 {
	if e.Stream == Event {
		return e.Offset
	}
	return e.Offset + int64(len(textTime)+len(e.Text)+1)
}

// overhead is what an entry counts for beside its text, in bytes.
const overhead = 32

func (e Entry) cost() int64 { return int64(len(e.Text)) + overhead }

// encode appends the entry as it is stored: a line of its number, offset, time,
// stream and length, then the text in a line of its own.
func (e Entry) encode(b []byte) []byte {
	b = fmt.Appendf(b, "%d %d %d %c %d\n", e.Seq, e.Offset, e.Time.UnixMilli(), e.Stream, len(e.Text))
	return append(append(b, e.Text...), '\n')
}

// errDamaged is what is read of a log that is not as it was written.
var errDamaged = errors.New("joblog: the log is damaged")

// decode reads the next entry. [io.EOF] is the end, [io.ErrUnexpectedEOF] an
// entry that is not whole.
func decode(r *bufio.Reader) (e Entry, err error) {
	head, err := r.ReadString('\n')
	if err != nil {
		if err == io.EOF && head != "" {
			err = io.ErrUnexpectedEOF
		}
		return Entry{}, err
	}
	e, size, ok := parseHead(head)
	if !ok {
		return Entry{}, fmt.Errorf("%w: an entry begins with %s", errDamaged, strconv.QuoteToASCII(head))
	}
	text := make([]byte, size+1)
	if _, err := io.ReadFull(r, text); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return Entry{}, err
	}
	e.Text = string(text[:size])
	return e, nil
}

// parseHead reads what stands before a text of so many bytes.
func parseHead(head string) (e Entry, size int64, ok bool) {
	fields := strings.Fields(head)
	if len(fields) != 5 || len(fields[3]) != 1 {
		return Entry{}, 0, false
	}
	var ms int64
	e.Stream = Stream(fields[3][0])
	for i, into := range [...]*int64{&e.Seq, &e.Offset, &ms, nil, &size} {
		if into == nil {
			continue
		}
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return Entry{}, 0, false
		}
		*into = n
	}
	e.Time = time.UnixMilli(ms).UTC()
	return e, size, size >= 0 && size <= maxText
}
