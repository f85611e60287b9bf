package sight

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/pagedata"
)

func parse(t testing.TB, body string) pagedata.Data {
	t.Helper()
	d, err := Data(`<!doctype html><html lang="en"><head><title> A  page </title></head><body>`+body+`</body></html>`,
		"https://shop.example/a/b?c=d")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func texts(rows [][]pagedata.Cell) [][]string {
	var all [][]string
	for _, row := range rows {
		var line []string
		for _, c := range row {
			line = append(line, c.Text)
		}
		all = append(all, line)
	}
	return all
}

func values(d pagedata.Data) map[string]string {
	all := map[string]string{}
	for _, v := range d.Values {
		if !v.Weak {
			all[v.Label] = v.Value.Text
		}
	}
	return all
}

func TestTables(t *testing.T) {
	const head = `<tr><th>Name</th><th>Price</th></tr>`
	for name, test := range map[string]struct {
		html    string
		columns []string
		rows    [][]string
	}{
		"plain": {
			`<table><thead>` + head + `</thead><tbody><tr><td>Kettle</td><td>€20</td></tr><tr><td>Cup </td><td> €3</td></tr></tbody></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "€20"}, {"Cup", "€3"}},
		},
		"header by th only": {
			`<table>` + head + `<tr><td>Kettle</td><td>€20</td></tr></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "€20"}},
		},
		"header by looks": {
			`<table><tr><td>Name</td><td>Price</td></tr><tr><td>Kettle</td><td>20</td></tr></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "20"}},
		},
		"none": {
			`<table><tr><td>1</td><td>Kettle</td></tr><tr><td>2</td><td>Cup</td></tr></table>`,
			[]string{"", ""}, [][]string{{"1", "Kettle"}, {"2", "Cup"}},
		},
		"row headers": {
			`<table><tr><td></td><th>2024</th><th>2025</th></tr><tr><th>Kettles</th><td>3</td><td>4</td></tr></table>`,
			[]string{"name", "2024", "2025"}, [][]string{{"Kettles", "3", "4"}},
		},
		"spans": {
			`<table><thead><tr><th rowspan="2">Name</th><th colspan="2">Price</th></tr><tr><th>net</th><th>gross</th></tr></thead>
			 <tr><td rowspan="2">Kettle</td><td>20</td><td>24</td></tr><tr><td>21</td><td>25</td></tr></table>`,
			[]string{"Name", "Price net", "Price gross"}, [][]string{{"Kettle", "20", "24"}, {"Kettle", "21", "25"}},
		},
		"a span ends with its group": {
			`<table><thead><tr><th rowspan="5">Name</th><th>Price</th></tr></thead><tbody><tr><td>Kettle</td><td rowspan="5">20</td></tr></tbody><tbody><tr><td>Cup</td><td>3</td></tr></tbody></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "20"}, {"Cup", "3"}},
		},
		"hidden rows": {
			`<table>` + head + `<tr hidden><td>a</td><td>1</td></tr><tr style="DISPLAY: none"><td>b</td><td>2</td></tr><tr><td>c</td><td>3<script>x</script></td></tr></table>`,
			[]string{"Name", "Price"}, [][]string{{"c", "3"}},
		},
		"uneven": {
			`<table>` + head + `<tr><td>a</td></tr><tr><td>b</td><td>2</td><td>more</td></tr><tr></tr></table>`,
			[]string{"Name", "Price", ""}, [][]string{{"a", "", ""}, {"b", "2", "more"}},
		},
		"a foot and a remark over all columns": {
			`<table>` + head + `<tr><td>Kettle</td><td>€20</td></tr><tr><td colspan="2">No more</td></tr><tfoot><tr><td>Total</td><td>€20</td></tr></tfoot></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "€20"}},
		},
		"a title over all columns": {
			`<table><tr><th colspan="2">2026</th></tr>` + head + `<tr><td>Kettle</td><td>€20</td></tr></table>`,
			[]string{"Name", "Price"}, [][]string{{"Kettle", "€20"}},
		},
		"huge spans": {
			`<table>` + head + `<tr><td>k</td><td colspan="99999999" rowspan="-3">a</td></tr></table>`,
			append([]string{"Name", "Price"}, make([]string, 98)...), [][]string{strings.Split("k"+strings.Repeat(" a", 99), " ")},
		},
	} {
		d := parse(t, test.html)
		if len(d.Tables) != 1 {
			t.Errorf("%s: %d tables", name, len(d.Tables))
			continue
		}
		if diff := cmp.Diff(test.columns, d.Tables[0].Columns); diff != "" {
			t.Errorf("%s: columns %s", name, diff)
		}
		if diff := cmp.Diff(test.rows, texts(d.Tables[0].Rows)); diff != "" {
			t.Errorf("%s: rows %s", name, diff)
		}
	}
}

func TestTablesOfTwoColumnsMayBeLabelledValues(t *testing.T) {
	d := parse(t, `<table><tr><th>Price</th><td>€20</td></tr><tr><th scope="row">Weight:</th><td>1 kg</td></tr></table>`)
	if diff := cmp.Diff(map[string]string{"Price": "€20", "Weight": "1 kg"}, values(d)); diff != "" || len(d.Tables) != 0 {
		t.Error(diff, d.Tables)
	}
}

func TestLayoutTablesAreWalkedThrough(t *testing.T) {
	d := parse(t, `<table><tr><td><h2>Left</h2><table><tr><th>A</th></tr><tr><td>1</td></tr></table></td><td><p>Price: 5</p></td></tr></table>`)
	if len(d.Tables) != 1 || d.Tables[0].Name != "Left" || values(d)["Price"] != "5" {
		t.Errorf("%+v", d)
	}
}

func TestTableNames(t *testing.T) {
	const rows = `<tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>`
	for html, want := range map[string]string{
		`<h2>Stock</h2><table>` + rows:                                                    "Stock",
		`<h2>Stock</h2><table aria-label="Prices">` + rows:                                "Prices",
		`<h2>Stock</h2><table aria-label="x"><caption>All <b>prices</b></caption>` + rows: "All prices",
		`<h1>Shop</h1><nav><h2>Menu</h2></nav><table>` + rows:                             "Shop",
		`<table>` + rows: "",
	} {
		if d := parse(t, html); d.Tables[0].Name != want {
			t.Errorf("%s: %q, want %q", html, d.Tables[0].Name, want)
		}
	}
}

func TestLinksAndImagesAreAbsolute(t *testing.T) {
	d := parse(t, `<table><tr><th>Name</th></tr><tr><td><a href="../k?x=1#y"><img src="//cdn.example/k.png" alt="A"> Kettle</a></td></tr>
		<tr><td><a href="javascript:alert(1)">Bad</a></td></tr></table>`)
	want := [][]pagedata.Cell{
		{{Text: "A Kettle", URL: "https://shop.example/k?x=1#y", Image: "https://cdn.example/k.png"}},
		{{Text: "Bad"}},
	}
	if diff := cmp.Diff(want, d.Tables[0].Rows); diff != "" {
		t.Error(diff)
	}
	based, err := Data(`<base href="https://other.example/x/"><table><tr><th>N</th></tr><tr><td><a href="y">z</a></td></tr></table>`, "https://shop.example")
	if err != nil || based.Tables[0].Rows[0][0].URL != "https://other.example/x/y" {
		t.Errorf("%+v, %v", based, err)
	}
}

func TestLabelledValues(t *testing.T) {
	for html, want := range map[string]map[string]string{
		`<dl><dt>Price</dt><dd>€20</dd><dt>Colours</dt><dd>red</dd><dd>blue</dd></dl>`:                                            {"Price": "€20", "Colours": "red, blue"},
		`<dl><div><dt>Price:</dt><dd>€20</dd></div><div><dt>A</dt><dt>B</dt><dd>1</dd></div></dl>`:                                {"Price": "€20", "A": "1", "B": "1"},
		`<p>Price: €20</p><p><strong>In stock:</strong> 12 pieces</p>`:                                                            {"Price": "€20", "In stock": "12 pieces"},
		`<ul><li>Price: €20</li><li><b>SKU</b>: A-1</li></ul>`:                                                                    {"Price": "€20", "SKU": "A-1"},
		`<div><span class="spec-label">Price</span><span>€20</span></div>`:                                                        {"Price": "€20"},
		`<div><em>Price</em><em class="value">€20</em></div>`:                                                                     {"Price": "€20"},
		`<span itemprop="price" content="20.00">twenty</span><time itemprop="date" datetime="2026-01-02">2.1.</time>`:             {"price": "20.00", "date": "2026-01-02"},
		`<label for="q">Amount *</label><input id="q" value="3"><label>Size <select><option>S<option selected>M</select></label>`: {"Amount": "3", "Size": "M"},
		`<p>A</p><label><input name="n"> Name</label><label> <input value="7"> Days</label>`:                                      {"Days": "7"},
		`<label for="p">Password</label><input id="p" type="password" value="hunter22">`:                                          {},
		`<label for="c">Agreed</label><input id="c" type="checkbox" checked>`:                                                     {"Agreed": "yes"},
		`<p>See https://example.com: it is 10:30</p><p>Open 10:30</p><p>A: b and C: d</p>`:                                        {},
		`<p style="display:none">Price: €20</p><template><p>Price: €20</p></template>`:                                            {},
		`<p>` + strings.Repeat("word ", 30) + `: x</p>`:                                                                           {},
	} {
		if diff := cmp.Diff(want, values(parse(t, html))); diff != "" {
			t.Errorf("%s: %s", html, diff)
		}
	}
}

