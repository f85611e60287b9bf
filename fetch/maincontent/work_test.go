package maincontent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// shapes are pages made of one thing many times over.
var shapes = map[string]func(n int) string{
	"paragraphs": func(n int) string {
		return strings.Repeat("<p>Some words, and <a href=x>a link</a>. And an end.</p>", n)
	},
	"cards":  func(n int) string { return strings.Repeat("<div class=card><h3>Name</h3><p>Words</p></div>", n) },
	"names":  func(n int) string { return strings.Repeat(`<div class="nav sidebar Post-Body">a</div>`, n) },
	"nested": func(n int) string { return strings.Repeat("<div>", 400) + strings.Repeat("<p>word word</p>", n) },
	"deep images": func(n int) string {
		return strings.Repeat("<div>", 400) + strings.Repeat("<img src=x>", n) + "<p>word"
	},
	"frames of images": func(n int) string { return "<p>word" + strings.Repeat("<div><div><img src=x></div></div>", n) },
	"tables":           func(n int) string { return "<table>" + strings.Repeat("<tr><td>a<td>b", n) },
	"links":            func(n int) string { return strings.Repeat("<a href=x>word</a> ", n) },
	"hidden":           func(n int) string { return strings.Repeat("<div hidden style='a:b;c:d;display:none'>word</div>", n) },
	"one text":         func(n int) string { return "<p>" + strings.Repeat("word, word. ", 3*n) },
	"noscript":         func(n int) string { return "<noscript>" + strings.Repeat("<p>word word word</p>", n) + "</noscript>" },
	"noscripts":        func(n int) string { return strings.Repeat("<noscript><p>word</p></noscript>", n) },
	"formulas":         func(n int) string { return strings.Repeat("<math><mrow><mi>x</mi></mrow></math>", n) },
	"data": func(n int) string {
		return "<script type='application/ld+json'>" + strings.Repeat(`{"@type":"Article"},`, n) + "</script>"
	},
}

func stepsOf(t testing.TB, page string) int {
	t.Helper()
	o := Options{}.withDefaults()
	doc := parse(t, page)
	w := newWork(ctx, o.MaxWork)
	if err := w.run(func() error { _, err := find(w, doc, o); return err }); err != nil {
		t.Fatal(err)
	}
	return w.Taken()
}

// TestWorkGrowsWithThePage counts steps, which are the same on every machine.
func TestWorkGrowsWithThePage(t *testing.T) {
	for name, page := range shapes {
		small, large := stepsOf(t, page(500)), stepsOf(t, page(2000))
		if float64(large) > 4*1.2*float64(small+2000) {
			t.Errorf("%s: %d steps, %d at four times as much", name, small, large)
		}
	}
}

func TestTooMuchWorkIsRefused(t *testing.T) {
	page := shapes["cards"](200)
	needs := stepsOf(t, page)
	if _, err := Find(ctx, parse(t, page), Options{MaxWork: needs}); err != nil {
		t.Errorf("%d steps: %v", needs, err)
	}
	_, err := Find(ctx, parse(t, page), Options{MaxWork: needs - 1})
	if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.BadGateway || !strings.Contains(pub.Message, "steps") {
		t.Errorf("one step less: %v", err)
	}
}

func TestAPageOfTooManyBlocksIsKeptWhole(t *testing.T) {
	page := "<nav><a href=x>A menu</a></nav>" + shapes["paragraphs"](20)
	r := mustFind(t, page, Options{MaxBlocks: 10})
	if text := r.Text(); !r.WholePage || strings.Count(text, "Some words") != 20 || !strings.Contains(text, "A menu") {
		t.Errorf("whole page %t: %q", r.WholePage, text)
	}
}

// ending is a context that ends after it was asked so many times.
type ending struct {
	context.Context
	asked int64
	after int64
}

var errEnded = errors.New("ended")

func (e *ending) Err() error {
	if e.asked++; e.asked > e.after {
		return errEnded
	}
	return nil
}

func TestAContextThatEndsBreaksTheSearchOff(t *testing.T) {
	for name, page := range shapes {
		doc := parse(t, page(5000))
		whole := &ending{Context: ctx, after: 1 << 40}
		if _, err := Find(whole, doc, Options{}); err != nil {
			t.Fatal(err)
		}
		asked := whole.asked
		for _, after := range []int64{0, asked / 2, asked - 1} {
			early := &ending{Context: ctx, after: after}
			if _, err := Find(early, doc, Options{}); err == nil {
				t.Errorf("%s after %d of %d: no error", name, after, asked)
			}
			if more := early.asked - after; more > 8 {
				t.Errorf("%s after %d of %d: asked %d times more", name, after, asked, more)
			}
		}
	}
}

func TestTheCauseOfAContextIsTheError(t *testing.T) {
	cause := errtypes.New(errtypes.GatewayTimeout, "too long")
	ended, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	if _, err := Find(ended, parse(t, "<p>word"), Options{}); !errors.Is(err, cause) {
		t.Error(err)
	}
}
