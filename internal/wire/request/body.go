package request

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/coding"
)

// JSON returns the JSON body of a request, decompressed; nil when there is
// none, which a body of zero bytes is too, whatever its headers say (DECISIONS
// 2). Error kinds: UnsupportedMediaType, TooLarge, RequestTimeout, Invalid for
// one that is broken off or does not decompress, Canceled. Those of which
// DECISIONS 2 and 3 name a type of v2 have it.
func JSON(w http.ResponseWriter, r *http.Request, rules Rules) ([]byte, error) {
	return read(w, r, rules, (*body).checkJSON)
}

// Bytes is JSON for a body of any media type.
func Bytes(w http.ResponseWriter, r *http.Request, rules Rules) ([]byte, error) {
	return read(w, r, rules, (*body).check)
}

func read(w http.ResponseWriter, r *http.Request, rules Rules, check func(*body) error) ([]byte, error) {
	b, absent, err := open(w, r, rules.withDefaults())
	if absent || err != nil {
		return nil, err
	}
	defer b.timed.release()
	if err := check(b); err != nil {
		b.discard()
		return nil, err
	}
	return b.readAll()
}

// body is a request body that has at least one byte.
type body struct {
	w      http.ResponseWriter
	r      *http.Request
	rules  Rules
	coding string // to be undone; "" for none
	timed  *timedReader
	src    *bufio.Reader
}

// open finds out whether there is a body, for which one byte may have to be
// waited for.
func open(w http.ResponseWriter, r *http.Request, rules Rules) (_ *body, absent bool, err error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil, true, nil
	}
	b := &body{w: w, r: r, rules: rules, timed: newTimedReader(w, r.Body, rules.Limits)}
	b.src = bufio.NewReaderSize(b.timed, 32<<10)
	if r.ContentLength > 0 {
		return b, false, nil
	}
	if _, err := b.src.Peek(1); err != nil {
		defer b.timed.release()
		if err == io.EOF {
			return nil, true, nil
		}
		return nil, false, b.convert(err)
	}
	return b, false, nil
}

// checkJSON looks at the headers, before anything is decoded.
func (b *body) checkJSON() error {
	if err := checkMediaType(b.r.Header.Values("Content-Type")); err != nil {
		return err
	}
	return b.check()
}

// check finds out about the coding, and whether the body is known to be too
// large.
func (b *body) check() (err error) {
	if b.coding, err = b.codingOf(); err != nil {
		return err
	}
	if announced := b.r.ContentLength; b.coding == "" && announced > b.rules.Limits.MaxBody {
		b.refuseUnread() // its length is known without reading it
		return b.tooLarge(announced, true)
	}
	return nil
}

func checkMediaType(values []string) error {
	if len(values) == 0 {
		return wrongMedia("the Content-Type of the body is missing; it must be application/json")
	}
	media, params, err := mime.ParseMediaType(values[0])
	if len(values) > 1 || err != nil || media != "application/json" {
		return wrongMedia("the Content-Type of the body must be application/json, not %q", shown(strings.Join(values, ", ")))
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return wrongMedia("the charset of the body must be utf-8, not %q", shown(charset))
	}
	return nil
}

func wrongMedia(format string, args ...any) error {
	return errtypes.New(errtypes.UnsupportedMediaType, format, args...).WithType(errtypes.TypeInvalidContentTypeHeader)
}

// codingOf is the coding that the body is in.
func (b *body) codingOf() (string, error) {
	header := strings.Join(b.r.Header.Values("Content-Encoding"), ", ")
	name, ok := b.rules.coding(header)
	if ok {
		return name, nil
	}
	known := strings.Join(b.rules.Codings, ", ")
	b.w.Header().Set("Accept-Encoding", known) // RFC 9110, 15.5.16
	return "", errtypes.New(errtypes.UnsupportedMediaType, "the Content-Encoding of the body must be %s or none, not %q", known, shown(header)).
		WithType(errtypes.TypeUnsupportedContentEncoding)
}

// readAll returns the decoded body.
func (b *body) readAll() ([]byte, error) {
	src, err := b.decoded()
	if err != nil {
		return nil, b.convert(err)
	}
	var data bytes.Buffer // grows with what arrives, not with what is announced
	if _, err := io.Copy(&data, io.LimitReader(src, b.rules.Limits.MaxBody+1)); err != nil {
		return nil, b.convert(err)
	}
	if int64(data.Len()) > b.rules.Limits.MaxBody {
		return nil, b.measure(src, int64(data.Len()))
	}
	return data.Bytes(), nil
}

// decoded undoes the coding.
func (b *body) decoded() (io.Reader, error) {
	if b.coding == "" {
		return b.src, nil
	}
	return coding.NewReader(b.coding, b.src)
}

// measure reads on to learn the length of a body that is too large.
func (b *body) measure(src io.Reader, read int64) error {
	n, err := io.Copy(io.Discard, io.LimitReader(src, b.rules.Limits.MaxDiscard-read))
	if err != nil {
		return b.convert(err)
	}
	return b.tooLarge(read+n, read+n < b.rules.Limits.MaxDiscard)
}

func (b *body) tooLarge(length int64, exact bool) error {
	atLeast := ""
	if !exact {
		atLeast = "at least "
		b.giveUp()
	}
	return errtypes.New(errtypes.TooLarge, "the body is %s%d bytes long; the limit is %d bytes", atLeast, length, b.rules.Limits.MaxBody).
		WithType(errtypes.TypeRequestTooLarge)
}

// discard reads what is left of a refused body, so that a caller who is still
// sending gets to see why. One who waits for "100 Continue" is not sending.
func (b *body) discard() {
	if b.droppedLater() {
		return
	}
	if b.timed.isExpired() || strings.EqualFold(b.r.Header.Get("Expect"), "100-continue") {
		b.giveUp()
		return
	}
	n, err := io.Copy(io.Discard, io.LimitReader(b.src, b.rules.Limits.MaxDiscard))
	if err != nil || n == b.rules.Limits.MaxDiscard {
		b.giveUp()
	}
}

// giveUp ends the connection after the answer: the rest of the body is not
// read, by the server neither, which would otherwise wait for it.
func (b *body) giveUp() {
	b.w.Header().Set("Connection", "close")
	b.timed.expire()
	if g, ok := b.r.Body.(*guarded); ok {
		g.givenUp = true
	}
}

// convert says what went wrong while reading. The context comes late: the
// server cancels it with every error of the connection.
func (b *body) convert(err error) error {
	var known *errtypes.Error
	var bad *coding.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.giveUp()
		return errtypes.New(errtypes.RequestTimeout, "the body came too slowly: each piece may take %s and all of it %s",
			b.rules.Limits.IdleTimeout, b.rules.Limits.TotalTimeout).WithType(errtypes.TypeOperationTimedOut).WithCause(err)
	case errors.As(err, &bad):
		b.discard()
		return errtypes.New(errtypes.Invalid, "the body is not valid %s", bad.Coding).WithCause(err)
	case !errors.Is(err, io.ErrUnexpectedEOF) && b.r.Context().Err() != nil:
		return b.r.Context().Err()
	}
	b.giveUp()
	return errtypes.New(errtypes.Invalid, "the body is broken off or badly framed").WithCause(err)
}

// shown bounds what is repeated of a header.
func shown(s string) string {
	const most = 100
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