func TestClassNamesAreWeakLabels(t *testing.T) {
	d := parse(t, `<header><b class="logo">Shop</b></header><main><p class="price x1">€20</p><p class="price">€30</p></main>`)
	want := []pagedata.Value{{Label: "price", Value: pagedata.Cell{Text: "€20"}, Weak: true}}
	if diff := cmp.Diff(want, d.Values); diff != "" {
		t.Error(diff)
	}
}

func TestLists(t *testing.T) {
	for name, test := range map[string]struct {
		html    string
		columns []string
		rows    [][]string
	}{
		"cards in a list": {
			`<ul class="cards"><li><a href="/1">Kettle</a> <span class="price">€20</span></li><li><a href="/2">Cup</a> <span class="price">€3</span></li></ul>`,
			[]string{"name", "price"}, [][]string{{"Kettle", "€20"}, {"Cup", "€3"}},
		},
		"cards": {
			`<div><div class="card big"><h3>Kettle</h3><p>Stock: 3</p></div><div class="card"><h3>Cup</h3><p>Stock: 9</p></div></div>`,
			[]string{"name", "Stock"}, [][]string{{"Kettle", "3"}, {"Cup", "9"}},
		},
		"plain": {
			`<ol><li>one</li><li>two <b>words</b></li></ol>`,
			[]string{"text"}, [][]string{{"one"}, {"two words"}},
		},
		"missing part": {
			`<ul><li><h3>A</h3><i class="new">new</i></li><li><h3>B</h3></li></ul>`,
			[]string{"name", "new"}, [][]string{{"A", "new"}, {"B", ""}},
		},
	} {
		d := parse(t, test.html)
		if len(d.Tables) != 1 || !d.Tables[0].List {
			t.Errorf("%s: %+v", name, d.Tables)
			continue
		}
		if diff := cmp.Diff(test.columns, d.Tables[0].Columns); diff != "" {
			t.Errorf("%s: columns %s", name, diff)
		}
		if diff := cmp.Diff(test.rows, texts(d.Tables[0].Rows)); diff != "" {
			t.Errorf("%s: rows %s", name, diff)
		}
	}
}

