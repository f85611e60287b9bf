package address

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/meta"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

func read(t testing.TB, at, src string) []*graph.Entity {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(context.Background(), doc, u, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []*graph.Entity
	if err := p.Meter.Run(func() error { got = Read(p, meta.Read(p)); return nil }); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ at, page, want string }{
		{"/deal/4548094738", `<input name="dealId" value="4548094738">`, "4548094738"},
		{"/deal/4548094738", `<p>4548094738</p><a href="/x/4548094738">x</a>`, ""},
		{"/store/122725?pid=260591", `<div data-store-id="122725" data-id="260591"></div>`, "260591"},
		{"/shoes?cid=260591&utm_campaign=998877", `<div data-id="260591" data-x="998877"></div>`, ""},
		{"/M67296549.htm", `<meta itemprop="productID" content="M67296549">`, "M67296549"},
		{"/gin-puzzle-500-pieces/p3897500", `<div data-product-id="3897500"></div>`, "3897500"},
		{"/tv/c7200a278526196/remote.html", `<script>var x = {"adId": 278526196, "cat": 7200}</script>`, "278526196"},
		{"/Prod/101693/", `<script>push({"mpn":"101693"})</script>`, "101693"},
		{"/Prod/101693/", `<script>push({"time":"101693", "x": 9101693})</script>`, ""},
		{"/blog/2024/lamps", `<input name="id" value="2024">`, ""},
		{"/lamp/750", `<div data-width="750"></div>`, ""},
		{"/lamp/750", `<div data-item-id="750"></div>`, "750"},
		{"/page", `<link rel="canonical" href="/dp/B0756B4GVG"><input id="x" value="b0756b4gvg">`, "b0756b4gvg"},
		{"/page", `<meta property="og:url" content="https://example.com/i/998877"><option value="998877">`, "998877"},
	} {
		got := read(t, "https://example.com"+c.at, c.page)
		text := ""
		if len(got) > 0 {
			text = got[0].Get(graph.AddressNumber)[0].Text
		}
		if text != c.want {
			t.Errorf("%s with %s: got %q, want %q", c.at, c.page, text, c.want)
		}
	}
}

// TestManyNumbersTakeLittle holds that the work grows with the page and not
// with what the address has times the page.
func TestManyNumbersTakeLittle(t *testing.T) {
	at := "https://example.com/" + strings.Repeat("12345-", 300)
	src := strings.Repeat(`<i data-x="123456"></i>`, 2000) + "<script>" + strings.Repeat("12345 ", 50_000) + "</script>"
	if got := read(t, at, src); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("/a/12345-6?pid=99", `<input value=12345><script>{"id":"12345"}</script>`)
	f.Add("/%zz/ü123", `<meta content=123>`)
	f.Fuzz(func(t *testing.T, at, src string) {
		if _, err := url.Parse("https://example.com" + at); err != nil {
			return
		}
		for _, e := range read(t, "https://example.com"+at, src) {
			if e.Element == nil || len(e.Get(graph.AddressNumber)) != 1 {
				t.Errorf("got %v", e)
			}
		}
	})
}
