package page

import (
	"context"
	_ "embed"
	"math"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

//go:embed js/places.js
var placesJS string

// edges are left, top, right and bottom.
type edges [4]float64

func (e edges) overlap(o edges) edges {
	return edges{max(e[0], o[0]), max(e[1], o[1]), min(e[2], o[2]), min(e[3], o[3])}
}

func (e edges) empty() bool { return e[2]-e[0] < 1 || e[3]-e[1] < 1 }

func (e edges) box() browser.Box {
	return browser.Box{X: e[0], Y: e[1], Width: e[2] - e[0], Height: e[3] - e[1]}
}

// placesFound is what a frame answers.
type placesFound struct {
	Found []struct {
		N       int   `json:"n"`
		Edges   edges `json:"edges"`
		Covered bool  `json:"covered"`
	} `json:"found"`
	Drawn    []edges `json:"drawn"`
	Width    float64 `json:"width"`
	Height   float64 `json:"height"`
	Left     float64 `json:"left"`
	Top      float64 `json:"top"`
	Ratio    float64 `json:"ratio"`
	Document float64 `json:"document"`
}

// frameAt is how a frame lies in the document around it: what of it is in view,
// and where three of its points are.
type frameAt struct {
	Edges            edges `json:"edges"`
	Zero, Right, Far struct{ X, Y float64 }
}

// outward translates what is in the frame's document: of what is turned, the box
// around it.
func (a frameAt) outward(e edges) edges {
	alongX, alongY := (a.Right.X-a.Zero.X)/100, (a.Right.Y-a.Zero.Y)/100
	downX, downY := (a.Far.X-a.Right.X)/100, (a.Far.Y-a.Right.Y)/100
	out := edges{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, corner := range [][2]float64{{e[0], e[1]}, {e[2], e[1]}, {e[0], e[3]}, {e[2], e[3]}} {
		x, y := a.Zero.X+corner[0]*alongX+corner[1]*downX, a.Zero.Y+corner[0]*alongY+corner[1]*downY
		out = edges{min(out[0], x), min(out[1], y), max(out[2], x), max(out[3], y)}
	}
	return out.overlap(a.Edges)
}

// Places implements [browser.Places].
func (s *Session) Places(ctx context.Context, refs []browser.Ref) (_ browser.Placed, err error) {
	defer errtypes.Wrap(&err, "chrome.Places")
	t, done, err := s.work(&ctx)
	if err != nil {
		return browser.Placed{}, err
	}
	defer done()
	numbers := map[int][]int{}
	for _, ref := range refs {
		if frame, element, ok := parseRef(ref); ok {
			numbers[frame] = append(numbers[frame], element)
		}
	}
	placed := browser.Placed{Of: map[browser.Ref]browser.Place{}}
	for _, f := range s.framesOf(t) {
		err := s.placesIn(ctx, f, numbers[f.number], &placed)
		if err != nil && (f.parent == nil || ctx.Err() != nil) {
			return browser.Placed{}, s.Explain(ctx, err)
		}
	}
	return placed, nil
}

// framesOf are the documents of a tab: the page's, and those in it as the last
// snapshot saw them.
func (s *Session) framesOf(t *tab) []*frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []*frame{t.mainFrame()}
	for _, f := range s.known {
		if f.parent != nil && f.root().sess == all[0].sess {
			all = append(all, f)
		}
	}
	slices.SortFunc(all[1:], func(a, b *frame) int { return a.number - b.number })
	return all
}

// placesIn adds what is in view of one frame.
func (s *Session) placesIn(ctx context.Context, f *frame, numbers []int, to *browser.Placed) error {
	ctx, done := s.Bounded(ctx, frameTime, "answer in a frame")
	defer done()
	if numbers == nil {
		numbers = []int{}
	}
	got, err := eval[placesFound](ctx, f, "places", numbers)
	if err != nil {
		return err
	}
	around, err := chainOf(ctx, f)
	if err != nil || around == nil && f.parent != nil {
		return err
	}
	if f.parent == nil {
		to.Width, to.Height, to.Left, to.Top, to.Ratio, to.Document = got.Width, got.Height, got.Left, got.Top, got.Ratio, got.Document
	}
	for _, e := range got.Found {
		if at := through(around, e.Edges); !at.empty() {
			to.Of[refOf(f.number, e.N)] = browser.Place{Box: at.box(), Covered: e.Covered}
		}
	}
	for _, e := range got.Drawn {
		if at := through(around, e); !at.empty() {
			to.Drawn = append(to.Drawn, at.box())
		}
	}
	return nil
}

// chainOf is how a frame lies in each document around it, the nearest first; nil
// where one is not in view.
func chainOf(ctx context.Context, f *frame) (chain []frameAt, err error) {
	for ; f.parent != nil; f = f.parent {
		at, err := eval[*frameAt](ctx, f.parent, "frameAt", f.owner)
		if err != nil || at == nil {
			return nil, err
		}
		chain = append(chain, *at)
	}
	return chain, nil
}

func through(chain []frameAt, e edges) edges {
	for _, at := range chain {
		e = at.outward(e)
	}
	return e
}

// Show implements [browser.Places].
func (s *Session) Show(ctx context.Context, ref browser.Ref) (err error) {
	defer errtypes.Wrap(&err, "chrome.Show(%q)", ref)
	t, done, err := s.work(&ctx)
	if err != nil {
		return err
	}
	defer done()
	f, element, err := s.resolve(t, ref)
	for ; err == nil && f != nil; f, element = f.parent, f.owner {
		var l located
		if l, err = eval[located](ctx, f, "show", element); f.lost(err) {
			err = &browser.StaleError{Ref: ref}
		}
		if err == nil {
			err = s.problem(ref, l)
		}
	}
	return s.Explain(ctx, err)
}