func TestColumnsOfALayoutAreNoList(t *testing.T) {
	d := parse(t, `<div class="row"><div class="col"><h2>Left</h2><table><tr><th>A</th></tr><tr><td>1</td></tr></table></div>
		<div class="col"><h2>Right</h2><dl><dt>Price</dt><dd>5</dd></dl></div></div>`)
	if len(d.Tables) != 1 || d.Tables[0].Name != "Left" || values(d)["Price"] != "5" {
		t.Errorf("%+v", d)
	}
	if d := parse(t, `<nav><ul><li>Home</li><li>About</li></ul></nav>`); len(d.Tables) != 0 {
		t.Errorf("a menu is data: %+v", d.Tables)
	}
}

func TestWhatTheBrowserHidesIsLeftOut(t *testing.T) {
	d := parse(t, `<h2></h2><h2>Stock</h2><table><tr><th>Name</th><th>State</th></tr><tr class="gone"><td><a href="/kettle"></a></td><td></td></tr>
		<tr><td>Cup <b>new</b></td><td aria-label="yes">✓</td></tr></table><p class="gone"></p><div><em>Price</em><em class="value"></em></div>
		<ul><li><a href="/x"><img src="x.png" alt="x" hidden></a></li><li>Cup</li></ul>`) // as [browser.Session.VisibleHTML] writes it
	if len(d.Headings) != 1 || len(d.Values) != 0 || len(d.Tables) != 2 {
		t.Fatalf("%+v", d)
	}
	if diff := cmp.Diff([][]string{{"Cup new", "✓"}}, texts(d.Tables[0].Rows)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"Cup"}}, texts(d.Tables[1].Rows)); diff != "" {
		t.Error(diff)
	}
}

