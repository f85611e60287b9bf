package sessions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/jpeg"

	"github.com/drover-go/drover/internal/shorten"
)

// WireEvent is an event of a recording as it goes over the wire, in the format of
// rrweb: players of that play it.
type WireEvent struct {
	Type int `json:"type"`
	// Timestamp is in milliseconds since 1970.
	Timestamp int64           `json:"timestamp"`
	SessionID string          `json:"sessionId"`
	Data      json.RawMessage `json:"data"`
}

// The types of events in the format.
const (
	fullSnapshotEvent = 2
	incrementalEvent  = 3
	metaEvent         = 4
	customEvent       = 5
)

// Wire returns a recording as it goes over the wire. It begins with a document
// that shows the first frame; each further frame changes the picture in it, or
// is a document of its own where the page or its size is another one, and now
// and then, so that players need not go back far. All else are events of type 5.
func Wire(all []RecordingEvent) []WireEvent {
	w := wiring{out: []WireEvent{}, pages: addresses{}}
	for _, e := range all {
		if picture, ok := e.picture(); ok {
			w.see(picture)
			break
		}
	}
	for i, e := range all {
		picture, ok := e.picture()
		switch {
		case i == 0:
			w.document(e)
		case ok:
			w.show(e, picture)
		}
		if !ok {
			w.pages.see(e)
			w.out = append(w.out, e.wire(customEvent, e.Data))
		}
	}
	return w.out
}

func (e RecordingEvent) wire(kind int, data json.RawMessage) WireEvent {
	return WireEvent{kind, e.Time.UnixMilli(), e.SessionID, data}
}

// A wiring makes a recording into events of the format.
type wiring struct {
	out   []WireEvent
	pages addresses
	shown framePayload // what the document shows
	href  string       // of the document
	since int          // how many frames ago that was made
}

// picture returns the frame that an event is; false for other events.
func (e RecordingEvent) picture() (p framePayload, ok bool) {
	d := parsed[eventData[json.RawMessage]](e.Data)
	ok = d.Tag == "frame" && json.Unmarshal(d.Payload, &p) == nil
	return p, ok
}

// The size of a page whose own is not known, which is that of a session that
// names none.
const defaultWidth, defaultHeight = 1280, 800

// see makes a picture the one that is shown. One that was recorded without its
// size has that of its pixels.
func (w *wiring) see(p framePayload) {
	if p.Width < 1 || p.Height < 1 {
		c, err := jpeg.DecodeConfig(bytes.NewReader(p.Data))
		if p.Width, p.Height = c.Width, c.Height; err != nil {
			p.Width, p.Height = defaultWidth, defaultHeight
		}
	}
	w.shown = p
}

// maxMutations is how many frames change one document.
const maxMutations = 50

func (w *wiring) show(e RecordingEvent, p framePayload) {
	before := w.shown
	w.see(p)
	w.since++
	same := w.shown.Width == before.Width && w.shown.Height == before.Height
	if !same || w.pages[p.PageID] != w.href || before.Data == nil || w.since >= maxMutations {
		w.document(e)
		return
	}
	if !bytes.Equal(p.Data, before.Data) {
		w.out = append(w.out, e.wire(incrementalEvent, encoded(mutation{
			Texts: []any{}, Removes: []any{}, Adds: []any{},
			Attributes: []change{{pictureNode, map[string]string{"src": w.source()}}},
		})))
	}
}

// addresses are those of tabs, as far as a recording says.
type addresses map[string]string

// see notes the address that a tab has got.
func (a addresses) see(e RecordingEvent) {
	if d := parsed[eventData[eventPayload]](e.Data); d.Payload.Method == "Page.frameNavigated" {
		a[d.Payload.PageID] = shorten.Bytes(navigated(d.Payload.Params).Frame.URL, maxAddress)
	}
}

func (w *wiring) source() string {
	if w.shown.Data == nil {
		return ""
	}
	return "data:" + w.shown.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(w.shown.Data)
}

// document makes a document for the picture that is shown.
func (w *wiring) document(e RecordingEvent) {
	w.href, w.since = w.pages[w.shown.PageID], 0
	href := w.href
	if href == "" {
		href = "about:blank"
	}
	width, height := w.shown.Width, w.shown.Height
	if w.shown.Data == nil {
		width, height = defaultWidth, defaultHeight
	}
	w.out = append(w.out,
		e.wire(metaEvent, encoded(map[string]any{"href": href, "width": width, "height": height})),
		e.wire(fullSnapshotEvent, encoded(map[string]any{
			"node": w.tree(width, height), "initialOffset": map[string]int{"left": 0, "top": 0},
		})))
}

// node is one of a document: 0 the document itself, 1 its type, 2 an element, 3
// text.
type node struct {
	Type       int               `json:"type"`
	ID         int               `json:"id"`
	Name       string            `json:"name,omitempty"`
	PublicID   *string           `json:"publicId,omitempty"`
	SystemID   *string           `json:"systemId,omitempty"`
	TagName    string            `json:"tagName,omitempty"`
	Attributes map[string]string `json:"attributes,omitzero"`
	ChildNodes []node            `json:"childNodes,omitzero"`
	Text       string            `json:"textContent,omitempty"`
}

// pictureNode is the id of the picture in each document.
const pictureNode = 6

func element(id int, tag string, attributes map[string]string, children ...node) node {
	if attributes == nil {
		attributes = map[string]string{}
	}
	return node{Type: 2, ID: id, TagName: tag, Attributes: attributes, ChildNodes: append([]node{}, children...)}
}

// tree is a document with a picture, or with words where nothing was filmed.
func (w *wiring) tree(width, height int) node {
	shown := element(pictureNode, "p", nil, node{Type: 3, ID: pictureNode + 1, Text: "No frames of this session were recorded."})
	if w.shown.Data != nil {
		shown = element(pictureNode, "img", map[string]string{
			"alt": "The screen of the session", "src": w.source(),
			"style": fmt.Sprintf("display: block; width: %dpx; height: %dpx", width, height),
		})
	}
	return node{Type: 0, ID: 1, ChildNodes: []node{
		{Type: 1, ID: 2, Name: "html", PublicID: new(string), SystemID: new(string)},
		element(3, "html", nil, element(4, "head", nil), element(5, "body", map[string]string{"style": "margin: 0"}, shown)),
	}}
}

// mutation is a change of a document; its source is 0.
type mutation struct {
	Source     int      `json:"source"`
	Texts      []any    `json:"texts"`
	Attributes []change `json:"attributes"`
	Removes    []any    `json:"removes"`
	Adds       []any    `json:"adds"`
}

type change struct {
	ID         int               `json:"id"`
	Attributes map[string]string `json:"attributes"`
}

func encoded(v any) json.RawMessage {
	data, _ := json.Marshal(v) // of strings and numbers: it cannot fail
	return data
}
