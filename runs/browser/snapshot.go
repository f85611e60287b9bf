package browser

// SnapshotOptions say what a snapshot is of. The zero value is the whole page.
type SnapshotOptions struct {
	// Boxes asks for Element.Box. Default false.
	Boxes bool
	// Ref is the element that the snapshot is of, with what is in it. Default the
	// page.
	Ref Ref
	// Depth is how many levels below the first are listed. Default 0, all.
	Depth int
	// Refs gives a Ref also to what cannot be acted on; that of a text is the
	// element around it. Default false.
	Refs bool
	// Find is a text: what says it, in any case, is listed, however many elements
	// the page has. Default none.
	Find string
}

// Box is a rectangle in CSS pixels. X and Y are those of its top left corner
// from that of the viewport of the page itself, also for what is in a frame;
// negative for what has been scrolled out at the top or the left.
type Box struct{ X, Y, Width, Height float64 }

// Empty reports whether the box has no area.
func (b Box) Empty() bool { return b.Width <= 0 || b.Height <= 0 }
