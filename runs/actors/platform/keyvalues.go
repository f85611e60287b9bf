package platform

import (
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/records"
)

const oneRecord = "/v2/key-value-stores/{storeId}/records/{recordKey}"

// keyValueRoutes are what only key-value stores have (wire-v2-stores, 3).
var keyValueRoutes = open(ofStore(records.KeyValueStore),
	Route{Method: "GET", Pattern: "/v2/key-value-stores/{storeId}/keys", call: listKeys, enter: signed(records.KeyValueStore, false)},
	Route{Method: "GET", Pattern: "/v2/key-value-stores/{storeId}/records", call: getArchive},
	Route{Method: "GET", Pattern: oneRecord, call: getRecord, Rate: OfRecords, enter: signed(records.KeyValueStore, true)},
	Route{Method: "PUT", Pattern: oneRecord, call: putRecord, Rate: OfRecords},
	Route{Method: "POST", Pattern: oneRecord, call: putRecord, Rate: OfRecords},
	Route{Method: "DELETE", Pattern: oneRecord, call: deleteRecord, Rate: OfRecords},
)

type keysJSON struct {
	Items       []keyJSON `json:"items"`
	Count       int       `json:"count"`
	Limit       int       `json:"limit"`
	After       *string   `json:"exclusiveStartKey"`
	IsTruncated bool      `json:"isTruncated"`
	Next        *string   `json:"nextExclusiveStartKey"` // null at the end: a client goes on for ever without
}

type keyJSON struct {
	Key       string `json:"key"`
	Size      int64  `json:"size"`
	PublicURL string `json:"recordPublicUrl"`
}

func listKeys(x *exchange) (answer, error) {
	q := x.Query()
	asked := records.KeysQuery{
		Limit: q.Int("limit", 0, most), After: q.String("exclusiveStartKey"), Prefix: q.String("prefix"), Collection: q.String("collection"),
	}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	page, err := x.Records.Keys(x.R.Context(), x.Path("storeId"), asked)
	items := api.Each(page.Records, func(r records.Record) keyJSON {
		return keyJSON{r.Key, r.Size, x.storeURL(page.Store) + "/records/" + url.PathEscape(r.Key) + "?signature=" + records.SignRecord(page.Store.SigningSecret, r.Key)}
	})
	return data(keysJSON{items, len(items), page.Limit, api.OrNull(page.After), page.Next != "", api.OrNull(page.Next)}), err
}

// getRecord answers in the coding that the record is stored in, for who accepts it.
func getRecord(x *exchange) (answer, error) {
	q := x.Query()
	attachment := q.Flag("attachment")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	content, r, err := x.Records.OpenRecord(x.R.Context(), x.Path("storeId"), x.Path("recordKey"), request.Codings(x.R, codings...)...)
	if err != nil {
		return answer{}, err
	}
	d := &recordDocument{api.Document{Type: r.ContentType, Header: headersOf(r), Write: func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	}}, content}
	if attachment {
		d.Name = r.Key
	}
	return api.OK(d), nil
}

// recordDocument is a record as an answer.
type recordDocument struct {
	api.Document
	content io.Closer
}

// Stream implements [api.Streamer].
func (d *recordDocument) Stream(x *api.Exchange) {
	defer d.content.Close()
	d.Document.Stream(x)
}

func headersOf(r records.Record) http.Header {
	h := http.Header{"Content-Length": {strconv.FormatInt(r.Length(), 10)}, "Vary": {"Accept-Encoding"}}
	if r.Coding != "" {
		h.Set("Content-Encoding", r.Coding)
	}
	return h
}

func putRecord(x *exchange) (answer, error) {
	if err := x.keepsInput(); err != nil {
		return answer{}, err
	}
	err := x.Raw(func(coding string, content io.Reader) error {
		_, err := x.Records.PutRecord(x.R.Context(), x.Path("storeId"), records.NewRecord{
			Key: x.Path("recordKey"), ContentType: x.R.Header.Get("Content-Type"), Coding: coding, Content: content,
		})
		return err
	})
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+x.R.URL.EscapedPath())
	return api.Created(struct{}{}), nil
}

func deleteRecord(x *exchange) (answer, error) {
	if err := x.keepsInput(); err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Records.DeleteRecord(x.R.Context(), x.Path("storeId"), x.Path("recordKey"))
}
