package v1

import (
	"io"
	"mime/multipart"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/sessions"
)

type messageOnlyJSON struct {
	Message string `json:"message"`
}

// uploadToSession reads the form as it comes: the file goes where it will lie,
// and is nowhere else in between.
func uploadToSession(x *exchange) (answer, error) {
	err := x.upload(func(part *multipart.Part) error {
		return x.Sessions.Upload(x.R.Context(), x.id("sessionId"), sessions.Upload{Filename: part.FileName(), Content: part})
	})
	return api.OK(messageOnlyJSON{"File uploaded successfully"}), err
}

// form hands over the form of the body, of at most so many bytes.
func (x *exchange) form(most int64, take func(*multipart.Reader) error) error {
	form, done, err := request.Form(x.W, x.R, most, x.opts.Limits)
	defer done()
	if err == nil {
		err = take(form)
	}
	return request.FormError(x.R.Context(), err)
}

// upload hands over the file of the form.
func (x *exchange) upload(take func(*multipart.Part) error) error {
	return x.form(x.opts.MaxUpload, func(form *multipart.Reader) error {
		part, err := filePart(form)
		if err != nil {
			return err
		}
		defer part.Close()
		return take(part)
	})
}

// filePart is the part with the name file. Others before it are passed over.
func filePart(form *multipart.Reader) (*multipart.Part, error) {
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
