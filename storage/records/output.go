package records

import (
	"slices"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records/internal/items"
)

// Format is the form of a document of items.
type Format string

// The formats.
const (
	JSON  Format = "json"  // an array
	JSONL Format = "jsonl" // an item a line
	CSV   Format = "csv"
	HTML  Format = "html" // a table
	XLSX  Format = "xlsx" // a workbook with one sheet
	XML   Format = "xml"
	RSS   Format = "rss"
)

// Formats are all formats.
var Formats = []Format{JSON, JSONL, CSV, HTML, XLSX, XML, RSS}

var mediaTypes = map[Format]string{
	JSON: "application/json", JSONL: "application/jsonl", CSV: "text/csv", HTML: "text/html", XML: "application/xml", RSS: "application/rss+xml",
	XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// MediaType is the media type of documents of the format, without parameters;
// empty for one that there is not.
func (f Format) MediaType() string { return mediaTypes[f] }

// Output is a document of items.
//
// Tables (CSV, HTML, XLSX) have a column for each field that the records have, at
// most 2000, in the order of the query's Fields or else of the alphabet. Values
// within objects and arrays have columns such as "a/b" and "a/0".
type Output struct {
	// Format, default JSON.
	Format Format
	// BOM puts a byte order mark before text. Default nil: for CSV alone.
	BOM *bool
	// Delimiter is what stands between values of CSV, one character. Default ",".
	Delimiter string
	// SkipHeaderRow leaves out the names of the columns of CSV. Default false.
	SkipHeaderRow bool
	// XMLRoot and XMLRow are the names of the elements around all records and
	// each. Default "items" and "item".
	XMLRoot, XMLRow string
	// FeedTitle and FeedDescription are those of RSS. Default says which dataset
	// it is.
	FeedTitle, FeedDescription string
}

func (o Output) check() error {
	if o.Format.MediaType() == "" {
		return errtypes.Field("format", "must be one of %q, not %.100q", items.Names(), o.Format)
	}
	r, size := utf8.DecodeRuneInString(o.Delimiter)
	if o.Format == CSV && (size != len(o.Delimiter) || r == utf8.RuneError || slices.Contains([]rune{'"', '\n', '\r'}, r)) {
		return errtypes.Field("delimiter", "must be one character other than a quote and the end of a line")
	}
	return nil
}
