package egress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

var errBadChunk = errors.New("egress: a chunk that cannot be read")

// Bounds of what a chunked body says beside its content.
const (
	maxChunkLine = 4 << 10
	maxTrailer   = 64 << 10
)

// chunks writes a head and copies a chunked body. What it passes on is written anew, without
// extensions, so that no reader behind can think differently of it. sent is
// called when the end has been read, before it is written.
func (f *flow) chunks(head []byte, sent func()) error {
	w := chunkWriters.Get().(*bufio.Writer)
	defer func() { w.Reset(nil); chunkWriters.Put(w) }()
	w.Reset(f)
	w.Write(head)
	for {
		size, err := f.chunkSize(w)
		if err != nil {
			return err
		}
		if size == 0 {
			break
		}
		fmt.Fprintf(w, "%x\r\n", size)
		if err := f.chunk(w, size); err != nil {
			return err
		}
	}
	trailer, err := f.trailer(w)
	if err != nil {
		return err
	}
	sent()
	w.WriteString("0\r\n" + trailer + "\r\n")
	return w.Flush()
}

var chunkWriters = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, pumpBuffer) }}

// chunkSize reads the line before a chunk. What was copied is written before
// anybody is waited for.
func (f *flow) chunkSize(w *bufio.Writer) (int64, error) {
	line, err := f.line(w)
	if err != nil {
		return 0, err
	}
	digits, extension, _ := strings.Cut(line, ";")
	digits = strings.TrimRight(digits, " \t")
	n, err := strconv.ParseUint(digits, 16, 62)
	if err != nil || strings.ContainsAny(digits, "+_xX") || strings.ContainsFunc(extension, notInExtension) {
		return 0, errBadChunk
	}
	return int64(n), nil
}

func notInExtension(c rune) bool { return isControl(c) && c != '\t' }

// line reads a line that ends as the protocol says, and no other way.
func (f *flow) line(w *bufio.Writer) (string, error) {
	if ahead, _ := f.in.Peek(f.in.Buffered()); bytes.IndexByte(ahead, '\n') < 0 {
		if err := w.Flush(); err != nil {
			return "", err
		}
	}
	line, err := f.in.ReadSlice('\n')
	f.n.Add(int64(len(line)))
	text, ok := strings.CutSuffix(string(line), "\r\n")
	switch {
	case errors.Is(err, bufio.ErrBufferFull), err == nil && (!ok || len(text) > maxChunkLine):
		return "", errBadChunk
	case err != nil:
		return "", noEnd(err)
	}
	return text, nil
}

// chunk copies the content of a chunk and the end of its line.
func (f *flow) chunk(w *bufio.Writer, left int64) error {
	for left > 0 {
		if f.in.Buffered() == 0 || w.Available() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		b := w.AvailableBuffer()
		n, err := f.in.Read(b[:min(int64(cap(b)), left)])
		w.Write(b[:n])
		f.n.Add(int64(n))
		left -= int64(n)
		if err != nil {
			return noEnd(err)
		}
	}
	end, err := f.line(w)
	if err == nil && end != "" {
		err = errBadChunk
	}
	w.WriteString("\r\n")
	return err
}

// trailer reads the fields behind the last chunk, without those that say
// something about the message's way.
func (f *flow) trailer(w *bufio.Writer) (string, error) {
	var text strings.Builder
	for text.Len() <= maxTrailer {
		line, err := f.line(w)
		if err != nil {
			return "", err
		}
		if line == "" {
			return cleanTrailer(text.String())
		}
		text.WriteString(line + "\r\n")
	}
	return "", errBadChunk
}

func cleanTrailer(text string) (string, error) {
	fields, err := readFields(text)
	if err != nil {
		return "", errBadChunk
	}
	var b bytes.Buffer
	writeFields(&b, fields, notInTrailer)
	return b.String(), nil
}

func notInTrailer(name string) bool {
	switch name {
	case "content-length", "transfer-encoding", "host", "upgrade", "trailer", "te", "set-cookie", "authorization", "cookie":
		return true
	}
	return isHop(name) || strings.EqualFold(name, RefusedHeader)
}

// noEnd makes an end that comes too early an error.
func noEnd(err error) error {
	if err == io.EOF {
		return errNoEnd
	}
	return err
}