func TestHead(t *testing.T) {
	d := parse(t, `<h1>Shop <small>of things</small></h1><h3> </h3>`)
	if d.Title != "A page" || d.Lang != "en" || d.URL != "https://shop.example/a/b?c=d" {
		t.Errorf("%+v", d)
	}
	if diff := cmp.Diff([]pagedata.Heading{{Level: 1, Text: "Shop of things"}}, d.Headings); diff != "" {
		t.Error(diff)
	}
}

func TestText(t *testing.T) {
	got, err := Text(`<head><title>x</title></head><body><h1>Shop</h1><p>One<br>two <b>thr</b>ee <img alt="cat"></p>
		<script>no</script><p hidden>no</p><textarea> in
		a field</textarea><input type=password value=no><ul><li>a<li>b</ul></body>`)
	if want := "Shop\nOne\ntwo three cat\nin a field\na\nb"; err != nil || got != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}

func bigTable(rows int) string {
	var b strings.Builder
	b.WriteString(`<h1>Stock</h1><p>Price: 5</p><table><tr><th>Name</th><th>Price</th></tr>`)
	for i := range rows {
		fmt.Fprintf(&b, `<tr><td><a href="/p/%d">Product %d</a></td><td>€%d.50</td></tr>`, i, i, i)
	}
	return b.String() + `</table><ul><li>last one</li></ul>`
}

func TestPagesAddUpToTheWhole(t *testing.T) {
	whole := parse(t, bigTable(500))
	var sum pagedata.Data
	pages := 0
	for offset := 0; pages == 0 || offset != 0; pages++ {
		raw, err := whole.Page(offset, 4000)
		if err != nil || len(raw) > 4500 {
			t.Fatalf("page at %d has %d bytes, %v", offset, len(raw), err)
		}
		var page pagedata.Data
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		sum.Add(page)
		offset = page.Next
	}
	if diff := cmp.Diff(whole, sum); diff != "" || pages < 5 {
		t.Errorf("%d pages: %s", pages, diff)
	}
}

func TestAPageHoldsAtLeastOneRow(t *testing.T) {
	d := parse(t, bigTable(3))
	raw, err := d.Page(1, 1)
	var page pagedata.Data
	if err := json.Unmarshal(raw, &page); err != nil {
		t.Fatal(err)
	}
	if err != nil || page.Next != 2 || len(page.Tables) != 1 || page.Tables[0].From != 1 || page.Tables[0].Total != 3 || len(page.Values) != 0 {
		t.Errorf("%s, %v", raw, err)
	}
	if raw, err = d.Page(99, 100); err != nil || strings.Contains(string(raw), "rows") {
		t.Errorf("behind the end: %s, %v", raw, err)
	}
}

