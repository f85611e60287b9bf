package v1

import (
	"io"
	"mime/multipart"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
)

// maxMetadata is the longest description of what is published, in bytes.
const maxMetadata = 64 << 10

// publishProgram takes a form of the field metadata, in JSON, and the file archive,
// in this order, as it comes.
func publishProgram(x *exchange) (answer, error) {
	var b builds.Build
	err := x.form(x.opts.MaxUpload, func(form *multipart.Reader) (err error) {
		b, err = x.publish(form)
		return err
	})
	return api.Accepted(v1json.BuildOf(b)), err
}

func (x *exchange) publish(form *multipart.Reader) (builds.Build, error) {
	var in functions.Publish
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF && in.Entrypoint == "":
			return builds.Build{}, errtypes.Field("metadata", "is required")
		case err == io.EOF:
			return builds.Build{}, errtypes.Field("archive", "is required")
		case err != nil:
			return builds.Build{}, err
		}
		switch part.FormName() {
		case "metadata":
			if in.Entrypoint, err = x.metadataIn(part); err != nil {
				return builds.Build{}, err
			}
		case "archive":
			if in.Entrypoint == "" {
				return builds.Build{}, errtypes.Field("metadata", "must stand before the archive")
			}
			in.Archive = part
			return x.Functions.Publish(x.R.Context(), in)
		}
	}
}

// metadataIn reads what is said of a program: its entry point.
func (x *exchange) metadataIn(part io.Reader) (entry string, err error) {
	text, err := io.ReadAll(io.LimitReader(part, maxMetadata+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxMetadata {
		return "", errtypes.Field("metadata", "must be at most %d bytes", maxMetadata)
	}
	var project string
	err = strictjson.Decode(text, strictjson.Options{At: "metadata", IgnoreUnknown: true}, strictjson.Open(strictjson.Fields{
		"entrypoint": strictjson.Text(&entry),
		"projectId":  strictjson.Text(&project),
	}, "entrypoint"))
	if err != nil {
		return "", err
	}
	return entry, x.checkProject(project)
}
