package page

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// What an observer is told: the parameters of the protocol, as far as they are
// of use, made anew so that nothing of a page's size or secrets slips through.

type params = map[string]any

// see takes in an event of a tab. It runs on the goroutine that reads the
// tab's messages. The result is false for a message to the console, or an
// exception, beyond what can be told.
func (w *observer) see(tab string, ev any) bool {
	if w == nil {
		return true
	}
	switch ev := ev.(type) {
	case *page.EventJavascriptDialogOpening:
		w.note(tab, page.JavascriptDialogOpening.Method, params{
			"url": ShownURL(ev.URL), "type": ev.Type, "message": CutText(ev.Message, MaxText)})
	case *page.EventFrameNavigated:
		w.navigated(tab, ev)
	case *page.EventNavigatedWithinDocument:
		if w.fits() {
			w.note(tab, page.NavigatedWithinDocument.Method, params{"frameId": ev.FrameID, "url": ShownURL(ev.URL)})
		}
	case *inspector.EventTargetCrashed:
		w.note(tab, "Target.targetCrashed", params{"targetId": tab})
	case *runtime.EventConsoleAPICalled, *runtime.EventExceptionThrown:
		if !w.fits() {
			return false
		}
		w.seeConsole(tab, ev)
	default:
		w.seeNetwork(tab, ev)
	}
	return true
}

func (w *observer) navigated(tab string, ev *page.EventFrameNavigated) {
	if ev.Frame == nil || ev.Frame.ParentID != "" && !w.fits() {
		return
	}
	frame := params{"id": ev.Frame.ID, "loaderId": ev.Frame.LoaderID, "url": ShownURL(ev.Frame.URL), "mimeType": CutText(ev.Frame.MimeType, 200)}
	if ev.Frame.ParentID != "" {
		frame["parentId"] = ev.Frame.ParentID
	}
	if ev.Frame.UnreachableURL != "" {
		frame["unreachableUrl"] = ShownURL(ev.Frame.UnreachableURL)
	}
	w.note(tab, page.FrameNavigated.Method, params{"frame": frame})
}

func (w *observer) seeConsole(tab string, ev any) {
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		args := make([]params, 0, len(ev.Args))
		for _, arg := range ev.Args[:min(len(ev.Args), maxArgs)] {
			args = append(args, object(arg))
		}
		w.note(tab, runtime.ConsoleAPICalled.Method, params{"type": ev.Type, "args": args})
	case *runtime.EventExceptionThrown:
		if d := ev.ExceptionDetails; d != nil {
			w.note(tab, runtime.ExceptionThrown.Method, params{"exceptionDetails": params{
				"text": CutText(d.Text, MaxText), "url": ShownURL(d.URL), "lineNumber": d.LineNumber,
				"columnNumber": d.ColumnNumber, "exception": object(d.Exception)}})
		}
	}
}

// object is a value of a page's script as text.
func object(o *runtime.RemoteObject) params {
	if o == nil {
		return nil
	}
	p := params{"type": o.Type}
	for name, text := range map[string]string{
		"value": string(o.Value), "description": o.Description, "unserializableValue": string(o.UnserializableValue), "subtype": string(o.Subtype),
	} {
		if text != "" {
			p[name] = CutText(unquoted(text), MaxText)
		}
	}
	return p
}

// MaxText bounds a single text, and maxArgs the arguments of one message.
const (
	MaxText = 4000
	maxArgs = 20
)

func (w *observer) seeNetwork(tab string, ev any) {
	method, p := networkEvent(ev)
	if p != nil && (ofPage(tab, ev) || w.fits()) {
		w.note(tab, method, p())
	}
}

// ofPage reports whether an event is about the document of a tab itself: what
// was asked for, each redirect, and the answer. It is told however many others
// there are.
func ofPage(tab string, ev any) bool {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		return ev.Type == network.ResourceTypeDocument && string(ev.FrameID) == tab
	case *network.EventResponseReceived:
		return ev.Type == network.ResourceTypeDocument && string(ev.FrameID) == tab
	}
	return false
}

// networkEvent returns the name of an event of the network and what makes its
// parameters; nil for other events.
func networkEvent(ev any) (method string, make func() params) {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if ev.Request == nil {
			return "", nil
		}
		return network.RequestWillBeSent.Method, func() params { return requestSent(ev) }
	case *network.EventResponseReceived:
		if ev.Response == nil {
			return "", nil
		}
		return network.ResponseReceived.Method, func() params {
			return params{"requestId": ev.RequestID, "loaderId": ev.LoaderID, "frameId": ev.FrameID, "type": ev.Type, "response": response(ev.Response)}
		}
	case *network.EventLoadingFailed:
		return network.LoadingFailed.Method, func() params {
			return params{"requestId": ev.RequestID, "type": ev.Type, "errorText": ev.ErrorText, "canceled": ev.Canceled, "blockedReason": ev.BlockedReason}
		}
	case *network.EventWebSocketCreated:
		return network.WebSocketCreated.Method, func() params { return params{"requestId": ev.RequestID, "url": ShownURL(ev.URL)} }
	case *network.EventWebSocketClosed:
		return network.WebSocketClosed.Method, func() params { return params{"requestId": ev.RequestID} }
	}
	return "", nil
}

func requestSent(ev *network.EventRequestWillBeSent) params {
	p := params{"requestId": ev.RequestID, "loaderId": ev.LoaderID, "frameId": ev.FrameID, "type": ev.Type,
		"request": params{"url": ShownURL(ev.Request.URL), "method": CutText(ev.Request.Method, 100), "headers": headers(ev.Request.Headers)}}
	if ev.RedirectResponse != nil {
		p["redirectResponse"] = response(ev.RedirectResponse)
	}
	return p
}

func response(r *network.Response) params {
	return params{"url": ShownURL(r.URL), "status": r.Status, "statusText": CutText(r.StatusText, 200),
		"mimeType": CutText(r.MimeType, 200), "headers": headers(r.Headers), "fromServiceWorker": r.FromServiceWorker, "fromDiskCache": r.FromDiskCache}
}

// secretWords are in the names of headers that are never told: those that say who
// somebody is, whatever a site calls them.
var secretWords = []string{"cookie", "auth", "token", "secret", "key", "csrf", "xsrf", "session", "password", "credential", "signature"}

func isSecret(header string) bool {
	header = strings.ToLower(header)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(header, word) })
}

// maxHeaders bounds the headers of one message that are told.
const maxHeaders = 60

// headers are those that may be told. URLs in them can hold credentials, too.
func headers(h network.Headers) map[string]string {
	told := map[string]string{}
	for name, value := range h {
		text, ok := value.(string)
		if !ok || len(told) >= maxHeaders || isSecret(name) {
			continue
		}
		if strings.Contains(text, "://") && strings.Contains(text, "@") {
			text = ShownURL(text)
		}
		told[CutText(name, 200)] = CutText(text, MaxURL)
	}
	return told
}
