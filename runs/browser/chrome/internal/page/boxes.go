package page

import (
	"context"

	"github.com/drover-go/drover/runs/browser"
)

// rect is a rectangle as pages write it: left, top, width, height.
type rect [4]float64

// placeAt is where the content of a frame is in the viewport of the page: its
// top left corner, and how much larger a pixel of it is there. A frame that is
// turned is taken for the upright one around it.
type placeAt [4]float64

// whole is the place of the page itself.
var whole = placeAt{0, 0, 1, 1}

// in is the place of a frame within this one.
func (p placeAt) in(inner *placeAt) placeAt {
	if inner == nil {
		return p
	}
	return placeAt{p[0] + inner[0]*p[2], p[1] + inner[1]*p[3], p[2] * inner[2], p[3] * inner[3]}
}

// box is a rectangle of the frame in the viewport of the page; nil for none.
func (p placeAt) box(r *rect) *browser.Box {
	if r == nil {
		return nil
	}
	return &browser.Box{X: p[0] + r[0]*p[2], Y: p[1] + r[1]*p[3], Width: r[2] * p[2], Height: r[3] * p[3]}
}

// placeOf asks the documents around a frame where its content is.
func placeOf(ctx context.Context, f *frame) (placeAt, error) {
	at := whole
	for ; f.parent != nil; f = f.parent {
		outer, err := eval[*placeAt](ctx, f.parent, "frameInside", f.owner)
		switch {
		case err != nil:
			return at, err
		case outer == nil:
			return at, errFrameGone
		}
		at = outer.in(&at)
	}
	return at, nil
}
