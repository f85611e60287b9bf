package browser

import "context"

// Navigation is how a session moves about: in the history of a tab, among its
// tabs, and past the dialogs of pages. It is part of [Session], whose rules and
// errors hold for it.
type Navigation interface {
	// Back and Forward go by one page in the history of the current tab and return
	// when it has settled. Page.Behind and Page.Ahead say what there is to go on
	// to. Error kinds: Invalid where there is no page in that direction; those of
	// Navigate.
	Back(ctx context.Context) (Page, error)
	Forward(ctx context.Context) (Page, error)
	// Reload loads the page of the current tab again. One that came of a form is
	// asked for by sending the form again. Error kinds: those of Navigate.
	Reload(ctx context.Context) (Page, error)
	// OpenTab opens a tab, which becomes the current one, and loads the address in
	// it; an empty one leaves it empty. A tab whose page cannot be loaded stays
	// open; one that has become a download is closed again. Error kinds: Invalid for
	// an address that is refused, and where as many tabs are open as may be; those of
	// Navigate.
	OpenTab(ctx context.Context, url string) (Page, error)
	// SwitchTab makes a tab the current one, by Tab.Name or Tab.ID. Error kinds:
	// Invalid for a tab that is not open.
	SwitchTab(ctx context.Context, tab string) (Page, error)
	// CloseTab closes a tab, by Tab.Name or Tab.ID, "" for the current one; the one
	// that was worked on before is current then. In place of the last one an empty
	// one is opened. Error kinds: Invalid for a tab that is not open.
	CloseTab(ctx context.Context, tab string) (Page, error)

	// AskDialogs has the session ask whoever drives it what to answer to dialogs
	// that ask something (confirm, prompt), until stop is called; several may ask.
	// Such a dialog of a tab that is no Guest stays open, and the page stands still:
	// what is being done returns at once with Page.Dialog set, and whatever is
	// called before the answer, but for Page and Answer, with a [DialogError]. One
	// that nobody answers in time is dismissed, as are those that are open when the
	// last one has stopped. It may be called at any time.
	AskDialogs() (stop func())
	// Answer answers the dialog that stands and returns when what came of it has
	// settled. Errors: Invalid where no dialog stands; that of Allow.
	Answer(ctx context.Context, a DialogAnswer) (Page, error)
}

// DialogAnswer is what is answered to a dialog. The zero value dismisses it.
type DialogAnswer struct {
	Accept bool
	// Text is what is written into a prompt that is accepted. Default empty.
	Text string
	// Allow is asked for the origin of the document that shows the dialog, before
	// it is answered; its error is returned. Default: nobody is asked.
	Allow func(origin string) error
}

// DialogError is a call for a page that stands still, because it shows a dialog
// that waits for [Navigation.Answer].
type DialogError struct{ Dialog OpenDialog }

// Error does not have the dialog's text, which is the page's.
func (e *DialogError) Error() string {
	return "the page shows a dialog and stands still until it is answered"
}
