package browser

import "context"

// Places is where elements are seen. It is part of [Session], whose rules and
// errors hold for it.
type Places interface {
	// Places returns where elements of the last snapshot are in view; those that
	// are not, or no longer on the page, are left out. Nothing is scrolled.
	Places(ctx context.Context, refs []Ref) (Placed, error)
	// Show scrolls until the element is in view. Errors: a StaleError.
	Show(ctx context.Context, ref Ref) error
}

// Placed is where elements are in view.
type Placed struct {
	// Of are the elements.
	Of map[Ref]Place
	// Drawn are the boxes of what shows what no snapshot has: canvases, videos and
	// plugins.
	Drawn []Box
	// Width and Height of the viewport in CSS pixels.
	Width, Height float64
	// Left and Top are how far the page is scrolled, in CSS pixels.
	Left, Top float64
	// Ratio is how many pixels of a picture a CSS pixel has.
	Ratio float64
	// Document is another number for each document of a tab that was loaded.
	Document float64
}

// Place is where one element is.
type Place struct {
	// Box is the part of the element that is in view.
	Box Box
	// Covered says that another element is over its middle.
	Covered bool
}
