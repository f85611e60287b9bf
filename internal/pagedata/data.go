// Package pagedata is the data that a page shows, as models get to see it: its tables,
// lists, labelled values and headings, and pages of their JSON. Package
// fetch/extract/sight finds them.
package pagedata

import (
	"bytes"
	"encoding/json"
)

// Data is what a page shows, in document order.
type Data struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	// Lang is the language that the document says it is in ("de-CH").
	Lang     string    `json:"lang,omitempty"`
	Headings []Heading `json:"headings,omitempty"`
	Values   []Value   `json:"values,omitempty"`
	Tables   []Table   `json:"tables,omitempty"`
	// Next is the offset to go on from; 0 when this is the end. See [Data.Page].
	Next int `json:"next,omitempty"`
	// Incomplete says that the page, or a table in it, was too long to be read to
	// its end.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Heading is a heading of the page.
type Heading struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
}

// Value is something that the page shows beside a label.
type Value struct {
	Label string `json:"label"`
	Value Cell   `json:"value"`
	// Weak says that the label is not one that people see: a class name.
	Weak bool `json:"weak,omitempty"`
	// Part is where on the page it stands, if that is not what the page is about.
	Part Part `json:"part,omitempty"`
}

// Part is a part of a page that is about other things than the page.
type Part string

// The parts; the zero one is the page proper.
const (
	Footer     Part = "footer"
	Aside      Part = "aside"
	Navigation Part = "navigation"
	// Related is what stands under a heading like "Related products".
	Related Part = "related"
)

// Table is a table, or a list of things that look alike.
type Table struct {
	// Name is the caption, or else the heading above.
	Name string `json:"name,omitempty"`
	// List says that it was made of a list's items or of elements of one kind.
	List bool `json:"list,omitempty"`
	// Part is where on the page it stands, as with [Value].
	Part Part `json:"part,omitempty"`
	// Columns are the headers; empty for one that has none.
	Columns []string `json:"columns"`
	Rows    [][]Cell `json:"rows"`
	// From is the index of the first row here, Total how many there are.
	From  int `json:"from,omitempty"`
	Total int `json:"total,omitempty"`
}

// Cell is a text with what it links to. It marshals to a string when there is
// nothing else.
type Cell struct {
	Text string
	// URL is absolute: of the first link, or of the image where there is none.
	URL string
	// Image is the absolute URL of the first image.
	Image string
}

type cellJSON struct {
	Text  string `json:"text"`
	URL   string `json:"url,omitempty"`
	Image string `json:"image,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (c Cell) MarshalJSON() ([]byte, error) {
	if c.URL == "" && c.Image == "" {
		return Marshal(c.Text)
	}
	return Marshal(cellJSON(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Cell) UnmarshalJSON(raw []byte) error {
	*c = Cell{}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &c.Text)
	}
	return json.Unmarshal(raw, (*cellJSON)(c))
}

// Marshal writes JSON that models read easily: with < and & as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Map applies f to every text in the data.
func (d *Data) Map(f func(string) string) {
	cell := func(c *Cell) { c.Text, c.URL, c.Image = f(c.Text), f(c.URL), f(c.Image) }
	d.URL, d.Title, d.Lang = f(d.URL), f(d.Title), f(d.Lang)
	for i := range d.Headings {
		d.Headings[i].Text = f(d.Headings[i].Text)
	}
	for i := range d.Values {
		d.Values[i].Label = f(d.Values[i].Label)
		cell(&d.Values[i].Value)
	}
	for i := range d.Tables {
		t := &d.Tables[i]
		t.Name = f(t.Name)
		for j := range t.Columns {
			t.Columns[j] = f(t.Columns[j])
		}
		for _, row := range t.Rows {
			for j := range row {
				cell(&row[j])
			}
		}
	}
}
