package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The browser serves other sessions as well, and some of its numbers have no
// bounds of their own: a picture of a million pixels a side ends it, a window of
// that size makes it stand still.
const (
	maxSide   = 10_000      // of windows and pages, in pixels
	maxScale  = 10          // of a page or a picture
	maxPixels = 100_000_000 // of a picture
	maxQuota  = 1 << 40     // of an origin's storage, in bytes
)

// MaxDrawnSide is how many pixels a side of a picture can have: as many as
// encoders can hold.
const MaxDrawnSide = 65_535

// atMost bounds the size of numbers, where they are there.
func atMost(limit float64, keys ...string) Check {
	return func(p *Params, _ World) error {
		for _, key := range keys {
			n, err := p.number(key, 0)
			if err != nil {
				return err
			}
			if math.Abs(n) > limit {
				return fmt.Errorf("%s must be at most %.0f", key, limit)
			}
		}
		return nil
	}
}

// sized bounds measures, which have no sign.
func sized(limit float64, keys ...string) Check {
	return func(p *Params, _ World) error {
		for _, key := range keys {
			n, err := p.number(key, 0)
			if err != nil {
				return err
			}
			if n < 0 || n > limit {
				return fmt.Errorf("%s must be between 0 and %.0f", key, limit)
			}
		}
		return nil
	}
}

// inside applies checks to an object among the parameters.
func inside(key string, checks ...Check) Check {
	return func(p *Params, w World) error {
		if !p.Has(key) {
			return nil
		}
		object, err := ReadParams(p.fields[key])
		for i := 0; i < len(checks) && err == nil; i++ {
			err = checks[i](object, w)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
}

// pixels bounds a width times a height at a scale.
func pixels(scale string) Check {
	return func(p *Params, _ World) error {
		width, err1 := p.number("width", 0)
		height, err2 := p.number("height", 0)
		factor, err3 := p.number(scale, 1)
		if err := cmp.Or(err1, err2, err3); err != nil {
			return err
		}
		if width*height*factor*factor > maxPixels {
			return fmt.Errorf("width, height and %s make more than %d pixels", scale, maxPixels)
		}
		return nil
	}
}

// oneOf insists on one of a few words: Chromium ends where it knows none.
func oneOf(key string, words ...string) Check {
	return func(p *Params, _ World) error {
		word, err := p.Text(key)
		if err == nil && !slices.Contains(words, word) {
			err = fmt.Errorf("%s must be one of %s", key, strings.Join(words, ", "))
		}
		return err
	}
}

// number returns a parameter that must be a number.
func (p *Params) number(key string, missing float64) (n float64, err error) {
	if !p.Has(key) {
		return missing, nil
	}
	if err := p.Decode(key, &n); err != nil {
		return 0, fmt.Errorf("%s must be a number", key)
	}
	return n, nil
}

// screen are the checks of the measures that a page is given.
var screen = []Check{
	sized(maxSide, "width", "height", "screenWidth", "screenHeight"),
	atMost(maxSide, "positionX", "positionY"),
	sized(maxScale, "deviceScaleFactor", "scale"),
	pixels("deviceScaleFactor"),
	inside("devicePosture", oneOf("type", "continuous", "folded")),
	inside("viewport", atMost(maxSide*maxScale, "x", "y"), sized(maxSide*maxScale, "width", "height"), sized(maxScale, "scale"), pixels("scale")),
}

// clipped are the checks of the part of a page that a picture shows. Its sides
// count as well as its area.
func clipped(p *Params, _ World) error {
	scale, err := p.number("scale", 1)
	for _, key := range []string{"width", "height"} {
		side, err2 := p.number(key, 0)
		if err = cmp.Or(err, err2); err != nil {
			return err
		}
		if side < 0 || side*max(scale, 1) > MaxDrawnSide {
			return fmt.Errorf("%s must be between 0 and %d, and so at the scale", key, MaxDrawnSide)
		}
	}
	return nil
}

// place are the checks of where a window is and how large.
func place(p *Params, w World) error {
	return cmp.Or(atMost(maxSide, "left", "top")(p, w), sized(maxSide, "width", "height")(p, w))
}
