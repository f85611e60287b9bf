package browser

import "time"

// Tab is an open page.
type Tab struct {
	// ID names the tab for as long as it is open.
	ID string
	// Name is a short one, t1, t2, …, that no other tab of the session ever has;
	// empty for a Guest.
	Name string
	// Current says that it is the tab that is worked on.
	Current bool
	// URL and Title are the page's: untrusted.
	URL, Title string
	// Guest says that the tab is in a browser context that an external client
	// has made. The agent does not work there.
	Guest bool
	// Front says that the tab was opened, or brought to the front by a client,
	// after all others: it is the one that people are shown.
	Front bool
	// Dialog is the JavaScript dialog that waits for an answer, of a client or of
	// who drives the session; nil for none.
	Dialog *OpenDialog
}

// OpenDialog is a JavaScript dialog that a page shows.
type OpenDialog struct {
	// Type is alert, confirm, prompt or beforeunload.
	Type string
	// Message is the page's text, and Default what it suggests as the answer to a
	// prompt: untrusted.
	Message, Default string
	// Origin is that of the document that shows it, as browsers serialise it.
	Origin string
}

// ScreenshotOptions say what to take a picture of. The zero value is a PNG of
// the viewport.
type ScreenshotOptions struct {
	// JPEG rather than PNG. Default false.
	JPEG bool
	// Quality of a JPEG, 1 to 100. Default 80.
	Quality int
	// FullPage takes the whole page and not only the viewport. Default false.
	FullPage bool
	// Clip is the part of the page to take, in CSS pixels from the page's
	// beginning; not together with FullPage. Default: the viewport.
	Clip *Clip
}

// Clip is a part of a page, in CSS pixels.
type Clip struct{ X, Y, Width, Height float64 }

// PDFOptions say how to print. The zero value is A4, upright, with a white
// background.
type PDFOptions struct {
	// Width and Height of the paper in inches, at most 200. Default 8.27 by
	// 11.69, A4.
	Width, Height float64
	// Landscape swaps them. Default false.
	Landscape bool
	// Background prints the colours and pictures behind the text. Default
	// false.
	Background bool
}

// ScreencastOptions say what frames to show. The zero value follows the
// current tab.
type ScreencastOptions struct {
	// Tab is the ID of the tab to show. Default: the one in front, whichever
	// that is at the time.
	Tab string
	// Quality of the JPEG pictures, 1 to 100. Default 60.
	Quality int
	// MaxWidth and MaxHeight bound the pictures, in pixels; while others look
	// at the same tab, the largest of all bounds holds, and the best Quality.
	// Default: the size of the viewport.
	MaxWidth, MaxHeight int
}

// Frame is a picture of a tab.
type Frame struct {
	// Tab is the ID of the tab.
	Tab string
	// Time is when it was drawn.
	Time time.Time
	// Data is a JPEG.
	Data []byte
	// Width and Height of the viewport in CSS pixels, which the picture shows.
	Width, Height int
}
