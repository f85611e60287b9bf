package v1

import (
	"mime/multipart"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/extensions"
)

type extensionJSON struct {
	ID        string   `json:"id"`
	CreatedAt wireTime `json:"createdAt"`
	UpdatedAt wireTime `json:"updatedAt"`
	FileName  string   `json:"fileName"`
	ProjectID string   `json:"projectId"`
}

func extensionOut(e extensions.Extension) extensionJSON {
	return extensionJSON{e.ID, wireTime(e.CreatedAt), wireTime(e.UpdatedAt), e.FileName, e.ProjectID}
}

func uploadExtension(x *exchange) (answer, error) {
	var e extensions.Extension
	err := x.upload(func(part *multipart.Part) (err error) {
		e, err = x.Extensions.Upload(x.R.Context(), extensions.Upload{FileName: part.FileName(), Content: part})
		return err
	})
	return api.OK(extensionOut(e)), err
}

func getExtension(x *exchange) (answer, error) {
	e, err := x.Extensions.Get(x.R.Context(), x.id("extensionId"))
	return api.OK(extensionOut(e)), err
}

func deleteExtension(x *exchange) (answer, error) {
	return api.NoContent(), x.Extensions.Delete(x.R.Context(), x.id("extensionId"))
}
