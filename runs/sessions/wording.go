package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/weburl"
)

// wordings say each event of the browser, or what a client did, in words; no
// words say that it is of no interest to people.
var wordings = map[string]func(n *Narrator, params json.RawMessage) (LineKind, string){
	"Page.frameNavigated":          (*Narrator).navigation,
	"Page.javascriptDialogOpening": (*Narrator).dialog,
	"Network.requestWillBeSent":    (*Narrator).request,
	"Network.responseReceived":     (*Narrator).response,
	"Network.loadingFailed":        (*Narrator).failed,
	"Runtime.consoleAPICalled":     (*Narrator).console,
	"Runtime.exceptionThrown":      (*Narrator).exception,
	"Browser.downloadWillBegin":    (*Narrator).downloading,
	"Browser.downloadProgress":     (*Narrator).downloaded,
	"Target.targetCreated":         (*Narrator).opened,
	"Target.targetDestroyed":       always(LineTab, "Closed a tab"),
	"Target.targetCrashed":         always(LineFailure, "The page crashed"),
	"Input.dispatchMouseEvent":     (*Narrator).clicked,
	"Input.dispatchTouchEvent":     (*Narrator).tapped,
	"Input.dispatchKeyEvent":       (*Narrator).typed,
	"Input.insertText":             always(LineInput, "Typed text"),
	"Page.navigatedWithinDocument": (*Narrator).moved,
	"Drover.note":                  (*Narrator).note,
	"Drover.connectionFailed":      (*Narrator).unreached,
	"Drover.eventsDropped":         (*Narrator).dropped,
}

func (n *Narrator) words(method string, params json.RawMessage) (LineKind, string) {
	if say, ok := wordings[method]; ok {
		return say(n, params)
	}
	return "", ""
}

func always(kind LineKind, text string) func(*Narrator, json.RawMessage) (LineKind, string) {
	return func(*Narrator, json.RawMessage) (LineKind, string) { return kind, text }
}

func (n *Narrator) navigation(params json.RawMessage) (LineKind, string) {
	f := navigated(params).Frame
	switch {
	case f.ParentID != "":
		return "", ""
	case f.UnreachableURL != "":
		return LineFailure, "Could not open " + shownText(f.UnreachableURL)
	}
	return LineNavigation, "Navigated to " + shownText(f.URL)
}

func (n *Narrator) moved(params json.RawMessage) (LineKind, string) {
	return LineNavigation, "The page’s address became " + shownText(parsed[struct{ URL string }](params).URL)
}

func (n *Narrator) dialog(params json.RawMessage) (LineKind, string) {
	p := parsed[struct{ Type, Message string }](params)
	return LineDialog, fmt.Sprintf("The page showed a dialog (%s): %s", shownText(cmp.Or(p.Type, "alert")), quoted(p.Message))
}

// exchange is what there is to know of a request or its answer.
type exchange struct {
	RequestID     string
	Type          string
	Request       struct{ URL string }
	Response      answered
	Redirected    *answered `json:"redirectResponse"`
	ErrorText     string
	Canceled      bool
	BlockedReason string
}

type answered struct {
	URL     string
	Status  int
	Headers map[string]any
}

// refusal is why no server was asked, of an answer that Drover's own proxy has given;
// "" for one of a server.
func (a answered) refusal() string {
	for name, value := range a.Headers {
		if strings.EqualFold(name, egress.RefusedHeader) {
			return fmt.Sprint(value)
		}
	}
	return ""
}

// document is the type of what is shown in a tab or a frame.
const document = "Document"

// request remembers the address, and tells of a redirect of a page.
func (n *Narrator) request(params json.RawMessage) (LineKind, string) {
	e := parsed[exchange](params)
	n.requests.put(e.RequestID, e.Request.URL)
	if e.Redirected == nil || e.Type != document {
		return "", ""
	}
	return LineNavigation, fmt.Sprintf("Redirected (%d) to %s", e.Redirected.Status, shownText(e.Request.URL))
}

func (n *Narrator) response(params json.RawMessage) (LineKind, string) {
	e := parsed[exchange](params)
	if e.Response.Status < 400 {
		return "", ""
	}
	if why := e.Response.refusal(); why != "" {
		return LineFailure, fmt.Sprintf("Refused to load %s: %s", shownText(e.Response.URL), shownText(why))
	}
	return LineFailure, fmt.Sprintf("Failed to load %s: the server answered %d", shownText(e.Response.URL), e.Response.Status)
}

// unreached remembers why a server was not connected to, for the requests that
// failed for it.
func (n *Narrator) unreached(params json.RawMessage) (LineKind, string) {
	p := parsed[struct{ Target, Shown string }](params)
	n.servers.put(strings.ToLower(p.Target), p.Shown)
	return "", ""
}

func (n *Narrator) failed(params json.RawMessage) (LineKind, string) {
	e := parsed[exchange](params)
	if e.Canceled {
		return "", ""
	}
	address, known := n.requests.texts[e.RequestID]
	if !known {
		address = "something"
	}
	text := "Failed to load " + shownText(address)
	if why := cmp.Or(n.behind(e.ErrorText, address), strings.TrimPrefix(e.ErrorText, "net::"), e.BlockedReason); why != "" {
		text += ": " + shownText(why)
	}
	return LineFailure, text
}

