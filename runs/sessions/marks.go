package sessions

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

// marks are events of a recording that are no frames, within a number and a
// size of their own: no frame pushes them out.
type marks struct {
	most, bytes int
	all         []RecordingEvent
	size        int
}

// add keeps an event if there is room for it.
func (m *marks) add(e RecordingEvent) bool {
	if len(m.all) >= m.most || m.size+len(e.Data) > m.bytes {
		return false
	}
	m.all = append(m.all, e)
	m.size += len(e.Data)
	return true
}

// push keeps an event in the place of the oldest ones; false if any had to go,
// or it is larger than all may be.
func (m *marks) push(e RecordingEvent) bool {
	if len(e.Data) > m.bytes || m.most < 1 {
		return false
	}
	room := true
	for !m.add(e) {
		room = false
		m.size -= len(m.all[0].Data)
		m.all[0] = RecordingEvent{} // so that its memory is free before the array grows
		m.all = m.all[1:]
	}
	return room
}

// Entries of the log that belong into a recording, too: what changes what is
// seen, and what clients do to pages.
var recordedEvents = map[string]bool{
	"Page.frameNavigated": true, "Page.javascriptDialogOpening": true, "Browser.downloadWillBegin": true, "Browser.downloadProgress": true,
	"Target.targetCreated": true, "Target.targetDestroyed": true, "Target.targetCrashed": true,
	"Input.dispatchMouseEvent": true, "Input.dispatchTouchEvent": true, "Input.dispatchKeyEvent": true, "Input.insertText": true,
}

// eventData is the Data of an event, whose tag says what it is.
type eventData[T any] struct {
	Tag     string `json:"tag"`
	Payload T      `json:"payload"`
}

type eventPayload struct {
	Method string          `json:"method"`
	PageID string          `json:"pageId,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
}

// belongs reports whether an event of the browser belongs into a recording. Of
// navigations only those of whole pages do.
func belongs(e browser.Event) bool {
	if e.Method != "Page.frameNavigated" {
		return recordedEvents[e.Method]
	}
	return navigated(e.Params).Frame.ParentID == ""
}

// isAct reports whether an event is what a client did to a page.
func isAct(e browser.Event) bool { return strings.HasPrefix(e.Method, "Input.") }

// navigation is the parameters of Page.frameNavigated.
type navigation struct {
	Frame struct {
		URL            string `json:"url"`
		ParentID       string `json:"parentId"`
		UnreachableURL string `json:"unreachableUrl"`
	} `json:"frame"`
}

func navigated(params json.RawMessage) navigation { return parsed[navigation](params) }
