// Package browser says what Drover needs of a browser, without saying which
// one. Package chrome implements it; only chrome knows the driver.
package browser

import (
	"context"
	"fmt"

	"github.com/drover-go/drover/internal/egress"
)

// Provider opens sessions. A Provider starts no browser before the first Open.
//
// The interface may gain methods; implement it only inside Drover.
type Provider interface {
	// Open starts a session with an empty profile of its own. The context
	// bounds the opening only; the session lives until Close. Error kinds:
	// Invalid for a setting that cannot be honoured, Unavailable when no
	// browser can be started, when as many sessions are open as the instance
	// allows, or as much memory is in use, and when the provider is closed;
	// Conflict when the browser serves another project, and for a profile that is
	// in use.
	Open(ctx context.Context, o Options) (Session, error)
	// Close ends every session and every browser and waits until their
	// processes and files are gone. It is idempotent.
	Close() error
}

// Options are the settings of one session. The zero value is an isolated
// session whose traffic goes through the provider's gate.
type Options struct {
	// ID names the session in logs and errors. Default: a new UUID.
	ID string
	// Project is whose session it is. Sessions of one project may be in the same
	// browser process, those of two never are, a browser that runs elsewhere
	// apart. Default "", a project like any other, for hosts that have one.
	Project string
	// Width and Height of the viewport in CSS pixels, each 1 to 10,000. Default,
	// for each by itself: 1280 wide, 800 high.
	Width, Height int
	// DeviceScaleFactor is how many pixels of a picture a CSS pixel has, 1 to 4.
	// Default 1.
	DeviceScaleFactor float64
	// Egress says what the session may reach and through which proxies. Default
	// everything that the gate lets through, directly.
	Egress egress.Policy
	// Downloads gets each file that a page downloads, once it is complete; the
	// file is removed when Downloads returns. It may be called several times
	// at once, and while the session is being closed. Its error is logged, and
	// external clients hear of a canceled download. It gets those of contexts
	// that clients have made, too, whatever folder they ask for. Default:
	// downloads are refused.
	Downloads func(ctx context.Context, d Download) error
	// Observe hears what happens in the session, for logs and recordings. It
	// is called by one goroutine at a time and must not block: what it cannot
	// take in time is dropped, and an Event of its own says how much. Default:
	// nobody asks, and nothing is spent on it.
	Observe func(Event)
	// Verified makes the browser show none of the marks of automation that can
	// be left out: navigator.webdriver is false, the user agent, its brands and
	// the languages are those of the ordinary browser of the same version,
	// alike in pages, frames, popups and workers, and the window is a real one
	// where the machine has a display. Such sessions have a process of their
	// own, started when the first is opened. It promises no more: without a
	// display, the list of full versions among the client hints is empty; what
	// a site learns from the address, the graphics of the machine, or
	// behaviour, it learns; no challenge is solved. The console is not
	// observed, since a page can tell. Default false.
	Verified bool
	// OwnProcess gives the session a browser process that it shares with no
	// other, with a profile of its own: whatever one session does to its browser
	// then, no other notices. It takes longer to open and more memory than a
	// session in the process of its project. Default false.
	OwnProcess bool
	// Profile gives the session a stored profile, and with it a process of its
	// own. Default none: the session begins with an empty one and leaves nothing.
	Profile *Profile
	// Extensions are directories of unpacked extensions that the session's
	// browser loads, by their absolute paths; they give the session a process of
	// its own. They are the caller's, have to stay where they are until Close has
	// returned, and are to be such as storage/extensions lets in: one that sets
	// the browser's proxy would get past Egress. An extension reads no file of
	// the machine, and no page of the session is one of the browser's own.
	// Default none.
	Extensions []string
}

// Profile is a directory in which a session's browser keeps its state: cookies,
// those of the browser's session, too, localStorage, IndexedDB, service workers.
// The tabs of the last time are not opened again.
type Profile struct {
	// Dir is the browser's user-data directory: one that is there and empty, or
	// that an earlier session of the same browser has left. It is the caller's
	// and has to stay where it is until Close has returned; nobody else uses
	// it meanwhile. Error kinds of Open: Invalid for one that is not there,
	// Conflict for one that an open session uses. After an Open that failed,
	// what it holds may be incomplete. No default.
	Dir string
}