// behind is why a server was not connected to, where an error of the browser can
// stand for that.
func (n *Narrator) behind(errorText, address string) string {
	u, err := url.Parse(address)
	if err != nil || !ofConnection(errorText) {
		return ""
	}
	return n.servers.texts[weburl.Target(u)]
}

// ofConnection reports whether an error of the browser is what it makes of a
// proxy that does not connect to a server, whatever the reason.
func ofConnection(errorText string) bool {
	return errorText == "net::ERR_TUNNEL_CONNECTION_FAILED" || errorText == "net::ERR_EMPTY_RESPONSE"
}

// value is one of a script.
type value struct{ Value, Description, UnserializableValue string }

func (v value) text() string { return cmp.Or(v.Value, v.Description, v.UnserializableValue) }

func (n *Narrator) console(params json.RawMessage) (LineKind, string) {
	p := parsed[struct {
		Type string
		Args []value
	}](params)
	var said []string
	for _, arg := range p.Args {
		said = append(said, arg.text())
	}
	name := "Console"
	switch p.Type {
	case "error", "assert":
		name += " error"
	case "warning":
		name += " warning"
	}
	return LineConsole, name + ": " + shownText(strings.Join(said, " "))
}

func (n *Narrator) exception(params json.RawMessage) (LineKind, string) {
	d := parsed[struct {
		ExceptionDetails struct {
			Text      string
			Exception value
		}
	}](params).ExceptionDetails
	text, _, _ := strings.Cut(d.Exception.text(), "\n")
	return LineFailure, "Error in the page: " + shownText(d.Text+" "+text)
}

// transfer is what there is to know of a download.
type transfer struct {
	GUID              string
	SuggestedFilename string
	State, Reason     string
	ReceivedBytes     float64
}

func (n *Narrator) downloading(params json.RawMessage) (LineKind, string) {
	p := parsed[transfer](params)
	n.files.put(p.GUID, p.SuggestedFilename)
	return LineDownload, "Began to download " + quoted(p.SuggestedFilename)
}

func (n *Narrator) downloaded(params json.RawMessage) (LineKind, string) {
	p := parsed[transfer](params)
	name := "a file"
	if known := n.files.texts[p.GUID]; known != "" {
		name = quoted(known)
	}
	if p.State == "completed" {
		return LineDownload, fmt.Sprintf("Downloaded %s (%s)", name, size(p.ReceivedBytes))
	}
	text := "Did not download " + name
	if p.Reason != "" {
		text += ": " + shownText(p.Reason)
	}
	return LineFailure, text
}

// size is a number of bytes as people read it.
func size(bytes float64) string {
	units := []string{"bytes", "kB", "MB", "GB"}
	i := 0
	for ; bytes >= 1000 && i < len(units)-1; i++ {
		bytes /= 1000
	}
	if i == 0 {
		return fmt.Sprintf("%.0f %s", bytes, units[i])
	}
	return fmt.Sprintf("%.1f %s", bytes, units[i])
}

func (n *Narrator) opened(params json.RawMessage) (LineKind, string) {
	if parsed[struct{ Popup bool }](params).Popup {
		return LineTab, "The page opened a popup"
	}
	return LineTab, "Opened a tab"
}

func (n *Narrator) clicked(params json.RawMessage) (LineKind, string) {
	p := parsed[struct {
		X, Y   float64
		Button string
	}](params)
	text := fmt.Sprintf("Clicked at %.0f, %.0f", p.X, p.Y)
	if p.Button != "" && p.Button != "left" {
		text += " with the " + shownText(p.Button) + " button"
	}
	return LineInput, text
}

func (n *Narrator) tapped(params json.RawMessage) (LineKind, string) {
	p := parsed[struct{ X, Y float64 }](params)
	return LineInput, fmt.Sprintf("Tapped at %.0f, %.0f", p.X, p.Y)
}

func (n *Narrator) typed(params json.RawMessage) (LineKind, string) {
	if key := parsed[struct{ Key string }](params).Key; key != "" {
		return LineInput, "Pressed " + shownText(key)
	}
	return LineInput, "Typed text"
}

func (n *Narrator) note(params json.RawMessage) (LineKind, string) {
	return LineNote, shownText(parsed[struct{ Message string }](params).Message)
}

func (n *Narrator) dropped(params json.RawMessage) (LineKind, string) {
	return LineNote, fmt.Sprintf("%d events were left out: they came too fast", parsed[struct{ Count int }](params).Count)
}

// stepWords tells a step of an agent: what its tool has said, which for some is
// a sentence of its own.
func stepWords(payload json.RawMessage) (LineKind, string) {
	p := parsed[struct {
		Tool, Output string
		Input        json.RawMessage
		Failed       bool
	}](payload)
	said := shownText(p.Output)
	switch {
	case p.Failed:
		return LineFailure, p.Tool + ": " + said
	case said == "" && p.Tool == "":
		return LineStep, shownText("A step: " + string(payload))
	case said == "":
		return LineStep, shownText(p.Tool + " " + string(p.Input))
	case p.Tool != "" && !sentences[p.Tool]:
		return LineStep, p.Tool + ": " + said
	}
	return LineStep, said
}

// sentences are the tools whose answers say what was done.
var sentences = map[string]bool{
	"click": true, "type": true, "navigate": true, "wait": true, "done": true,
	"fill_form": true, "select": true, "press": true, "hover": true, "drag": true, "scroll": true, "point": true,
}
