package sight

import (
	"html"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/pagedata"
)

func framed(document string, attributes ...string) string {
	return `<iframe ` + strings.Join(attributes, " ") + ` srcdoc="` + html.EscapeString(document) + `"></iframe>`
}

func TestFramesArePartOfThePage(t *testing.T) {
	inner := `<base href="https://other.example/in/"><title>Inner</title><body><h2>Stock</h2>
		<table><tr><th>Name</th><th>Left</th></tr><tr><td><a href="lamp">Lamp</a></td><td>4</td></tr></table>
		<label for="q">Amount</label><input id="q" value="7"><dl><dt>Price</dt><dd>8.95</dd></dl>` +
		framed(`<base href="https://third.example/"><dl><dt>Deep</dt><dd><a href="x">yes</a></dd></dl>`) + `</body>`
	d := parse(t, `<h1>Page</h1><label for="q">Search</label><input id="q" value="tea">`+framed(inner)+
		framed(`<dl><dt>Gone</dt><dd>1</dd></dl>`, `style="display:none"`)+`<iframe>fallback <b>Old: 1</b></iframe><p>Colour: red</p>`)
	want := map[string]string{"Search": "tea", "Amount": "7", "Price": "8.95", "Deep": "yes", "Colour": "red"}
	if diff := cmp.Diff(want, values(d)); diff != "" {
		t.Error(diff)
	}
	if len(d.Tables) != 1 || d.Tables[0].Name != "Stock" || d.Tables[0].Rows[0][0] != (pagedata.Cell{Text: "Lamp", URL: "https://other.example/in/lamp"}) {
		t.Errorf("%+v", d.Tables)
	}
	for _, v := range d.Values {
		if v.Label == "Deep" && v.Value.URL != "https://third.example/x" {
			t.Errorf("%+v", v)
		}
	}
	if d.Title != "A page" || len(d.Headings) != 2 {
		t.Errorf("%q %+v", d.Title, d.Headings)
	}
}

func TestFramesBesideEachOtherAreNoList(t *testing.T) {
	one := `<dl><dt>A</dt><dd>1</dd></dl>`
	d := parse(t, `<div>`+framed(one)+framed(strings.Replace(one, "A", "B", 1))+`</div><div><p>`+framed(strings.Replace(one, "A", "C", 1))+`</p><p>`+framed(one)+`</p></div>`)
	if v := values(d); len(d.Tables) != 0 || v["A"] != "1" || v["B"] != "1" || v["C"] != "1" {
		t.Errorf("%+v %v", d.Tables, v)
	}
}

func TestTextOfFrames(t *testing.T) {
	got, err := Text(`<p>before</p>` + framed(`<title>no</title><p>in</p>`+framed(`deep`)) + `<iframe>fallback</iframe><p>after</p>`)
	if err != nil || got != "before\nin\ndeep\nafter" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFramesets(t *testing.T) {
	got, err := Text(`<html><frameset cols="1,2"><frame srcdoc="&lt;p>left"><frame srcdoc="right"></frameset></html>`)
	if err != nil || got != "left\nright" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFramesInFramesEnd(t *testing.T) {
	document := "bottom"
	for range 12 {
		document = "x" + framed(document)
	}
	got, err := Text(document)
	if err != nil || strings.Contains(got, "bottom") || strings.Count(got, "x") != 9 {
		t.Errorf("%q, %v", got, err)
	}
}
