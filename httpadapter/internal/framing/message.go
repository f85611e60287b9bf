package framing

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Why a request is refused.
var (
	errTwoEnds    = errors.New("framing: a request has Content-Length and Transfer-Encoding")
	errOldChunks  = errors.New("framing: a request of HTTP/1.0 has Transfer-Encoding")
	errLength     = errors.New("framing: a request has a Content-Length that is no number, or two")
	errFolded     = errors.New("framing: a request folds the header that says where it ends")
	errLongHeader = errors.New("framing: a line of a request is too long")
)

// maxLine is more than a head may have, and so than any line that net/http
// takes.
const maxLine = 128 << 10

// message follows one request after the other. It sees each as net/http does,
// and refuses what it cannot be sure of.
type message struct {
	part part
	line []byte // of this line, what has come before
	skip int64  // bytes of the body, or of a chunk, that are still to come

	began     bool // the request line is read
	old       bool // of HTTP/1.0
	transfers []string
	length    int64 // by Content-Length; -1 without it
	framed    bool  // the line before says where the request ends
}

// part is what the next line belongs to.
type part int

const (
	inHead part = iota
	inSize      // the size of a chunk
	inGap       // the line end behind a chunk
	inTrailer
	// lost is behind what net/http refuses by itself: it reads no further
	// request from the connection.
	lost
)

// take reads data and returns how much of it belongs to the present request.
// With an error that is what comes before the line at fault.
func (m *message) take(data []byte) (n int, err error) {
	for n < len(data) {
		if m.part == lost {
			return len(data), nil
		}
		if m.skip > 0 {
			k := min(m.skip, int64(len(data)-n))
			m.skip -= k
			n += int(k)
			if m.skip == 0 && m.part == inHead {
				return n, nil
			}
			continue
		}
		i := bytes.IndexByte(data[n:], '\n')
		if i < 0 {
			if m.line = append(m.line, data[n:]...); len(m.line) > maxLine {
				return n, errLongHeader
			}
			return len(data), nil
		}
		line := strings.TrimSuffix(string(m.line)+string(data[n:n+i]), "\r")
		m.line = m.line[:0]
		ended, err := m.read(line)
		if err != nil {
			return n, err
		}
		n += i + 1
		if ended {
			return n, nil
		}
	}
	return n, nil
}

// read takes a line and reports whether the request ends with it.
func (m *message) read(line string) (ended bool, err error) {
	switch m.part {
	case inSize:
		m.size(line)
	case inGap:
		m.part = inSize
		if line != "" {
			m.part = lost
		}
	case inTrailer:
		if ended = line == ""; ended {
			m.next(0)
		}
	case inHead:
		switch {
		case line == "" && !m.began: // left over from the request before
		case line == "":
			return m.body()
		default:
			return false, m.head(line)
		}
	}
	return ended, nil
}

// next forgets a request, whose body is so long.
func (m *message) next(body int64) { *m = message{line: m.line, skip: body} }

// head reads a line of it.
func (m *message) head(line string) error {
	switch {
	case !m.began:
		m.began, m.length = true, -1
		m.old = strings.HasSuffix(strings.TrimRight(line, " \t"), "HTTP/1.0")
		return nil
	case line[0] == ' ' || line[0] == '\t':
		if m.framed {
			return errFolded
		}
		return nil
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	m.framed = true
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "transfer-encoding":
		m.transfers = append(m.transfers, value)
	case "content-length":
		return m.setLength(value)
	default:
		m.framed = false
	}
	return nil
}

func (m *message) setLength(value string) error {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || m.length >= 0 && int64(n) != m.length {
		return errLength
	}
	m.length = int64(n)
	return nil
}

// body is at the end of the head.
func (m *message) body() (ended bool, err error) {
	switch {
	case len(m.transfers) == 0:
		m.next(max(m.length, 0))
		return m.skip == 0, nil
	case m.length >= 0:
		return false, errTwoEnds
	case m.old:
		return false, errOldChunks
	case len(m.transfers) == 1 && strings.EqualFold(m.transfers[0], "chunked"):
		m.part = inSize
	default:
		m.part = lost // it is answered 501
	}
	return false, nil
}

// size reads that of a chunk, without its extension.
func (m *message) size(line string) {
	digits, _, _ := strings.Cut(line, ";")
	n, err := strconv.ParseUint(strings.TrimRight(digits, " \t"), 16, 63)
	switch {
	case err != nil:
		m.part = lost
	case n == 0:
		m.part = inTrailer
	default:
		m.part, m.skip = inGap, int64(n)
	}
}
