package v1

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter/internal/request"
	"github.com/drover-go/drover/runs/sessions"
)

type messageOnlyJSON struct {
	Message string `json:"message"`
}

// uploadToSession reads the form as it comes: the file goes where it will lie,
// and is nowhere else in between.
func uploadToSession(x *exchange) (answer, error) {
	err := x.upload(func(part *multipart.Part) error {
		return x.Sessions.Upload(x.r.Context(), x.id("sessionId"), sessions.Upload{Filename: part.FileName(), Content: part})
	})
	return answer{http.StatusOK, messageOnlyJSON{"File uploaded successfully"}}, err
}

// upload hands over the file of the form, within the limits of bodies.
func (x *exchange) upload(take func(*multipart.Part) error) error {
	body := http.MaxBytesReader(x.w, x.r.Body, x.opts.MaxUpload)
	defer body.Close()
	timed, release := request.Timed(x.w, body, x.opts.Limits)
	defer release()
	x.r.Body = io.NopCloser(timed)
	part, err := filePart(x.r)
	if err != nil {
		return x.uploadError(err)
	}
	defer part.Close()
	return x.uploadError(take(part))
}

var errNoForm = errtypes.New(errtypes.UnsupportedMediaType, "the Content-Type of the body must be multipart/form-data")

// filePart is the part with the name file. Others before it are passed over.
func filePart(r *http.Request) (*multipart.Part, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, errNoForm.WithCause(err)
	}
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF:
			return nil, errtypes.Field("file", "is required")
		case err != nil:
			return nil, err
		case part.FormName() == "file":
			return part, nil
		}
	}
}

// uploadError says what went wrong while the body was read.
func (x *exchange) uploadError(err error) error {
	var known *errtypes.Error
	var tooLong *http.MaxBytesError
	var noHead textproto.ProtocolError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &tooLong):
		return errtypes.New(errtypes.TooLarge, "the body is longer than %d bytes", tooLong.Limit)
	case x.r.Context().Err() != nil:
		return x.r.Context().Err()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, multipart.ErrMessageTooLarge), errors.As(err, &noHead), strings.HasPrefix(err.Error(), "multipart: "):
		return errtypes.New(errtypes.Invalid, "the form breaks off, or is none").WithCause(err)
	}
	return err
}