func TestATableWithTooManyRowsIsIncomplete(t *testing.T) {
	if d := parse(t, bigTable(20_000-2)); d.Incomplete {
		t.Error("a table that was read to its end is incomplete")
	}
	if d := parse(t, bigTable(20_000+1)); !d.Incomplete || len(d.Tables[0].Rows) > 20_000 {
		t.Errorf("%d rows, incomplete %v", len(d.Tables[0].Rows), d.Incomplete)
	}
}

func TestCellsMarshal(t *testing.T) {
	for want, c := range map[string]pagedata.Cell{
		`"a <b> & c"`: {Text: "a <b> & c"},
		`{"text":"a","url":"https://x/?a=1&b=2"}`: {Text: "a", URL: "https://x/?a=1&b=2"},
		`{"text":"","image":"https://x/y.png"}`:   {Image: "https://x/y.png"},
	} {
		raw, err := c.MarshalJSON()
		var back pagedata.Cell
		if err != nil || string(raw) != want || json.Unmarshal(raw, &back) != nil || back != c {
			t.Errorf("%s, want %s, back %+v, %v", raw, want, back, err)
		}
	}
}

func TestMapReachesEveryText(t *testing.T) {
	d := parse(t, bigTable(2)+`<p class="weak">x</p><img src="/secret.png">`)
	d.Map(func(s string) string { return strings.Repeat("#", len(s)) })
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Product", "Stock", "shop.example", "Price", "Name", "page", "last"} {
		if strings.Contains(string(raw), text) {
			t.Errorf("%q is left in %s", text, raw)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(bigTable(3))
	f.Add(`<ul><li hidden><ul><li><dl><dt>a<dd>b</ul></ul><table><tr><td rowspan=2 colspan=3>x<tr><th>y</table>`)
	f.Add(`<div><div class=a><p>x<p>y</div><div class=a><p>x<p>y</div></div><label for=x>l</label><input id=x value=1>`)
	f.Fuzz(func(t *testing.T, html string) {
		d, err := Data(html, "https://a.example/")
		if err != nil {
			return
		}
		raw, err := d.Page(0, 2000)
		if err != nil {
			t.Fatal(err)
		}
		var back pagedata.Data
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		for _, table := range d.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Fatalf("%d cells under %d columns", len(row), len(table.Columns))
				}
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, html := range map[string]string{
		"table": bigTable(5000),
		"spans": strings.Repeat(strings.Repeat("<span class=abc>", 400)+"x"+strings.Repeat("</span>", 400), 200),
		"lists": strings.Repeat(strings.Repeat("<ul><li>a<li>", 150)+"x"+strings.Repeat("</ul>", 150), 200),
		"cards": strings.Repeat(strings.Repeat("<div class=a><p>x</p><div class=a><p>y</p>", 200)+strings.Repeat("</div></div>", 200), 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(html)))
			for b.Loop() {
				parse(b, html)
			}
		})
	}
}

func TestPartsOfThePage(t *testing.T) {
	d := parse(t, `<h1>Kettle</h1><p>Price: €20</p><section><h2>Related products</h2><p>Cost: €3</p><h3>Cup</h3><p>Size: 1</p></section><p>Weight: 1 kg</p>
		<h2>You may also like</h2><p>Colour: red</p><h2>Related information</h2><p>Power: 5 W</p><aside><p>Tip: none</p></aside><nav><p>Shop: all</p></nav><footer><p>Phone: 1</p></footer>`)
	got := map[string]pagedata.Part{}
	for _, v := range d.Values {
		got[v.Label] = v.Part
	}
	want := map[string]pagedata.Part{"Price": "", "Cost": pagedata.Related, "Size": pagedata.Related, "Weight": "", "Colour": pagedata.Related, "Power": "", "Tip": pagedata.Aside, "Shop": pagedata.Navigation, "Phone": pagedata.Footer}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
