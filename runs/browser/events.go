package browser

import (
	"encoding/json"
	"time"
)

// Event is something that happened in a session.
type Event struct {
	Time time.Time
	// Tab is the ID of the tab; empty where it is of none.
	Tab string
	// Method is the name of the event in the DevTools protocol:
	// Network.requestWillBeSent, Network.responseReceived,
	// Network.loadingFailed, Network.webSocketCreated, Page.frameNavigated,
	// Page.javascriptDialogOpening, Runtime.consoleAPICalled,
	// Runtime.exceptionThrown, Target.targetCreated, Target.targetDestroyed,
	// Target.targetCrashed, Browser.downloadWillBegin,
	// Browser.downloadProgress; a command of an external client that is a person's
	// act: Input.dispatchMouseEvent, Input.dispatchTouchEvent,
	// Input.dispatchKeyEvent or Input.insertText, without what is typed; or
	// [EventsDropped].
	Method string
	// Params are the event's parameters as in the protocol, as far as they are
	// of use: without bodies, without the headers Cookie, Set-Cookie,
	// Authorization and Proxy-Authorization, without credentials in URLs, and
	// with long texts cut. Untrusted.
	Params json.RawMessage
}

// EventsDropped is the Method of the Event that says how many were left out
// because they came too fast, as {"count": n}.
const EventsDropped = "Drover.eventsDropped"