// Session is one isolated browser: cookies, storage and cache are its own.
// Methods of one session are not called at the same time, except Tabs,
// AnswerDialog, AskDialogs, Offered, Screencast, Serve, Traffic, Unreached, Close, Done and Err.
//
// The current tab is the one opened or switched to last: a tab that a click opens
// becomes it, and when it closes, the one before is it again. Tabs in browser
// contexts that external clients have made never are; they are observed, listed
// and shown as the others. Every method that touches the
// page returns an error at once, with the cause, when the page or the browser
// is gone: BadGateway when the page has crashed or closed its tab, after which
// Navigate goes on; GatewayTimeout when the page does not answer; Unavailable
// when the browser has died and Gone after Close, which end the session.
//
// The interface may gain methods; implement it only inside Drover.
type Session interface {
	Input
	Navigation
	Files
	Places
	// ID returns the session's id.
	ID() string
	// Navigate loads an http or https URL in the current tab and returns when
	// the page has settled, or, if its document does not come to an end, with
	// what there is of it and Page.Loading set. Error kinds: Invalid for a URL that is refused,
	// BadGateway for one that could not be loaded, GatewayTimeout.
	Navigate(ctx context.Context, url string) (Page, error)
	// Page returns what the current tab shows.
	Page(ctx context.Context) (Page, error)
	// Snapshot returns the visible elements of the page, frames included, and
	// gives each one that can be acted on a Ref. A Ref is good until the
	// element leaves the page; using it afterwards is a StaleError.
	Snapshot(ctx context.Context) (Snapshot, error)
	// SnapshotOf is a Snapshot of what o asks for: that of the zero value is
	// Snapshot's. Errors: a StaleError, Invalid for options that cannot be.
	SnapshotOf(ctx context.Context, o SnapshotOptions) (Snapshot, error)
	// Click scrolls to the element, waits until it is at rest, clicks the middle
	// of what is seen of it with real input events, and returns when the page
	// has settled. An element that does not come to rest is clicked where it is;
	// a click that misses is kept from the page and made again. Errors: a
	// StaleError, a CoveredError, Invalid for an element that is disabled,
	// cannot be scrolled into view or moves away from each click.
	Click(ctx context.Context, ref Ref) (Page, error)
	// Type clicks into the element, replaces its text and returns when the
	// page has settled. Of a list the option with that label or value is
	// chosen; dates, colours and ranges take the text as their value. The text
	// never appears in an error. The field is read back, before Enter is
	// pressed, and may hold the text as the page formats it. Errors: those of
	// Click, Invalid for an element that takes no text, or not this one, or that
	// holds another one afterwards.
	Type(ctx context.Context, ref Ref, text string, o TypeOptions) (Page, error)
	// HTML returns the document of the current tab as it stands, serialised,
	// with the values that form fields show, the fields of type password left
	// out, and shadow roots in place of their hosts' children. The document
	// that a visible frame shows is its srcdoc, with a base element that has its
	// address, whatever site it is of; within the limits of a snapshot, and not
	// where it could not be loaded. It is at most limit bytes, with every tag
	// closed; truncated reports a cut, or a frame that was left out.
	HTML(ctx context.Context, limit int) (html string, truncated bool, err error)
	// VisibleHTML is HTML without the texts that a snapshot would not have, because
	// style sheets hide them; fields and pictures that are not shown have the attribute
	// hidden.
	VisibleHTML(ctx context.Context, limit int) (html string, truncated bool, err error)
	// HTMLOf is the HTML of an element and what is in it; of the document where ref
	// is empty. Errors: a StaleError.
	HTMLOf(ctx context.Context, ref Ref, limit int) (html string, truncated bool, err error)
	// Serve speaks the browser's protocol with an external client until it
	// leaves (nil), ctx ends or the session does. The client sees the session's
	// browser context as the whole browser. Several may be served at a time,
	// while the other methods are used, too. A client that asks for events of
	// downloads is told that one is complete when Options.Downloads has taken
	// it, and not where it was. Error kinds: Unavailable when
	// the browser dies, Gone after Close, RateLimited beyond the number of
	// clients that a session may have, and for a client that reads more slowly
	// than its pages talk, or for which most waits when too much waits for all.
	Serve(ctx context.Context, client Client) error
	// Traffic returns the bytes that the session has sent to servers and received
	// from them so far, whatever the way. It may be called at any time, after
	// Close, too.
	Traffic() (sent, received int64)
	// Unreached returns why the server of an address could not be connected to of
	// late, in words for anybody, which do not tell of the session's proxies; ""
	// where that is not known. To a browser all that a proxy fails at is alike.
	Unreached(address string) string
	// Tabs returns the open pages in the order in which they were opened.
	Tabs() []Tab
	// AnswerDialog answers the dialog that a tab shows, in place of the client
	// that it waits for; text is for a prompt. Error kinds: NotFound for a tab
	// that is not open, Conflict for one whose dialog waits for nobody.
	AnswerDialog(tab string, accept bool, text string) error
	// Screenshot takes a picture of the current tab. Error kinds: Invalid for
	// options that cannot be, or a picture that would be too large.
	Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, error)
	// PDF prints the current tab. Error kinds: Invalid for options that cannot
	// be, or a document that would be too large.
	PDF(ctx context.Context, o PDFOptions) ([]byte, error)
	// Upload puts files into the file input, or into the file chooser that a
	// click on the element opens, and returns when the page has settled. The
	// files are kept for the page until the session ends. Errors: those of
	// Click, Invalid for an element that takes no files, or not so many, for
	// files that are too large, and for a document whose host Options.Egress does
	// not allow.
	Upload(ctx context.Context, ref Ref, files []File) (Page, error)
	// Offer lets external clients upload a file of this machine by its name, or
	// by a path that ends in it. The file has to stay where it is until the
	// session ends. It may be called at any time.
	Offer(name, path string)
	// Screencast hands the frames of a tab, or of the one in front, to show until ctx ends, which is no
	// error, or show fails, whose error is returned. Show is called by one
	// goroutine; what comes while it is at work is skipped but for the newest.
	// Several at a time, beside any other method, are one to the browser. A page
	// that crashes is shown again when it has been left. Error kinds: Invalid for options that cannot
	// be, NotFound for a tab that is not open; BadGateway when the tab that
	// was asked for is closed.
	Screencast(ctx context.Context, o ScreencastOptions, show func(Frame) error) error
	// Done is closed when the session has ended, by Close or by the death of
	// its browser.
	Done() <-chan struct{}
	// Err returns why the session ended; nil while it lives and after Close.
	Err() error
	// Close ends the session and waits until its targets, proxy and files are
	// gone. It is idempotent. With a stored profile it returns nil only when the
	// browser has written everything down and left in order; with an error of
	// kind Unavailable, what the profile's directory holds may be incomplete.
	Close() error
}

