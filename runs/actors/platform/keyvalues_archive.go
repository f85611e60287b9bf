package platform

import (
	"archive/zip"
	"context"
	"io"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/records"
)

// getArchive answers with the records of a store, or those of them that are asked for, as
// a zip. They are read while they are sent: a record that is deleted meanwhile is left out.
func getArchive(x *exchange) (answer, error) {
	q := x.Query()
	asked := records.KeysQuery{Prefix: q.String("prefix"), Collection: q.String("collection")}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	ctx, store := x.R.Context(), x.Path("storeId")
	first, err := x.Records.Keys(ctx, store, asked)
	if err != nil {
		return answer{}, err
	}
	return api.OK(&api.Document{
		Name: "key-value-store-" + first.Store.ID + ".zip", Type: "application/zip",
		Write: func(w io.Writer) error { return x.writeArchive(ctx, w, first) },
	}), nil
}

// writeArchive writes the records of a page and of all behind it.
func (x *exchange) writeArchive(ctx context.Context, w io.Writer, page records.KeysPage) error {
	z := zip.NewWriter(w)
	for {
		for _, r := range page.Records {
			if err := x.archive(ctx, z, page.Store.ID, r); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return z.Close()
		}
		next := page.KeysQuery
		next.After = page.Next
		var err error
		if page, err = x.Records.Keys(ctx, page.Store.ID, next); err != nil {
			return err
		}
	}
}

// archive adds a record to an archive, decoded.
func (x *exchange) archive(ctx context.Context, z *zip.Writer, store string, r records.Record) error {
	content, _, err := x.Records.OpenRecord(ctx, store, r.Key)
	if errtypes.Is(err, errtypes.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	f, err := z.CreateHeader(&zip.FileHeader{Name: fileOf(r.Key), Method: zip.Deflate, Modified: r.ModifiedAt})
	if err == nil {
		_, err = io.Copy(f, content)
	}
	return err
}

// fileOf is what a record is called in an archive: its key, unless that names a directory
// for whoever unpacks it.
func fileOf(key string) string {
	if strings.Trim(key, ".") == "" {
		return "_" + key
	}
	return key
}
