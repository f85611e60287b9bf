package shape

import (
	"context"
	"fmt"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// labelled is a page with n labels, and three that are wanted after them.
func labelled(n int) *graph.Graph {
	top := &graph.Entity{Source: graph.Document, Element: somewhere}
	add := func(name, text string) {
		top.Add(name, graph.Value{Text: text, Element: somewhere, Source: graph.Definition})
	}
	add("h1", "Index of terms")
	for i := range n {
		add(fmt.Sprintf("Term number %d", i), fmt.Sprint("It is ", i))
	}
	add("Price", "€12.50")
	add("Net weight (kg)", "3")
	add("Hersteller", "Acme")
	return &graph.Graph{Roots: []*graph.Entity{top}}
}

const askedOfLabels = `{"properties":{"name":{"type":"string"},"price":{"type":"number"},"netWeight":{"type":"number"},"brand":{"type":"string"},"sku":{"type":"string"},"author":{"type":"string"},"termNumber77":{"type":"string"},
	"a":{"type":"string","description":"The publication date"},"images":{"type":"array","items":{"type":"string"}},"rating":{"type":"object","properties":{"value":{"type":"number"}}}}}`

// TestPagesWithManyLabels holds that what is looked up in an index is what a
// search of every name finds, and that a page of some megabytes of labels takes
// a small part of the steps that there are.
func TestPagesWithManyLabels(t *testing.T) {
	s, err := schema.Compile([]byte(askedOfLabels), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps := map[int]int{}
	for n, want := range map[int]string{
		20:     `{"name":"Index of terms","price":12.5,"netWeight":3,"brand":"Acme"}`,
		100:    `{"name":"Index of terms","price":12.5,"netWeight":3,"brand":"Acme","termNumber77":"It is 77"}`,
		70_000: `{"name":"Index of terms","price":12.5,"netWeight":3,"brand":"Acme","termNumber77":"It is 77"}`,
	} {
		r, err := Fill(context.Background(), labelled(n), s, Options{Resolve: func(s string) string { return s }})
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Content) != want {
			t.Errorf("%d labels: %s, want %s", n, r.Content, want)
		}
		steps[n] = r.Steps
	}
	if steps[70_000] > 2_000_000 {
		t.Errorf("steps by labels: %v", steps)
	}
}

func BenchmarkManyLabels(b *testing.B) {
	s, err := schema.Compile([]byte(askedOfLabels), schema.Options{})
	if err != nil {
		b.Fatal(err)
	}
	g := labelled(70_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fill(context.Background(), g, s, Options{Resolve: func(s string) string { return s }}); err != nil {
			b.Fatal(err)
		}
	}
}
