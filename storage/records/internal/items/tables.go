package items

import (
	"bufio"
	"html"
	"strings"
)

func (d *Document) csv(w *bufio.Writer, src Source) error {
	t, err := d.table(src)
	if err != nil {
		return err
	}
	d.begin(w)
	if !d.Headless {
		d.csvLine(w, len(t.names), func(i int) string { return t.names[i] })
	}
	return d.records(src, func(record []Field) error {
		row := t.of(record)
		return d.csvLine(w, len(row), func(i int) string { return cell(row[i]) })
	})
}

// cell is the text of a value; empty for null and for none.
func cell(value []byte) string {
	if value == nil {
		return ""
	}
	return text(value)
}

func (d *Document) csvLine(w *bufio.Writer, n int, value func(i int) string) error {
	for i := range n {
		if i > 0 {
			w.WriteString(d.Delimiter)
		}
		s := value(i)
		if strings.ContainsAny(s, "\"\r\n") || strings.Contains(s, d.Delimiter) {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		w.WriteString(s)
	}
	return w.WriteByte('\n')
}

func (d *Document) html(w *bufio.Writer, src Source) error {
	t, err := d.table(src)
	if err != nil {
		return err
	}
	d.begin(w)
	w.WriteString("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body><table>\n<thead>")
	htmlRow(w, "th", len(t.names), func(i int) string { return t.names[i] })
	w.WriteString("</thead>\n<tbody>\n")
	err = d.records(src, func(record []Field) error {
		row := t.of(record)
		htmlRow(w, "td", len(row), func(i int) string { return cell(row[i]) })
		return w.WriteByte('\n')
	})
	w.WriteString("</tbody>\n</table></body></html>\n")
	return err
}

func htmlRow(w *bufio.Writer, element string, n int, value func(i int) string) {
	w.WriteString("<tr>")
	for i := range n {
		w.WriteString("<" + element + ">")
		w.WriteString(html.EscapeString(value(i)))
		w.WriteString("</" + element + ">")
	}
	w.WriteString("</tr>")
}
