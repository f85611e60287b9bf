package blocks

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

func parse(s string) (*html.Node, error) {
	return tree.Parse(context.Background(), s, tree.Options{})
}

func read(t *testing.T, page string) *Page {
	t.Helper()
	doc, err := parse(page)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(doc, nil, func(int) {}, parse)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func textsOf(p *Page) (out []string) {
	for i := range p.Blocks {
		var b strings.Builder
		for _, n := range p.Texts(i) {
			b.WriteString(n.Data)
		}
		out = append(out, strings.Join(strings.Fields(b.String()), " "))
	}
	return out
}

func TestBlocksBeginWhereLinesDo(t *testing.T) {
	for page, want := range map[string][]string{
		"<p>one <b>two</b> <a href=x>three</a></p><p>four":     {"one two three", "four"},
		"<div>before<ul><li>item</ul>behind</div>":             {"before", "item", "behind"},
		"<div>one<div></div>two</div>":                         {"one", "two"},
		"<table><tr><td>a<td>b</table>":                        {"a", "b"},
		"a<script>b</script><style>c</style><select><option>d": {"a"},
		"<my-card>a</my-card><my-card>b</my-card>":             {"a", "b"},
		"<p hidden>late</p><p>now":                             {"late", "now"},
		"<svg><text>drawn</text></svg>":                        nil,
		"":                                                     nil,
	} {
		if diff := cmp.Diff(want, textsOf(read(t, page))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", page, diff)
		}
	}
}

func TestANoscriptElementThatHoldsThePageIsRead(t *testing.T) {
	post := "<p>" + strings.Repeat("Words of a post. ", 80) + "</p>"
	if p := read(t, "<div>Loading</div><noscript>"+post+"</noscript>"); len(p.Blocks) != 1 || p.Blocks[0].Words != 320 {
		t.Errorf("%q", textsOf(p))
	}
	if p := read(t, post+"<noscript>"+post+"</noscript>"); len(p.Blocks) != 1 || p.Root.FirstChild.NextSibling != nil {
		t.Errorf("%q", textsOf(p))
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, " - ": 0, "one two": 2, "a-b c3": 3, "snake_case": 1, "日本語の文": 3, "дом и сад": 3} {
		var s style
		if got := s.read(text); got != want {
			t.Errorf("%q: %d words, want %d", text, got, want)
		}
	}
}

func TestNamesAreReadInAllTheirForms(t *testing.T) {
	for _, name := range []string{"sidebar", "Sidebar", "left-sidebar2", "siteSidebar", "x_sidebars", "a sidebar b"} {
		if readNames(name)&kindOf("sidebar") == 0 {
			t.Errorf("%q is no sidebar", name)
		}
	}
	for _, name := range []string{"sidebarish", "", "123"} {
		if v := readNames(name); v&kindOf("sidebar") == kindOf("sidebar") {
			t.Errorf("%q is a sidebar", name)
		}
	}
}

func TestTypesAreReadFromBrokenJSON(t *testing.T) {
	var f facts
	f.readTypes(`{"@type": ["Product", "Thing"], "offers": {"@type":"Offer",}, // no JSON
		"@type"  :  "https://schema.org/Article", "@type": 7, "@type": "Unknown"`)
	if f.schema[1] != 2 || f.schema[0] != 1 {
		t.Error(f.schema)
	}
}

// Kept are the blocks with which the expected score is highest: a long one in
// doubt is worth more than none.
func TestChoose(t *testing.T) {
	p := &Page{Blocks: []Block{{Words: 100}, {Words: 100}, {Words: 10}}, step: func(int) {}}
	for _, c := range []struct {
		likely []float32
		want   []bool
	}{
		{[]float32{0.9, 0.1, 0.9}, []bool{true, false, true}},
		{[]float32{0.3, 0.1, 0.05}, []bool{true, false, false}},
		{[]float32{1, 0.3, 0}, []bool{true, false, false}},
		{[]float32{1, 0.6, 0}, []bool{true, true, false}},
		{[]float32{0, 0, 0}, []bool{false, false, false}},
	} {
		if diff := cmp.Diff(c.want, p.Choose(c.likely)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.likely, diff)
		}
	}
}

// TestMemoryIsAskedForOnce holds that a large page is cut without growing its
// lists, which would take several times their memory.
func TestMemoryIsAskedForOnce(t *testing.T) {
	for name, piece := range map[string]string{"terms": "<dt>a<dd>b", "cells": "<tr><td>a<td>b", "phrases": "<p>a <b>b</b> c</p>"} {
		p := read(t, "<main><table><dl>"+strings.Repeat(piece, 20_000))
		for _, c := range []struct {
			what      string
			len, room int
		}{{"blocks", len(p.Blocks), cap(p.Blocks)}, {"elements", len(p.elems), cap(p.elems)}, {"texts", len(p.texts), cap(p.texts)}} {
			if c.len == 0 || c.room < c.len || c.room > c.len*21/20+100 && c.what != "blocks" || c.room > 2*c.len+100 {
				t.Errorf("%s: room for %d %s, and %d are there", name, c.room, c.what, c.len)
			}
		}
	}
}
