package v1

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/certificates"
)

type certificateJSON struct {
	ID        string   `json:"id"`
	CreatedAt wireTime `json:"createdAt"`
	UpdatedAt wireTime `json:"updatedAt"`
	ProjectID string   `json:"projectId"`

	// Additions.
	Kind        certificates.Kind `json:"kind"`
	Subject     string            `json:"subject"`
	Fingerprint string            `json:"fingerprint"`
	Count       int               `json:"count"`
	NotBefore   wireTime          `json:"notBefore"`
	NotAfter    wireTime          `json:"notAfter"`
}

func certificateOut(c certificates.Certificate) certificateJSON {
	return certificateJSON{
		c.ID, wireTime(c.CreatedAt), wireTime(c.UpdatedAt), c.ProjectID,
		c.Kind, c.Subject, c.Fingerprint, c.Count, wireTime(c.NotBefore), wireTime(c.NotAfter),
	}
}

func uploadCertificate(x *exchange) (answer, error) {
	most := x.Certificates.MaxFile()
	u := certificates.Upload{RefuseUnused: true}
	err := x.form(min(x.opts.MaxUpload, most+besideFile), func(form *multipart.Reader) error { return readCertificateForm(&u, form, most) })
	if err != nil {
		return answer{}, err
	}
	c, err := x.Certificates.Upload(x.R.Context(), u)
	return api.OK(certificateOut(c)), err
}

const (
	// besideFile is what a form may have beside its file: the password, the heads of
	// the parts, and fields that are passed over.
	besideFile  = 64 << 10
	maxPassword = 1 << 10
)

// readCertificateForm reads the fields file and password, in any order. Others
// are passed over. The file is held in memory, since the password may stand behind
// it; no more of it than may be kept.
func readCertificateForm(u *certificates.Upload, form *multipart.Reader, most int64) error {
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF && u.Content == nil:
			return errtypes.Field("file", "is required")
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := readCertificatePart(u, part, most); err != nil {
			return err
		}
	}
}

// readCertificatePart leaves a part unclosed that is too large: to close it is to
// read the rest.
func readCertificatePart(u *certificates.Upload, part *multipart.Part, most int64) error {
	switch part.FormName() {
	case "file":
		if u.Content != nil {
			return errtypes.Field("file", "must be given once")
		}
		file, err := io.ReadAll(io.LimitReader(part, most+1))
		if err == nil && int64(len(file)) > most {
			err = errtypes.New(errtypes.TooLarge, "the file is larger than %d bytes", most)
		}
		u.Content = bytes.NewReader(file)
		return err
	case "password":
		password, err := io.ReadAll(io.LimitReader(part, maxPassword+1))
		if len(password) > maxPassword {
			err = errors.Join(err, errtypes.Field("password", "must be at most %d bytes", maxPassword))
		}
		u.Password = string(password)
		return err
	}
	return nil
}

func listCertificates(x *exchange) (answer, error) {
	all, err := x.Certificates.List(x.R.Context())
	return api.OK(each(all, certificateOut)), err
}

func getCertificate(x *exchange) (answer, error) {
	c, err := x.Certificates.Get(x.R.Context(), x.id("certificateId"))
	return api.OK(certificateOut(c)), err
}

func deleteCertificate(x *exchange) (answer, error) {
	return api.NoContent(), x.Certificates.Delete(x.R.Context(), x.id("certificateId"))
}
