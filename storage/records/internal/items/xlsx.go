package items

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// ErrTooManyRows is a table of more records than a worksheet has rows.
var ErrTooManyRows = errors.New("items: a worksheet has no room for so many records")

const (
	// MaxRows is how many rows a worksheet has, the names of the columns among
	// them.
	MaxRows = 1 << 20
	// maxCell is the longest text of a cell, in units of UTF-16; what is behind is
	// cut off.
	maxCell = 32767
	// exactDigits is how long a number is that a cell holds without loss.
	exactDigits = 15
)

// workbook are the parts around the one worksheet.
var workbook = []struct{ name, text string }{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
}

// xlsx writes an Office Open XML workbook (ECMA-376) with one worksheet.
func (d *Document) xlsx(w *bufio.Writer, src Source) error {
	t, err := d.table(src)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	for _, part := range workbook {
		f, err := z.Create(part.name)
		if err != nil {
			return err
		}
		io.WriteString(f, xmlHead+part.text)
	}
	f, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 32<<10)
	if err := d.worksheet(b, t, src); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return z.Close()
}

func (d *Document) worksheet(w *bufio.Writer, t *table, src Source) error {
	w.WriteString(xmlHead + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	letters := make([]string, len(t.names))
	for i := range letters {
		letters[i] = columnLetters(i)
	}
	row := 1
	w.WriteString(`<row r="1">`)
	for i, name := range t.names {
		textCell(w, letters[i]+"1", name)
	}
	w.WriteString("</row>")
	err := d.records(src, func(record []Field) error {
		if row++; row > MaxRows {
			return ErrTooManyRows
		}
		number := strconv.Itoa(row)
		w.WriteString(`<row r="` + number + `">`)
		for i, value := range t.of(record) {
			valueCell(w, letters[i]+number, value)
		}
		_, err := w.WriteString("</row>")
		return err
	})
	w.WriteString("</sheetData></worksheet>")
	return err
}

// columnLetters is the name of a column: A to Z, AA and so on.
func columnLetters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnLetters(i/26-1) + string(rune('A'+i%26))
}

func valueCell(w *bufio.Writer, at string, value []byte) {
	switch {
	case value == nil || value[0] == 'n':
	case value[0] == '"':
		textCell(w, at, rawjson.Text(value))
	case value[0] == 't':
		w.WriteString(`<c r="` + at + `" t="b"><v>1</v></c>`)
	case value[0] == 'f':
		w.WriteString(`<c r="` + at + `" t="b"><v>0</v></c>`)
	case len(value) > exactDigits || !inRange(value):
		textCell(w, at, string(value))
	default:
		w.WriteString(`<c r="` + at + `"><v>` + string(value) + `</v></c>`)
	}
}

func inRange(number []byte) bool {
	_, ok := rawjson.Number(number)
	return ok
}

func textCell(w *bufio.Writer, at, s string) {
	w.WriteString(`<c r="` + at + `" t="inlineStr"><is><t xml:space="preserve">`)
	w.WriteString(xmlText(sheetText(cut(s))))
	w.WriteString("</t></is></c>")
}

// escapeLike is what worksheets take for a character by its number (ST_Xstring of
// ECMA-376).
var escapeLike = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

// sheetText escapes what a worksheet would read as something else: what looks like an
// escape, and carriage returns, of which XML makes line feeds.
func sheetText(s string) string {
	if strings.Contains(s, "_x") {
		s = escapeLike.ReplaceAllString(s, "_x005F_$1")
	}
	return strings.ReplaceAll(s, "\r", "_x000D_")
}

func cut(s string) string {
	if len(s) <= maxCell {
		return s
	}
	units := 0
	for i, r := range s {
		if units += max(1, utf16.RuneLen(r)); units > maxCell {
			return s[:i]
		}
	}
	return s
}
