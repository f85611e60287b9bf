package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// values are objects of JSON that are read one at a time: from an object, an array, or
// objects one after another, such as one a line. Where they may be requests, addresses
// may stand for them, one a line.
type values struct {
	from *bufio.Reader
	urls bool
	read func() (json.RawMessage, error) // chosen by the first byte
	n    int64
	// ahead are those that have been read and not been returned yet.
	ahead []json.RawMessage
}

func newValues(in io.Reader, urls bool) *values {
	return &values{from: bufio.NewReaderSize(in, 64<<10), urls: urls}
}

// givenURLs are requests of addresses.
func givenURLs(all []string) *values {
	return newValues(strings.NewReader(strings.Join(all, "\n")), true)
}

// next returns the next object; io.EOF where there is none.
func (v *values) next() (json.RawMessage, error) {
	if len(v.ahead) > 0 {
		raw := v.ahead[0]
		v.ahead = v.ahead[1:]
		return raw, nil
	}
	return v.more()
}

// look reads a batch ahead, so that what is wrong in it is known before anything is done.
func (v *values) look(most int) error {
	for size := 0; len(v.ahead) < most && size < batchBytes; {
		raw, err := v.more()
		if err != nil {
			return orNothing(err)
		}
		v.ahead, size = append(v.ahead, raw), size+len(raw)
	}
	return nil
}

// more reads the next object.
func (v *values) more() (json.RawMessage, error) {
	if v.read == nil {
		if err := v.begin(); err != nil {
			return nil, err
		}
	}
	raw, err := v.read()
	if err == nil {
		v.n++
	}
	return raw, err
}

// begin looks at the first byte.
func (v *values) begin() error {
	if bom, _ := v.from.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = v.from.Discard(len(bom)) // has been looked at
	}
	first, err := v.firstByte()
	if err != nil {
		return err
	}
	if !v.urls && v.isAddress() {
		return errtypes.New(errtypes.Invalid, "item 1 is no JSON; addresses go into a queue: --kind request-queue")
	}
	decoder := json.NewDecoder(v.from)
	v.read = func() (json.RawMessage, error) { return v.object(decoder) }
	switch {
	case first == '[':
		if _, err := decoder.Token(); err != nil {
			return v.bad(decoder, err)
		}
		v.read = func() (json.RawMessage, error) { return v.element(decoder) }
	case first != '{' && v.urls:
		v.read = v.address
	}
	return nil
}

// isAddress reports whether an address comes next.
func (v *values) isAddress() bool {
	start, _ := v.from.Peek(len("https://")) // less where there is no more
	return bytes.HasPrefix(start, []byte("http://")) || bytes.HasPrefix(start, []byte("https://"))
}

// firstByte is the first that is not white space, which is not read.
func (v *values) firstByte() (byte, error) {
	for {
		b, err := v.from.ReadByte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(b)) {
			return b, v.from.UnreadByte()
		}
	}
}

// object reads the next value of a sequence.
func (v *values) object(d *json.Decoder) (raw json.RawMessage, err error) {
	if err := d.Decode(&raw); err != nil {
		return nil, v.bad(d, err)
	}
	if raw[0] != '{' {
		return nil, errtypes.New(errtypes.Invalid, "item %d is no JSON object", v.n+1)
	}
	return raw, nil
}

// element reads the next element of the array, behind which there is nothing.
func (v *values) element(d *json.Decoder) (json.RawMessage, error) {
	if d.More() {
		raw, err := v.object(d)
		if errors.Is(err, io.EOF) {
			err = v.bad(d, io.ErrUnexpectedEOF)
		}
		return raw, err
	}
	if _, err := d.Token(); err != nil {
		return nil, v.bad(d, io.ErrUnexpectedEOF)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errtypes.New(errtypes.Invalid, "there is something behind the array, from byte %d on", d.InputOffset())
	}
	v.read = func() (json.RawMessage, error) { return nil, io.EOF }
	return nil, io.EOF
}

// bad says where the input is no JSON.
func (v *values) bad(d *json.Decoder, err error) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	switch {
	case syntax || errors.Is(err, io.ErrUnexpectedEOF):
		return errtypes.New(errtypes.Invalid, "item %d is no JSON, from byte %d on: %v", v.n+1, d.InputOffset(), err)
	case errors.Is(err, io.EOF):
		return err
	}
	return fmt.Errorf("the input cannot be read behind item %d: %w", v.n, err)
}

// address reads the next line that has one.
func (v *values) address() (json.RawMessage, error) {
	for {
		line, err := v.from.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return json.Marshal(map[string]string{"url": line})
		}
		if err != nil {
			return nil, err
		}
	}
}
