package pdftext

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// objects writes a document of objects by number, the first being the catalogue.
// The table of where they are is left out: nobody believes it.
func document(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer\n<</Root 1 0 R>>\n%%EOF\n")
	return b.Bytes()
}

func packed(data, more string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return fmt.Sprintf("<</Length %d/Filter/FlateDecode%s>>stream\n%s\nendstream", b.Len(), more, b.String())
}

func plainStream(data, more string) string {
	return fmt.Sprintf("<</Length %d%s>>stream\n%s\nendstream", len(data), more, data)
}

const (
	catalog = `<</Type/Catalog/Pages 2 0 R>>`
	onePage = `<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>`
	leaf    = `<</Type/Page/Parent 2 0 R/Contents 4 0 R>>`
	plain   = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>`
)

func read(t *testing.T, data []byte) Document {
	t.Helper()
	d, err := Read(t.Context(), data, Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return d
}

func TestTextIsRead(t *testing.T) {
	t.Parallel()
	unicode := plainStream("/CIDInit begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0047> <0002> <D83DDE00> endbfchar "+
		"2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<00DF> <00660069>] endbfrange endcmap", "")
	for name, c := range map[string]struct {
		content, font, more string
		want                string
	}{
		"one line":         {`BT /F 12 Tf 72 700 Td (Hello, \(world\)\041) Tj ET`, plain, "", "Hello, (world)!"},
		"lines":            {`BT /F 12 Tf 72 700 Td (One) Tj 0 -14 Td (Two) Tj 14 TL T* (Three) Tj (Four) ' ET`, plain, "", "One\nTwo\nThree\nFour"},
		"paragraphs":       {`BT /F 10 Tf 72 700 Td (One) Tj 0 -40 Td (Two) Tj ET`, plain, "", "One\n\nTwo"},
		"kerned":           {`BT /F 12 Tf 72 700 Td [(W) 80 (or) -20 (ld) -400 (again)] TJ ET`, plain, "", "World again"},
		"columns":          {`BT /F 12 Tf 72 700 Td (Left) Tj 200 0 Td (Right) Tj ET`, plain, "", "Left Right"},
		"placed by itself": {`BT /F 12 Tf 1 0 0 1 72 700 Tm (A) Tj 1 0 0 1 80 700 Tm (B) Tj ET`, plain, "", "A B"},
		"windows":          {`BT /F 12 Tf (\200 caf\351 \223x\224) Tj ET`, plain, "", "€ café “x”"},
		"mac":              {`BT /F 12 Tf (caf\216) Tj ET`, strings.Replace(plain, "WinAnsi", "MacRoman", 1), "", "café"},
		"differences":      {`BT /F 12 Tf (\001\002\003\004\005A) Tj ET`, `<</Type/Font/Subtype/Type1/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/eacute/fi/uni20AC/g7/Zcaron.sc]>>>>`, "", "éfi€ŽA"},
		"a map":            {`BT /F 12 Tf <000100020010001100120020002100ff> Tj ET`, `<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R>>`, unicode, "G😀abcßfi"},
		"a form":           {`q 1 0 0 1 10 10 cm /X Do Q BT /F 12 Tf 0 700 Td (behind) Tj ET`, plain, plainStream(`BT /F 12 Tf 0 500 Td (inside) Tj ET`, "/Subtype/Form"), "inside\n\nbehind"},
		"a picture":        {"BT /F 12 Tf (before) Tj ET BI /W 1 /H 1 ID \x00(x) Tj \nEI BT 0 100 Td (after) Tj ET", plain, "", "before\n\nafter"},
		"nothing":          {``, plain, "", ""},
		"no font":          {`BT /G 12 Tf (x) Tj ET`, plain, "", ""},
		"a form in itself": {`/X Do`, plain, plainStream(`BT /F 12 Tf (x) Tj ET /X Do`, "/Subtype/Form"), strings.Repeat("x", maxDepth)},
	} {
		for how, stream := range map[string]string{"plain": plainStream(c.content, ""), "packed": packed(c.content, ""), "no length": "<<>>stream\n" + c.content + "\nendstream"} {
			d := read(t, document(catalog, onePage, leaf, stream, c.font, c.more))
			got := strings.Join(d.Pages, "|")
			if name == "a form in itself" {
				got = strings.ReplaceAll(strings.ReplaceAll(got, "\n", ""), " ", "")
			}
			if got != c.want || d.Cut {
				t.Errorf("%s, %s: %q, want %q", name, how, got, c.want)
			}
		}
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	for filter, data := range map[string]string{
		"ASCIIHexDecode": "4254 2f46 2031 3220 5466 2028 4869 2920 546a 2045 54>",
		"ASCII85Decode":  "6<@T50d(:>+ED%7+>YPk?X@fi+<X9!+E1b/7S5~>",
		// "-----A---B", the example of the specification, is no content, and says nothing.
		"LZWDecode": "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01",
	} {
		d := read(t, document(catalog, onePage, leaf, plainStream(data, "/Filter/"+filter), plain))
		want := "Hi"
		if filter == "LZWDecode" {
			want = ""
			if got := unlzw([]byte(data), 100); string(got) != "-----A---B" {
				t.Errorf("%q", got)
			}
		}
		if filter == "ASCII85Decode" {
			continue // see TestBase85
		}
		if d.Pages[0] != want {
			t.Errorf("%s: %q", filter, d.Pages[0])
		}
	}
	if got := unbase85([]byte("<~87cURD]i,\"Ebo80~>")); string(got) != "Hello World!" {
		t.Errorf("%q", got)
	}
	row := []byte{2, 1, 2, 3, 2, 1, 1, 1, 1, 5, 1, 1}
	if got := (&file{limits: Limits{}}).unpredict(append(row, 0), dict{"Predictor": 12.0, "Columns": 3.0}); !bytes.Equal(got, []byte{1, 2, 3, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("%v", got)
	}
}

// Objects can be packed with others; those that come later count.
func TestPackedAndChangedObjects(t *testing.T) {
	t.Parallel()
	first := fmt.Sprintf("2 0 3 %d ", len(onePage)+1)
	objStm := packed(first+onePage+" "+leaf, fmt.Sprintf("/Type/ObjStm/N 2/First %d", len(first)))
	data := []byte("%PDF-1.7\n1 0 obj" + catalog + "endobj 9 0 obj" + objStm + "endobj 4 0 obj" + plainStream("BT /F 9 Tf (old) Tj ET", "") +
		"endobj 5 0 obj" + plain + "endobj 4 0 obj" + plainStream("BT /F 9 Tf (new) Tj ET", "") + "endobj 10 0 obj" + packed("", "/Type/XRef/Root 1 0 R") + "endobj")
	if d := read(t, data); d.Pages[0] != "new" {
		t.Errorf("%q", d.Pages)
	}
}

func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	bomb := packed(strings.Repeat(" ", 16<<20), "")
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"none":             {[]byte("<html>"), ErrNoPDF},
		"empty":            {nil, ErrNoPDF},
		"no pages":         {document(catalog, `<</Kids[]>>`), ErrNoPDF},
		"encrypted":        {[]byte("%PDF-1.4\n1 0 obj" + catalog + "endobj trailer <</Root 1 0 R/Encrypt 5 0 R>>"), ErrEncrypted},
		"a tree in itself": {document(catalog, `<</Kids[2 0 R 2 0 R]>>`), ErrNoPDF},
		"references":       {document(`2 0 R`, `1 0 R`), ErrNoPDF},
		"nested":           {document(catalog, onePage, leaf, plainStream(strings.Repeat("[", 1<<17), ""), plain), nil},
		"bombs":            {document(catalog, `<</Kids[3 0 R]>>`, `<</Contents[4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R]>>`, bomb), nil},
		"many trailers":    {append(document(catalog, onePage, leaf, plainStream("", ""), plain), strings.Repeat("trailer<<", 1<<17)...), nil},
		"open streams":     {append(document(catalog, onePage, leaf, plainStream("", ""), plain), strings.Repeat("7 0 obj<</ObjStm 1>>stream ", 1<<16)...), nil},
		"wide ranges":      {document(catalog, onePage, leaf, plainStream("BT /F 9 Tf <"+strings.Repeat("ff", 1<<18)+"> Tj ET", ""), `<</Subtype/Type0/ToUnicode 6 0 R>>`, plainStream("beginbfrange "+strings.Repeat("<00> <7f> <0041> ", 60_000)+"endbfrange", "")), nil},
		"kids of kids":     {document(catalog, `<</Kids 3 0 R>>`, "["+strings.Repeat("<</Kids 3 0 R>>", 1000)+"]"), ErrNoPDF},
		"open texts":       {append(document(catalog, onePage, leaf, plainStream("", ""), plain), strings.Repeat("7 0 obj(ObjStm ", 1<<16)...), ErrNoPDF},
		"long remarks":     {append(document(catalog, onePage, leaf, plainStream("", ""), plain), strings.Repeat("7 0 obj%ObjStm ", 1<<16)...), ErrNoPDF},
		"fonts in place":   {document(catalog, `<</Kids[3 0 R]/Resources<</Font<</F<</Encoding<</Differences 5 0 R>>>>>>>>>>`, leaf, plainStream(strings.Repeat("/F 1 Tf ", 100_000), ""), "["+strings.Repeat("/a ", 100_000)+"]"), nil},
		"pages of much":    {document(catalog, `<</Kids[`+strings.Repeat("<</Contents[4 0 R 4 0 R 4 0 R 4 0 R]>>", 1000)+`]>>`, leaf, plainStream(strings.Repeat(" ", 2<<20), "")), nil},
		"wide widths":      {document(catalog, onePage, leaf, plainStream("BT /F 9 Tf (x) Tj ET", ""), `<</Subtype/Type0/DescendantFonts[<</W[`+strings.Repeat("0 99999999 5 ", 50_000)+`]>>]>>`), nil},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), testlevel.Loaded(10*time.Second))
		d, err := Read(ctx, c.data, Limits{Steps: 500_000, Unpacked: 20 << 20})
		cancel()
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if len(strings.Join(d.Pages, "")) > 5<<20 {
			t.Errorf("%s: too much text", name)
		}
	}
	kids := "<</Kids[" + strings.Repeat("3 0 R ", 2) + strings.Repeat("<<>> ", 100) + "]>>"
	if d, err := Read(t.Context(), document(catalog, kids, leaf), Limits{Pages: 10}); err != nil || len(d.Pages) != 10 || !d.Cut {
		t.Errorf("%d pages, cut %t, %v", len(d.Pages), d.Cut, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, document(catalog, onePage, leaf, plainStream("", ""), plain), Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(document(catalog, onePage, leaf, plainStream("BT /F 9 Tf (x) Tj ET", ""), plain))
	f.Add(document(catalog, onePage, leaf, packed("BT /F 9 Tf [(x) 5 <41>] TJ ET", ""), `<</Subtype/Type0/ToUnicode 4 0 R/DescendantFonts[<</W[1[2 3]4 5 6]>>]>>`))
	f.Add([]byte("%PDF-1.7 9 0 obj<</Type/ObjStm/N 2/First 5>>stream\n1 0 2 3endstream 1 0 obj<</Pages 2 0 R>>"))
	limits := Limits{Pages: 5, Text: 1000, Objects: 100, Unpacked: 1 << 16, Steps: 10_000}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(t.Context(), data, limits)
		if err != nil && !errors.Is(err, ErrNoPDF) && !errors.Is(err, ErrEncrypted) {
			t.Error(err)
		}
		if err != nil && strings.Contains(err.Error(), "runtime error") {
			t.Error(err)
		}
		if len(d.Pages) > 5 {
			t.Errorf("%d pages", len(d.Pages))
		}
	})
}
