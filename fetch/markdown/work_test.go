package markdown

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/testlevel"
)

// stepsOf returns what a conversion takes.
func stepsOf(t testing.TB, page string) int {
	t.Helper()
	o := Options{PageURL: benchURL}.withDefaults()
	doc, err := tree.Parse(ctx, page, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := newWork(ctx, o.MaxWork)
	if _, err := convert(w, doc, o); err != nil {
		t.Fatal(err)
	}
	return w.Taken()
}

// TestWorkGrowsWithThePage counts steps, which are the same on every machine:
// whatever a page is made of, four times of it takes about four times as many.
func TestWorkGrowsWithThePage(t *testing.T) {
	const spread = 1.3
	for _, s := range shapes {
		small, large := stepsOf(t, s.page(s.size)), stepsOf(t, s.page(4*s.size))
		if float64(large) > 4*spread*float64(small+2000) {
			t.Errorf("%s: %d steps at %d bytes, %d at four times as many", s.name, small, s.size, large)
		}
	}
}

// TestWorkThatAPageOfManyNodesTakes holds the default of MaxWork against what pages
// take: the most of all shapes, for as many nodes as a page may have.
func TestWorkThatAPageOfManyNodesTakes(t *testing.T) {
	o := Options{}.withDefaults()
	for _, s := range shapes {
		page := s.page(s.size)
		doc, err := tree.Parse(ctx, page, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		nodes := 1000 // those that all pages have, and what is done once
		for range doc.Descendants() {
			nodes++
		}
		if perNode := stepsOf(t, page) / nodes; perNode > o.MaxWork/o.MaxNodes {
			t.Errorf("%s: %d steps a node", s.name, perNode)
		}
	}
}

func TestTooMuchWorkIsRefused(t *testing.T) {
	page := makePage(20 << 10)
	needs := stepsOf(t, page)
	o := Options{PageURL: benchURL, MaxWork: needs}
	if _, err := FromString(ctx, page, o); err != nil {
		t.Errorf("%d steps: %v", needs, err)
	}
	for _, limit := range []int{1, needs / 2, needs - 1} {
		o.MaxWork = limit
		_, err := FromString(ctx, page, o)
		if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.BadGateway || !strings.Contains(pub.Message, "steps") {
			t.Errorf("%d of %d steps: %v", limit, needs, err)
		}
	}
}

func TestTooManyNodesAreRefused(t *testing.T) {
	const cells = 4000
	page := "<table><tr>" + strings.Repeat("<td>a", cells)
	if _, err := FromString(ctx, page, Options{MaxNodes: 2*cells + 20}); err != nil {
		t.Error(err)
	}
	_, err := FromString(ctx, page, Options{MaxNodes: cells})
	if !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("text: %v", err)
	}
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(ctx, doc, Options{MaxNodes: cells}); !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("tree: %v", err)
	}
}

// A page of unclosed bold is read without it rather than refused: its text is
// no more than it seems.
func TestFormattingIsGivenUpBeforeThePage(t *testing.T) {
	page := strings.Repeat("<b>", 400) + strings.Repeat("<p>word</p>", 1000)
	md, err := FromString(ctx, page, Options{MaxNodes: 10_000})
	if err != nil || strings.Contains(md, "*") || strings.Count(md, "word") != 1000 {
		t.Errorf("%v %.100q", err, md)
	}
}

// ending is a context that ends after it was asked so many times.
type ending struct {
	context.Context
	asked int64
	after int64
}

var errEnded = errors.New("ended")

func endingAfter(asked int64) *ending { return &ending{Context: ctx, after: asked} }

func (e *ending) Err() error {
	if e.asked++; e.asked > e.after {
		return errEnded
	}
	return nil
}

// The context is asked all through a conversion, in whatever part it is, and
// nothing is done after it has ended.
func TestAContextThatEndsBreaksTheConversionOff(t *testing.T) {
	testlevel.Long(t, "the largest pages")
	for _, s := range shapes {
		page := s.page(3 * s.size)
		whole := endingAfter(1 << 40)
		if _, err := FromString(whole, page, Options{PageURL: benchURL}); err != nil {
			t.Fatal(err)
		}
		asked := whole.asked
		if least := int64(len(page) / mouthful); asked < least {
			t.Errorf("%s: asked %d times over %d bytes", s.name, asked, len(page))
		}
		for _, after := range []int64{0, asked / 2, asked - 1} {
			early := endingAfter(after)
			_, err := FromString(early, page, Options{PageURL: benchURL})
			if !errors.Is(err, errEnded) {
				t.Fatalf("%s after %d of %d: %v", s.name, after, asked, err)
			}
			if more := early.asked - after; more > 8 {
				t.Errorf("%s after %d of %d: went on, and asked %d times more", s.name, after, asked, more)
			}
		}
	}
}

// mouthful is how much of a page the parser reads between two looks.
const mouthful = 4096

func TestTheCauseOfAContextIsTheError(t *testing.T) {
	cause := errtypes.New(errtypes.GatewayTimeout, "too long")
	ended, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	if _, err := FromString(ended, makePage(20<<10), Options{}); !errors.Is(err, cause) {
		t.Errorf("a text: %v", err)
	}
	doc, err := html.Parse(strings.NewReader(makePage(20 << 10)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(ended, doc, Options{}); !errors.Is(err, cause) {
		t.Errorf("a tree: %v", err)
	}
}

// An engine whose conversion was broken off does not serve the next one.
func TestConversionsAfterOneThatWasBrokenOff(t *testing.T) {
	page := makePage(20 << 10)
	want := mustConvert(t, page, Options{PageURL: benchURL})
	for limit := 1000; limit < 20_000; limit += 1000 {
		_, _ = FromString(ctx, page, Options{PageURL: benchURL, MaxWork: limit})
		if got := mustConvert(t, page, Options{PageURL: benchURL}); got != want {
			t.Fatalf("after one with %d steps: %.100q", limit, got)
		}
	}
}

// A long base and addresses that are not plain are work without output, if the
// images are too small to be seen.
func TestAddressesThatTakeWork(t *testing.T) {
	page := "<base href='/" + strings.Repeat("a/", 4000) + "'>" + strings.Repeat("<img src='../\u00e9' width=1 height=1>", 100_000)
	if _, err := FromString(ctx, page, Options{PageURL: benchURL, MaxWork: 4 << 20}); !errtypes.Is(err, errtypes.BadGateway) {
		t.Error(err)
	}
}
