package items

import (
	"bufio"
	"io"
	"slices"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// Source calls each with one item after the other, without white space. It can be
// called again and then has the same items. An error of each ends it.
type Source func(each func(item []byte) error) error

// Document is a document to write.
type Document struct {
	// Format is one of the names of [Formats].
	Format string
	Transform
	// BOM puts a byte order mark before text.
	BOM bool
	// Delimiter is between values of CSV, one character; Headless leaves out the
	// line of names.
	Delimiter string
	Headless  bool
	// Root and Row are names of elements of XML.
	Root, Row string
	// Title and Description are those of the feed.
	Title, Description string
}

// Formats are the writers by the names of the formats.
var Formats = map[string]func(d *Document, w *bufio.Writer, src Source) error{
	"json":  (*Document).json,
	"jsonl": (*Document).jsonl,
	"csv":   (*Document).csv,
	"html":  (*Document).html,
	"xlsx":  (*Document).xlsx,
	"xml":   (*Document).xml,
	"rss":   (*Document).rss,
}

// Write writes the document as the items come.
func (d *Document) Write(w io.Writer, src Source) error {
	d.Prepare()
	b := bufio.NewWriterSize(w, 64<<10)
	if err := Formats[d.Format](d, b, src); err != nil {
		return err
	}
	return b.Flush()
}

// begin writes the mark that says that text is UTF-8.
func (d *Document) begin(w *bufio.Writer) {
	if d.BOM {
		w.WriteString("\ufeff")
	}
}

// records calls each with the records of all items.
func (d *Document) records(src Source, each func([]Field) error) error {
	return src(func(item []byte) error { return d.Each(item, each) })
}

// texts calls each with the records of all items as JSON, which is good until it
// returns.
func (d *Document) texts(src Source, each func([]byte) error) error {
	if d.Nothing() {
		return src(each)
	}
	var text []byte
	return d.records(src, func(record []Field) error {
		text = AppendRecord(text[:0], record)
		return each(text)
	})
}

// AppendRecord writes a record as an object.
func AppendRecord(dst []byte, record []Field) []byte {
	members := make([]rawjson.Member, len(record))
	for i, f := range record {
		members[i] = f.Member
	}
	return rawjson.AppendObject(dst, members)
}

func (d *Document) json(w *bufio.Writer, src Source) error {
	d.begin(w)
	w.WriteByte('[')
	first := true
	err := d.texts(src, func(text []byte) error {
		if !first {
			w.WriteString(",\n")
		}
		first = false
		_, err := w.Write(text)
		return err
	})
	w.WriteByte(']')
	return err
}

func (d *Document) jsonl(w *bufio.Writer, src Source) error {
	d.begin(w)
	return d.texts(src, func(text []byte) error {
		w.Write(text)
		return w.WriteByte('\n')
	})
}

// text is what a value says in a cell or an element; nothing for null.
func text(value []byte) string {
	switch value[0] {
	case '"':
		return rawjson.Text(value)
	case 'n':
		return ""
	}
	return string(value)
}

// Names are those of all formats, sorted.
func Names() (all []string) {
	for name := range Formats {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