// Page is what a tab shows.
type Page struct {
	URL   string
	Title string
	// Status is the HTTP status of the last navigation of the main frame; 0
	// where there was none.
	Status int
	// Loading says that the document has not come to its end: the server still
	// sends it, or holds it open.
	Loading bool
	// Dialogs are the texts of JavaScript dialogs that were answered since the
	// last call: alert, confirm and beforeunload accepted, prompt dismissed.
	Dialogs []Dialog
	// Downloads are those that began since the last call, or were refused.
	Downloads []Started
	// AskedFiles says that the page has opened a file chooser since the last call,
	// which nobody but Upload answers: it was told that nothing was chosen.
	AskedFiles bool
	// Dialog is the one that the page shows and that waits for an answer; the page
	// stands still meanwhile. Nil for none. See [Navigation.AskDialogs].
	Dialog *OpenDialog
	// Tabs are those that are open, without Guests, in the order in which they were
	// opened; nil while there is one only.
	Tabs []Tab
	// Behind and Ahead are how many pages the history of the tab has in each
	// direction; told by what moves in it, else 0.
	Behind, Ahead int
}

// Dialog is a JavaScript dialog that a page showed.
type Dialog struct {
	// Type is alert, confirm, prompt or beforeunload.
	Type string
	// Message is the page's text: untrusted.
	Message string
	// Accepted says how it was answered.
	Accepted bool
}

