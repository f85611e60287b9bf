package browser

import (
	"context"
	"time"
)

// Input is what a session does with mouse and keyboard beyond Click and Type.
// All of it is real input, which pages cannot tell from a person's, and returns
// when the page has settled. Refs and errors are as with Click: a StaleError, a
// CoveredError, Invalid for what cannot be done with the element.
type Input interface {
	// ClickWith is Click with another button, twice, with keys held, or at a
	// place in the element. Error kinds beside those of Click: Invalid for options
	// that cannot be, and for the middle button in a session that shares its
	// browser, where it pastes what other sessions have selected.
	ClickWith(ctx context.Context, ref Ref, o ClickOptions) (Page, error)
	// ClickAt clicks a point of the viewport, whatever is there, and returns what
	// it was. Error kind Invalid for a point outside the viewport.
	ClickAt(ctx context.Context, at Point, o ClickOptions) (Hit, error)
	// Hover moves the pointer over the element, where it stays: what the page
	// shows for that is in the next snapshot.
	Hover(ctx context.Context, ref Ref) (Page, error)
	// HoverAt moves the pointer to a point of the viewport and returns what is
	// there. Error kind Invalid for a point outside the viewport.
	HoverAt(ctx context.Context, at Point) (Hit, error)
	// Drag presses the left button at one spot, moves to the other and lets go
	// there. Pages that start a drag and drop of their own get its events. What is
	// dragged has to be uncovered, the other end need not be.
	Drag(ctx context.Context, from, to Spot, o DragOptions) (Page, error)
	// Scroll scrolls the page or a part of it and returns where that is then.
	// Error kinds: Invalid for options that cannot be, NotFound for a text that is
	// not on the page.
	Scroll(ctx context.Context, o ScrollOptions) (Scrolled, error)
	// Press presses keys one after the other, separated by spaces, each with the
	// keys held meanwhile before it: "Enter", "Control+A Delete", "Shift+Tab",
	// "a", "+", "Control++". Names are those of KeyboardEvent.key; "Space" is the
	// space bar. Case and common short names ("esc", "ctrl+a", "Return", "Down") do not matter,
	// but of a single letter by itself. A session that shares its browser pastes
	// only what it has copied by Press itself. Error kind Invalid for a name that is none.
	Press(ctx context.Context, keys string, o PressOptions) (Page, error)
	// Select chooses options of a list by label or value, those and no others,
	// wherever the list is one of HTML or of ARIA; the latter is opened, and its
	// options clicked. Error kind Invalid names the options that there are.
	Select(ctx context.Context, ref Ref, options ...string) (Page, error)
	// Check brings a check box, radio button or switch, of HTML or ARIA, into the
	// state. One that is in it already is left alone. Error kind Invalid for
	// another element, a radio button to uncheck, and one that does not change.
	Check(ctx context.Context, ref Ref, checked bool) (Page, error)
}

// Point is a place in CSS pixels: of the viewport or of an element, from its
// upper left corner.
type Point struct{ X, Y float64 }

// Spot is where something is done.
type Spot struct {
	// Ref is the element. Default none: At is a point of the viewport.
	Ref Ref
	// At is the place. Default: the middle of what is seen of the element.
	At *Point
}

// Button is a button of the mouse.
type Button string

// The buttons; the zero value is the left one.
const (
	ButtonLeft   Button = "left"
	ButtonRight  Button = "right"
	ButtonMiddle Button = "middle"
)

// Modifiers are keys that are held, as a set.
type Modifiers int

// The keys, numbered as browsers do.
const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// ClickOptions say how to click. The zero value is what Click does.
type ClickOptions struct {
	// Button is the one to press. Default ButtonLeft.
	Button Button
	// Count is 2 for a double click and 3 for a triple one. Default 1.
	Count int
	// Held are the keys held meanwhile. Default none.
	Held Modifiers
	// At is the place in the element; not for ClickAt. Default: the middle of what
	// is seen of it.
	At *Point
	// Hold is how long the button stays down, the last time; 0 to 10 s. Default 0.
	Hold time.Duration
}

// Hit is what was at a point. Role and Name are the page's: untrusted, and empty
// where nothing with a role is there.
type Hit struct {
	Page       Page
	Role, Name string
}

// DragOptions say how to drag.
type DragOptions struct {
	// By moves the other end, or, where To is the zero Spot, goes that far from
	// where the drag begins. Default not at all.
	By Point
	// Steps is the number of moves on the way, 1 to 100. Default 10.
	Steps int
	// Hold is how long the button is down before the first move, which lists want
	// that are scrolled by a quicker one; 0 to 10 s. Default 0.
	Hold time.Duration
}

// Direction is the way to scroll.
type Direction string

// The ways. Top and Bottom go as far as there is something now; a page may load
// more then.
const (
	Up     Direction = "up"
	Down   Direction = "down"
	Left   Direction = "left"
	Right  Direction = "right"
	Top    Direction = "top"
	Bottom Direction = "bottom"
)

// ScrollOptions say what to scroll and how far. The zero value scrolls the page,
// or the largest part of it that can be scrolled, most of a view down.
type ScrollOptions struct {
	// Ref is an element: without a Direction it is scrolled into view, with one
	// what is scrolled is the element or the nearest part around it that can be.
	// Default: the page.
	Ref Ref
	// At is a point of the viewport; what lies there is scrolled. Not together with
	// Ref. Default none.
	At *Point
	// Direction to scroll in. Default Down, but with a Text or a Ref alone none.
	Direction Direction
	// Pages is how far, in heights of what is seen. Default 0.8.
	Pages float64
	// Pixels is how far, in place of Pages. Default 0.
	Pixels float64
	// Text is scrolled to: the first place in which it stands, whatever its case.
	// Lists that load or draw more when they are scrolled are scrolled for it.
	// Default none.
	Text string
	// Hold is how long the last key stays down, repeating itself, 0 to 10 s.
	// Default 0.
	Hold time.Duration
}

// Scrolled is where something is after it was scrolled, in CSS pixels.
type Scrolled struct {
	Page Page
	// Moved says that it is at another place than before.
	Moved bool
	// Heard says that the page has taken the wheel for something of its own, such as
	// the scale of a map: the other fields are of what is around that.
	Heard bool
	// Around says that the element does not scroll, and what is around it did.
	Around bool
	// Above, Below, Before and After are how much lies out of view on each side:
	// above and below, left and right. 0 is the end.
	Above, Below, Before, After float64
	// Width and Height are those of the view.
	Width, Height float64
}

// PressOptions say where and how often to press.
type PressOptions struct {
	// Ref is the element that gets the focus first. Default: what has it.
	Ref Ref
	// Repeat presses all keys that often, 1 to 100. Default 1.
	Repeat int
	// Text is typed by single keys before the others, which may be missing then: at
	// most 2,000 bytes, for what takes keys and is no field. Characters that no key
	// types come as an input method's. Default none.
	Text string
	// Hold is how long the last key stays down, repeating itself, 0 to 10 s.
	// Default 0.
	Hold time.Duration
}
