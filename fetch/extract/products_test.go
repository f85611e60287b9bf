package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/corpora"
)

const productSchema = `{"type":"object","properties":{"price":{"type":"number"},"sku":{"type":"string"},"availability":{"enum":["InStock","OutOfStock"]}}}`

// wantProducts are the marks that are kept: F1 over the pages of the corpus.
var wantProducts = map[string]float64{"price": 0.90, "sku": 0.96, "availability": 0.97}

// mostFromNothing is how many pages of the corpus may have a value that the gold
// answer has none for, by property: nothing is to be made up.
var mostFromNothing = map[string]int{"price": 0, "sku": 0, "availability": 0}

// TestQualityProducts scores price, SKU and availability as the benchmark of
// the corpus does: a value in the accepted set is right, another is wrong, and
// wrong twice where there is a right one.
func TestQualityProducts(t *testing.T) {
	corpora.Measure(t)
	var gold map[string]map[string]any
	if err := json.Unmarshal(corpora.File(t, "products/ground-truth.json"), &gold); err != nil {
		t.Fatal(err)
	}
	s := mustCompile(t, productSchema)
	scores := map[string]*score{"price": {}, "sku": {}, "availability": {}}
	halves := [2]map[string]*score{{"price": {}, "sku": {}, "availability": {}}, {"price": {}, "sku": {}, "availability": {}}}
	var times []time.Duration
	for _, p := range corpora.Pages(t, "products") {
		id, want := p.ID, gold[p.ID]
		doc := parse(t, p.HTML(t))
		began := time.Now()
		r, err := Shape(context.Background(), doc, addressOf(t, want), s, ShapeOptions{Explain: true})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		times = append(times, time.Since(began))
		var got map[string]any
		if err := json.Unmarshal(r.Content, &got); err != nil {
			t.Fatal(err)
		}
		for name, sc := range scores {
			accepted, _ := want[name].([]any)
			halves[halfOf(id)][name].count(got[name], accepted)
			if !sc.count(got[name], accepted) {
				corpora.Detail(t, "%s %s: got %v, want %v %v", id[:8], name, got[name], want[name], r.Origins)
			}
		}
	}
	slices.Sort(times)
	t.Logf("median %v, longest %v", times[len(times)/2], times[len(times)-1])
	for name, sc := range scores {
		t.Logf("%-14s F1 %.3f (right %d, wrong %d, missed %d), of the halves %.3f and %.3f", name, sc.f1(), sc.right, sc.wrong, sc.missed, halves[0][name].f1(), halves[1][name].f1())
		t.Logf("%-14s a value on %d of %d pages where gold has none", name, sc.invented, sc.none)
		if sc.invented > mostFromNothing[name] {
			t.Errorf("%s: a value on %d of %d pages where gold has none, at most %d may have one", name, sc.invented, sc.none, mostFromNothing[name])
		}
		if sc.f1() < wantProducts[name] {
			t.Errorf("%s: F1 is %.3f, want %.3f", name, sc.f1(), wantProducts[name])
		}
	}
}

// halfOf splits the pages by their names, which are hashes, so that rules for
// single pages show as a difference.
func halfOf(id string) int { return int(id[len(id)-1]) % 2 }

// addressOf returns the address that a page was fetched from.
func addressOf(t *testing.T, want map[string]any) *url.URL {
	t.Helper()
	text, _ := want["url"].(string)
	at, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// score counts values; none are the pages where gold has none, and invented those
// of them that have one all the same.
type score struct{ right, wrong, missed, none, invented int }

func (s *score) count(got any, want []any) bool {
	text := textOf(got)
	if len(want) == 0 {
		s.none++
		if text != "" {
			s.invented++
		}
	}
	switch {
	case text == "" && len(want) == 0:
		return true
	case text == "":
		s.missed++
		return false
	case slices.ContainsFunc(want, func(w any) bool { return textOf(w) == text }):
		s.right++
		return true
	}
	s.wrong++
	if len(want) > 0 {
		s.missed++
	}
	return false
}

func (s *score) f1() float64 {
	return 2 * float64(s.right) / float64(max(2*s.right+s.wrong+s.missed, 1))
}

// textOf writes numbers as decimals in one form.
func textOf(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		v = strings.TrimSpace(v)
		if f, err := strconv.ParseFloat(v, 64); err == nil && !strings.HasPrefix(v, "0") {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return v
	}
	return ""
}
