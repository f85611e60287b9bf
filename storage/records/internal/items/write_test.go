package items

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

func sourceOf(items ...string) Source {
	return func(each func([]byte) error) error {
		for _, item := range items {
			if err := each([]byte(item)); err != nil {
				return err
			}
		}
		return nil
	}
}

func written(t testing.TB, d Document, items ...string) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b, sourceOf(items...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var sample = []string{`{"b":1.50,"a":"x, \"y\"\n<z>","n":{"k":[true,null]}}`, `{"a":"é","#h":{"@":{"i-d":"1&2"},"#":"t"},"l":[1,{"m":2}],"e":[]}`}

func TestDocumentsOfEachFormat(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d    Document
		want string
	}{
		{Document{Format: "json"}, "[" + sample[0] + ",\n" + sample[1] + "]"},
		{Document{Format: "jsonl", BOM: true}, "\ufeff" + sample[0] + "\n" + sample[1] + "\n"},
		{Document{Format: "json", Transform: Transform{Fields: []string{"b"}, SkipEmpty: true}}, `[{"b":1.50}]`},
		{
			Document{Format: "csv", Delimiter: ","},
			"#h/#,#h/@/i-d,a,b,l/0,l/1/m,n/k/0,n/k/1\n,,\"x, \"\"y\"\"\n<z>\",1.50,,,true,\nt,1&2,é,,1,2,,\n",
		},
		{
			Document{Format: "csv", Delimiter: ";", Headless: true, BOM: true, Transform: Transform{Fields: []string{"none", "n", "a"}}},
			"\ufeff;true;;\"x, \"\"y\"\"\n<z>\"\n;;;é\n",
		},
		{Document{Format: "csv", Delimiter: ",", Transform: Transform{Fields: []string{"b", "a"}, Output: []string{"x;", "y"}, Omit: []string{"a"}}}, "x;\n1.50\n\n"},
		{
			Document{Format: "xml", Root: "items", Row: "1 item"},
			xmlHead + "<items>\n<__item><b>1.50</b><a>x, &quot;y&quot;\n&lt;z&gt;</a><n><k>true</k><k></k></n></__item>\n" +
				"<__item><a>é</a><_h i-d=\"1&amp;2\">t</_h><l>1</l><l><m>2</m></l></__item>\n</items>\n",
		},
		{
			Document{Format: "rss", Title: "A & B", Description: "c", Transform: Transform{Fields: []string{"b"}}},
			xmlHead + "<rss version=\"2.0\"><channel>\n<title>A &amp; B</title>\n<description>c</description>\n<item><b>1.50</b></item>\n<item></item>\n</channel></rss>\n",
		},
		{
			Document{Format: "html", Transform: Transform{Fields: []string{"a"}}},
			"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body><table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n" +
				"<tr><td>x, &#34;y&#34;\n&lt;z&gt;</td></tr>\n<tr><td>é</td></tr>\n</tbody>\n</table></body></html>\n",
		},
	} {
		if got := written(t, test.d, sample...); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.d, got, test.want)
		}
	}
}

