package request

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Form returns the parts of a multipart form of at most so many bytes, to be
// read as they come, within the times of l. Call done when they are no longer
// read, and give what went wrong meanwhile to [FormError]. Error kinds:
// UnsupportedMediaType, of a form with a content coding, too; Invalid where there is no body, which one of zero bytes is,
// too, whatever its headers say (DECISIONS 2).
func Form(w http.ResponseWriter, r *http.Request, most int64, l Limits) (_ *multipart.Reader, done func(), err error) {
	if g, ok := r.Body.(*guarded); ok {
		g.dropLater = true // what is left of it
	}
	timed := newTimedReader(w, http.MaxBytesReader(w, r.Body, most), l.WithDefaults())
	done = timed.release
	src := bufio.NewReader(timed)
	if isEmpty(r, src) {
		return nil, done, errtypes.New(errtypes.Invalid, "a body is required")
	}
	if coding := strings.Join(r.Header.Values("Content-Encoding"), ", "); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, done, errtypes.New(errtypes.UnsupportedMediaType, "a form must have no Content-Encoding, not %q", shown(coding)).
			WithType(errtypes.TypeUnsupportedContentEncoding)
	}
	r.Body = io.NopCloser(src)
	form, err := r.MultipartReader()
	if err != nil {
		err = errtypes.New(errtypes.UnsupportedMediaType, "the Content-Type of the body must be multipart/form-data").
			WithType(errtypes.TypeInvalidContentTypeHeader).WithCause(err)
	}
	return form, done, err
}

// isEmpty reports whether nothing comes. A request from within the process may have no
// length, as one in chunks.
func isEmpty(r *http.Request, src *bufio.Reader) bool {
	if r.ContentLength > 0 {
		return false
	}
	_, err := src.Peek(1)
	return err == io.EOF
}

// FormError says for the caller what went wrong while a form was read. Errors
// that have a kind stay as they are. Error kinds: TooLarge, Invalid, Canceled.
func FormError(ctx context.Context, err error) error {
	var known *errtypes.Error
	var tooLong *http.MaxBytesError
	var noHead textproto.ProtocolError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &tooLong):
		return errtypes.New(errtypes.TooLarge, "the body is longer than %d bytes", tooLong.Limit).WithType(errtypes.TypeRequestTooLarge)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, multipart.ErrMessageTooLarge), errors.As(err, &noHead), strings.HasPrefix(err.Error(), "multipart: "):
		return errtypes.New(errtypes.Invalid, "the form breaks off, or is none").WithCause(err)
	}
	return err
}