// Ref names an element of a snapshot, as "e12", or "f1e3" in a frame.
type Ref string

// Snapshot is the visible page as a list of elements in document order.
type Snapshot struct {
	Page     Page
	Elements []Element
	// Truncated reports that the page has more elements than the limit. What can be
	// seen without scrolling is listed all the same.
	Truncated bool
	// Unlisted is how many elements were left out, about.
	Unlisted int
	// Scroll is how far the page can be scrolled; nil where it cannot.
	Scroll *Scroll
}

// Element is one visible element or run of text.
type Element struct {
	// Ref is empty for what cannot be acted on.
	Ref Ref
	// Role is the ARIA role, given or implied: button, link, textbox, heading,
	// text and so on.
	Role string
	// Name is the accessible name, or the text. White space is folded.
	Name string
	// Value is what a form field shows; empty for password fields.
	Value string
	// Description is what is said about the element beside its name. Error is why
	// its value is refused.
	Description, Error string
	// Type is the type of an input element.
	Type string
	// Placeholder is the hint of a form field.
	Placeholder string
	// Min, Max and Step bound the value, as the page writes them.
	Min, Max, Step string
	// URL is the absolute target of a link.
	URL string
	// Level is that of a heading, or of an item of a tree.
	Level int
	// Depth is the nesting among the elements listed, for indentation.
	Depth int
	// Disabled and Checked are states of form controls; Checked is also what
	// is selected (a tab) or pressed (a switch), as States say. States are all
	// others.
	Disabled, Checked bool
	States            States
	// Options are the labels that a list of choices offers, or that are proposed
	// for a field, at most 50, and MoreOptions how many there are beside them. Typing
	// one of them into the element chooses it; Value has those that are chosen.
	Options     []string
	MoreOptions int
	// Unlisted is how many elements in it are left out, about, where the page has
	// more than the limit.
	Unlisted int
	// Scroll is how far what is in the element can be scrolled; nil where it cannot.
	Scroll *Scroll
	// Frame is empty for the main frame, else "f1", "f2", ….
	Frame string
	// Box is where the element is; nil where it was not asked for, but of a canvas,
	// and for text.
	Box *Box
}

// TypeOptions say how to type. The zero value replaces what the field holds.
type TypeOptions struct {
	// Append keeps what the field holds and types behind it. Default false.
	Append bool
	// Submit presses Enter afterwards. Default false.
	Submit bool
	// Allow is asked, before anything is done, for the origin of the document that
	// the element is in, as browsers serialise it: "null" for an opaque one. Its
	// error is returned. The text then goes into the element in a document of this
	// origin, or nowhere: neither another document in its place nor another
	// frame that takes the focus gets it. Keys are then made by Drover, not by
	// the browser. Default: nobody is asked, and the text goes where the focus is.
	Allow func(origin string) error
	// Spread is told the further fields that a text for boxes of one character each
	// is put into, before it is. Default nobody is told.
	Spread func(refs []Ref)
}

// StaleError is the use of a Ref whose element is no longer on the page, or never
// was: see [Snapshot.Find].
type StaleError struct {
	Ref Ref
	// Was describes the element that the snapshots before had under it: its role and
	// name, untrusted; empty where there was none.
	Was string
}

func (e *StaleError) Error() string {
	if why, ok := e.Ref.missing(); ok {
		return why
	}
	if e.Was == "" {
		return fmt.Sprintf("there is no element %s on the page; take a new snapshot", e.Ref)
	}
	return fmt.Sprintf("element %s (%s) is no longer on the page; take a new snapshot", e.Ref, e.Was)
}

// CoveredError is a click on an element that another one covers.
type CoveredError struct {
	Ref Ref
	// By describes the covering element: its role and name, untrusted.
	By string
}

func (e *CoveredError) Error() string {
	return fmt.Sprintf("element %s is covered by %s", e.Ref, e.By)
}
