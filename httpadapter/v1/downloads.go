package v1

import (
	"math"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/downloads"
)

type downloadJSON struct {
	ID        string   `json:"id"`
	SessionID string   `json:"sessionId"`
	Filename  string   `json:"filename"`
	MIMEType  string   `json:"mimeType"`
	Size      int64    `json:"size"`
	Checksum  string   `json:"checksum"`
	CreatedAt wireTime `json:"createdAt"`
}

func downloadOut(d downloads.Download) downloadJSON {
	return downloadJSON{d.ID, d.SessionID, d.Filename, d.MIMEType, d.Size, d.Checksum(), wireTime(d.CreatedAt)}
}

type downloadsJSON struct {
	Downloads []downloadJSON `json:"downloads"`
	Total     int            `json:"total"`
	Limit     int            `json:"limit"`
	Offset    int            `json:"offset"`
}

func listDownloads(x *exchange) (answer, error) {
	q, err := downloadQueryIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Downloads.List(x.R.Context(), q)
	return api.OK(downloadsJSON{each(page.Downloads, downloadOut), page.Total, page.Limit, page.Offset}), err
}

func downloadQueryIn(x *exchange) (downloads.Query, error) {
	q := x.Query()
	return downloads.Query{
		SessionID: ids.Canonical(q.String("sessionId")), Filename: q.String("filename"), MIMEType: q.String("mimeType"),
		MinSize: sizeIn(q, "minSize", math.Ceil), MaxSize: sizeIn(q, "maxSize", math.Floor),
		CreatedAfter: q.Time("createdAfter"), CreatedBefore: q.Time("createdBefore"),
		Limit: q.Int("limit", 1, maxDownloadPage), Offset: q.Int("offset", 0, maxOffset),
	}, q.Err()
}

// sizeIn is a bound in bytes. The specification has it be any number, which
// round makes the whole one that selects the same files.
func sizeIn(q *request.Query, name string, round func(float64) float64) *int64 {
	n, there := q.Number(name)
	switch {
	case !there:
		return nil
	case n >= math.MaxInt64:
		return new(int64(math.MaxInt64))
	}
	return new(int64(round(n)))
}

const (
	jsonMedia = "application/json"
	fileMedia = "application/octet-stream"
)

// getDownload answers as DECISIONS 20 says.
func getDownload(x *exchange) (answer, error) {
	x.W.Header().Set("Vary", "Accept")
	media, ok := request.Accepted(x.R, jsonMedia, fileMedia)
	switch {
	case !ok:
		return answer{}, errtypes.New(errtypes.NotAcceptable, "the header Accept must allow %s or %s", jsonMedia, fileMedia)
	case media == fileMedia:
		content, d, err := x.Downloads.Open(x.R.Context(), x.id("downloadId"))
		return api.OK(&api.File{Name: d.Filename, Type: fileMedia, Tag: d.Checksum(), Modified: d.CreatedAt, Content: content}), err
	}
	d, err := x.Downloads.Get(x.R.Context(), x.id("downloadId"))
	return api.OK(downloadOut(d)), err
}

func deleteDownload(x *exchange) (answer, error) {
	return api.NoContent(), x.Downloads.Delete(x.R.Context(), x.id("downloadId"))
}

// archiveDownloads answers with the files of a session, of which there are none
// where nobody knows the session.
func archiveDownloads(x *exchange) (answer, error) {
	all, err := x.Downloads.All(x.R.Context(), x.id("sessionId"))
	return api.OK(&archive{all, x.Downloads}), err
}

func deleteDownloads(x *exchange) (answer, error) {
	_, err := x.Downloads.DeleteOf(x.R.Context(), x.id("sessionId"))
	return api.NoContent(), err
}