func TestDocumentsWithoutItems(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"json": "[]", "jsonl": "", "xml": xmlHead + "<i>\n</i>\n"} {
		if got := written(t, Document{Format: format, Root: "i", Row: "r"}); got != want {
			t.Errorf("%s: %q", format, got)
		}
	}
	for _, format := range []string{"csv", "html", "xlsx"} {
		for _, items := range [][]string{nil, {`{}`, `{"a":[]}`}} {
			if err := (&Document{Format: format}).Write(io.Discard, sourceOf(items...)); !errors.Is(err, ErrNoColumns) {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
	if got := written(t, Document{Format: "csv", Delimiter: ",", Transform: Transform{Fields: []string{"b", "a"}}}); got != "b,a\n" {
		t.Errorf("%q", got)
	}
}

func TestColumnsAreTheFirstInTheirOrder(t *testing.T) {
	t.Parallel()
	var items []string
	for i := range 5000 {
		items = append(items, fmt.Sprintf(`{"c%05d":1,"%s":2}`, (i*7919)%5000, strings.Repeat("a", 201)))
	}
	head, _, _ := strings.Cut(written(t, Document{Format: "csv", Delimiter: ","}, items...), "\n")
	columns := strings.Split(head, ",")
	if len(columns) != 2000 || columns[0] != "c00000" || columns[1999] != "c01999" {
		t.Errorf("%d columns from %s to %s", len(columns), columns[0], columns[len(columns)-1])
	}
}

// sheet reads a workbook back, cells by their names.
func sheet(t testing.TB, workbook string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Cells []struct {
			R  string `xml:"r,attr"`
			T  string `xml:"t,attr"`
			V  string `xml:"v"`
			Is string `xml:"is>t"`
		} `xml:"sheetData>row>c"`
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var any struct{}
		if err := xml.Unmarshal(data, &any); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if strings.Contains(f.Name, "sheet1") {
			if err := xml.Unmarshal(data, &doc); err != nil {
				t.Fatal(err)
			}
		}
	}
	cells := map[string]string{}
	for _, c := range doc.Cells {
		cells[c.R] = c.T + ":" + c.V + c.Is
	}
	return cells
}

func TestAWorkbookHasTheValuesInTheirCells(t *testing.T) {
	t.Parallel()
	cells := sheet(t, written(t, Document{Format: "xlsx"},
		`{"a":" x\u0001<","b":1.5,"c":true,"d":12345678901234567890,"e":1e999,"f":null}`, `{"c":false,"a":"`+strings.Repeat("é", maxCell+5)+`"}`))
	want := map[string]string{
		"A1": "inlineStr:a", "B1": "inlineStr:b", "C1": "inlineStr:c", "D1": "inlineStr:d", "E1": "inlineStr:e", "F1": "inlineStr:f",
		"A2": "inlineStr: x\ufffd<", "B2": ":1.5", "C2": "b:1", "D2": "inlineStr:12345678901234567890", "E2": "inlineStr:1e999",
		"A3": "inlineStr:" + strings.Repeat("é", maxCell), "C3": "b:0",
	}
	for at, value := range want {
		if cells[at] != value {
			t.Errorf("%s is %.40q, want %.40q", at, cells[at], value)
		}
	}
	if len(cells) != len(want) {
		t.Errorf("%d cells, want %d", len(cells), len(want))
	}
	cells = sheet(t, written(t, Document{Format: "xlsx"}, `{"a":"_x0041_ _X0041_ _x0041","b":"1\r\n2","_x0042_":""}`))
	for at, want := range map[string]string{"A1": "inlineStr:_x005F_x0042_", "B2": "inlineStr:_x005F_x0041_ _X0041_ _x0041", "C2": "inlineStr:1_x000D_\n2"} {
		if cells[at] != want {
			t.Errorf("%s is %q, want %q", at, cells[at], want)
		}
	}
	for i, name := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA", 1999: "BXX"} {
		if columnLetters(i) != name {
			t.Errorf("column %d is %s, want %s", i, columnLetters(i), name)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAWriterThatFailsEndsTheDocument(t *testing.T) {
	t.Parallel()
	for _, format := range Names() {
		n := 0
		src := func(each func([]byte) error) error {
			for range 100_000 {
				if n++; n > 300_000 {
					t.Fatalf("%s goes on", format)
				}
				if err := each([]byte(`{"a":"0123456789"}`)); err != nil {
					return err
				}
			}
			return nil
		}
		d := Document{Format: format, Delimiter: ",", Root: "r", Row: "i"}
		if err := d.Write(failing{}, src); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// FuzzDocuments holds that every document of whatever item can be read.
func FuzzDocuments(f *testing.F) {
	for _, item := range append(slices.Clone(sample), `{"":{"@":{"":1,"!":2},"#":[1]},"\u0000":"\ufffe","a/b":{"":[[[]]]}}`, `{"@":1,"#":{}}`) {
		f.Add([]byte(item))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item, err := rawjson.Compact(nil, bytes.ToValidUTF8(raw, nil))
		if err != nil || item[0] != '{' {
			return
		}
		for _, format := range Names() {
			d := Document{Format: format, Delimiter: ",", Root: string(raw), Row: string(raw)}
			var b bytes.Buffer
			if err := d.Write(&b, sourceOf(string(item), string(item))); err != nil {
				if !errors.Is(err, ErrNoColumns) {
					t.Fatal(err)
				}
				continue
			}
			if err := readable(t, format, b.String()); err != nil {
				t.Fatalf("%s of %s: %v\n%s", format, item, err, b.String())
			}
		}
	})
}

func readable(t *testing.T, format, text string) error {
	switch format {
	case "json":
		return json.Unmarshal([]byte(text), new([]map[string]any))
	case "csv":
		r := csv.NewReader(strings.NewReader(text))
		all, err := r.ReadAll()
		if err == nil && len(all) > 3 {
			err = fmt.Errorf("%d lines", len(all))
		}
		return err
	case "xml", "rss":
		dec := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := dec.Token(); err == io.EOF {
				return nil
			} else if err != nil && !strings.Contains(err.Error(), "invalid XML name") && !strings.Contains(err.Error(), "expected element name") {
				return err
			} else if err != nil {
				return nil // names of the fifth edition, which encoding/xml does not know
			}
		}
	case "html":
		_, err := html.Parse(strings.NewReader(text))
		return err
	case "xlsx":
		sheet(t, text)
	}
	return nil
}
