package platform

import (
	"io"
	"net/http"
	"strconv"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/records"
)

// datasetRoutes are what only datasets have (wire-v2-stores, 2).
var datasetRoutes = open(ofStore(records.Dataset),
	Route{Method: "GET", Pattern: "/v2/datasets/{storeId}/items", call: getItems, enter: signed(records.Dataset, false)},
	Route{Method: "POST", Pattern: "/v2/datasets/{storeId}/items", call: pushItems, Rate: Busy},
	Route{Method: "GET", Pattern: "/v2/datasets/{storeId}/statistics", call: getStatistics},
)

func pushItems(x *exchange) (answer, error) {
	items, err := x.JSON()
	if err == nil {
		err = x.Records.Push(x.R.Context(), x.Path("storeId"), items)
	}
	return api.Created(struct{}{}), err
}

func getItems(x *exchange) (answer, error) {
	q := x.Query()
	asked, out, attachment := itemsIn(q), outputIn(q), q.Flag("attachment")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	d, err := x.itemsDocument(asked, out, attachment)
	return api.OK(d), err
}

// itemsDocument are items of the dataset in the path.
func (x *exchange) itemsDocument(asked records.ItemsQuery, out records.Output, attachment bool) (*api.Document, error) {
	items, err := x.Records.Items(x.R.Context(), x.Path("storeId"), asked)
	if err != nil {
		return nil, err
	}
	d := &api.Document{
		Type: contentTypeOf(out.Format), Header: paginationOf(items),
		Write: func(w io.Writer) error { return items.Write(x.R.Context(), w, out) },
	}
	if attachment {
		d.Name = "dataset-" + x.Path("storeId") + "." + string(out.Format)
	}
	return d, nil
}

func itemsIn(q *request.Query) records.ItemsQuery {
	offset, limit, desc := pageIn(q)
	return records.ItemsQuery{
		Offset: int64(offset), Limit: int64(limit), Desc: desc,
		Unwind: q.List("unwind"), Flatten: q.List("flatten"), Fields: q.List("fields"), OutputFields: q.List("outputFields"), Omit: q.List("omit"),
		SkipHidden: q.Flag("skipHidden"), SkipEmpty: q.Flag("skipEmpty"), Clean: q.Flag("clean"),
		SkipFailedPages: q.Flag("skipFailedPages"), Simplified: q.Flag("simplified"), View: q.String("view"),
	}
}

func outputIn(q *request.Query) records.Output {
	format := records.JSON
	if s := q.OneOf("format", api.Each(records.Formats, func(f records.Format) string { return string(f) })...); s != "" {
		format = records.Format(s)
	}
	return records.Output{
		Format: format, BOM: q.OptionalFlag("bom"), Delimiter: q.String("delimiter"), SkipHeaderRow: q.Flag("skipHeaderRow"),
		XMLRoot: q.String("xmlRoot"), XMLRow: q.String("xmlRow"), FeedTitle: q.String("feedTitle"), FeedDescription: q.String("feedDescription"),
	}
}

// contentTypeOf is the media type of a format; all but workbooks are text.
func contentTypeOf(f records.Format) string {
	if f == records.XLSX {
		return f.MediaType()
	}
	return f.MediaType() + "; charset=utf-8"
}

// paginationOf is the page as headers, since the body has nothing but items.
func paginationOf(items *records.Items) http.Header {
	h := http.Header{}
	for name, n := range map[string]int64{"Offset": items.Offset, "Limit": items.Limit, "Count": items.Count, "Total": items.Total} {
		h.Set("X-Apify-Pagination-"+name, strconv.FormatInt(n, 10))
	}
	h.Set("X-Apify-Pagination-Desc", strconv.FormatBool(items.Desc))
	return h
}

// statisticsJSON is what the values of a field come to.
type statisticsJSON struct {
	Min     *float64 `json:"min"`
	Max     *float64 `json:"max"`
	Nulls   int64    `json:"nullCount"`
	Empties int64    `json:"emptyCount"`
}

func getStatistics(x *exchange) (answer, error) {
	all, err := x.Records.Statistics(x.R.Context(), x.Path("storeId"))
	fields := make(map[string]statisticsJSON, len(all))
	for name, f := range all {
		fields[name] = statisticsJSON{f.Min, f.Max, f.Nulls, f.Empties}
	}
	return data(map[string]any{"fieldStatistics": fields}), err
}
