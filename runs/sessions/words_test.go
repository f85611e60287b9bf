package sessions

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Each event that matters to people has words; what only a program needs to
// know has none.
func TestTheLogInWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ method, params, kind, want string }{
		{"Page.frameNavigated", `{"frame":{"url":"https://a.example/?q=1&token=abc"}}`, "navigation", "Navigated to https://a.example/?q=1&token=***"},
		{"Page.frameNavigated", `{"frame":{"url":"chrome-error://x/","unreachableUrl":"https://b.example/"}}`, "failure", "Could not open https://b.example/"},
		{"Page.frameNavigated", `{"frame":{"url":"https://a.example/","parentId":"F"}}`, "", ""},
		{"Network.requestWillBeSent", `{"requestId":"1","type":"Image","request":{"url":"https://a.example/x.png"}}`, "", ""},
		{"Network.loadingFailed", `{"requestId":"1","errorText":"net::ERR_FAILED"}`, "failure", "Failed to load https://a.example/x.png: ERR_FAILED"},
		{"Network.loadingFailed", `{"requestId":"1","errorText":"net::ERR_ABORTED","canceled":true}`, "", ""},
		{"Network.loadingFailed", `{"requestId":"4","errorText":"net::ERR_TUNNEL_CONNECTION_FAILED"}`, "failure", "Failed to load https://NO.example/: the host name could not be resolved"},
		{"Network.loadingFailed", `{"requestId":"4","errorText":"net::ERR_CERT_DATE_INVALID"}`, "failure", "Failed to load https://NO.example/: ERR_CERT_DATE_INVALID"},
		{"Network.loadingFailed", `{"requestId":"1","errorText":"net::ERR_TUNNEL_CONNECTION_FAILED"}`, "failure", "Failed to load https://a.example/x.png: ERR_TUNNEL_CONNECTION_FAILED"},
		{"Drover.connectionFailed", `{"target":"a.example:443","shown":"the host name could not be resolved"}`, "", ""},
		{"Network.loadingFailed", `{"requestId":"2"}`, "failure", "Failed to load something"},
		{"Network.requestWillBeSent", `{"requestId":"3","type":"Document","request":{"url":"https://a.example/2"},"redirectResponse":{"status":302}}`, "navigation", "Redirected (302) to https://a.example/2"},
		{"Network.responseReceived", `{"response":{"url":"http://127.0.0.1:1/x","status":403,"headers":{"x-drover-refused":"a loopback address"}}}`, "failure", "Refused to load http://127.0.0.1:1/x: a loopback address"},
		{"Network.responseReceived", `{"response":{"url":"https://a.example/x","status":404}}`, "failure", "Failed to load https://a.example/x: the server answered 404"},
		{"Network.responseReceived", `{"response":{"url":"https://a.example/x","status":200}}`, "", ""},
		{"Page.javascriptDialogOpening", `{"type":"alert","message":"hello\u202e\n<b>you</b>"}`, "dialog", "The page showed a dialog (alert): “hello <b>you</b>”"},
		{"Runtime.consoleAPICalled", `{"type":"error","args":[{"value":"a"},{"description":"b"}]}`, "console", "Console error: a b"},
		{"Runtime.exceptionThrown", `{"exceptionDetails":{"text":"Uncaught","exception":{"description":"Error: x\n  at y"}}}`, "failure", "Error in the page: Uncaught Error: x"},
		{"Browser.downloadWillBegin", `{"guid":"g","suggestedFilename":"a.pdf"}`, "download", "Began to download “a.pdf”"},
		{"Browser.downloadProgress", `{"guid":"g","state":"completed","receivedBytes":12345}`, "download", "Downloaded “a.pdf” (12.3 kB)"},
		{"Browser.downloadProgress", `{"guid":"h","state":"canceled","reason":"too large"}`, "failure", "Did not download a file: too large"},
		{"Target.targetCreated", `{"popup":true}`, "tab", "The page opened a popup"},
		{"Target.targetCreated", `{"popup":false}`, "tab", "Opened a tab"},
		{"Target.targetDestroyed", `{}`, "tab", "Closed a tab"},
		{"Target.targetCrashed", `{}`, "failure", "The page crashed"},
		{"Input.dispatchMouseEvent", `{"x":12.4,"y":7,"button":"right"}`, "input", "Clicked at 12, 7 with the right button"},
		{"Input.dispatchKeyEvent", `{"key":"Enter"}`, "input", "Pressed Enter"},
		{"Input.insertText", `{}`, "input", "Typed text"},
		{"Drover.note", `{"message":"captchas"}`, "note", "captchas"},
		{"Drover.eventsDropped", `{"count":3}`, "note", "3 events were left out: they came too fast"},
		{"Network.webSocketCreated", `{"url":"wss://a.example/"}`, "", ""},
		{"Page.frameNavigated", `[7]`, "navigation", "Navigated to "},
		{"Runtime.consoleAPICalled", `{"type":"log","args":[{"value":"` + strings.Repeat("ä", 500) + `"}]}`, "console", "Console: " + strings.Repeat("ä", 300) + "…"},
	} {
		n := Narrator{}
		n.Log(LogEntry{Method: "Network.requestWillBeSent", Params: json.RawMessage(`{"requestId":"1","request":{"url":"https://a.example/x.png"}}`)})
		n.Log(LogEntry{Method: "Network.requestWillBeSent", Params: json.RawMessage(`{"requestId":"4","request":{"url":"https://NO.example/"}}`)})
		n.Log(LogEntry{Method: "Drover.connectionFailed", Params: json.RawMessage(`{"target":"no.example:443","reason":"the proxy http://secret.example is off","shown":"the host name could not be resolved"}`)})
		n.Log(LogEntry{Method: "Browser.downloadWillBegin", Params: json.RawMessage(`{"guid":"g","suggestedFilename":"a.pdf"}`)})
		l, ok := n.Log(LogEntry{Method: test.method, Params: json.RawMessage(test.params)})
		if l.Text != test.want || string(l.Kind) != test.kind || ok != (test.want != "") {
			t.Errorf("%s %s: %v %q %q", test.method, test.params, ok, l.Kind, l.Text)
		}
	}
}

func TestStepsInWords(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`{"tag":"step","payload":{"tool":"click","output":"Clicked button \"Send\"."}}`:                          `Clicked button "Send".`,
		`{"tag":"step","payload":{"tool":"click","output":"Error: it is covered","failed":true}}`:                `click: Error: it is covered`,
		`{"tag":"step","payload":{"tool":"snapshot","output":"URL: https://a.example/?sid=1"}}`:                  `snapshot: URL: https://a.example/?sid=***`,
		`{"tag":"step","payload":{"tool":"extract","input":{"a":1}}}`:                                            `extract {"a":1}`,
		`{"tag":"event","payload":{"method":"Page.frameNavigated","params":{"frame":{"url":"https://a.test"}}}}`: `Navigated to https://a.test`,
		`{"tag":"frame","payload":{"data":"eA=="}}`:                                                              ``,
		`{"tag":"truncated","payload":{}}`:                                                                       `From here on something was left out: there was more than a recording keeps`,
	} {
		var n Narrator
		if l, ok := n.Recording(RecordingEvent{Data: json.RawMessage(data)}); l.Text != want || ok != (want != "") {
			t.Errorf("%s: %q", data, l.Text)
		}
	}
}

// A recording over the wire begins with a document, in order of time, whatever is
// in it.
func TestRecordingsOverTheWire(t *testing.T) {
	t.Parallel()
	frame := func(page string, data []byte) json.RawMessage {
		return encoded(eventData[framePayload]{"frame", framePayload{PageID: page, MIMEType: "image/jpeg", Data: data}})
	}
	step := json.RawMessage(`{"tag":"step","payload":{"tool":"click"}}`)
	moved := json.RawMessage(`{"tag":"event","payload":{"method":"Page.frameNavigated","pageId":"T","params":{"frame":{"url":"https://a.example/"}}}}`)
	for name, test := range map[string]struct {
		data []json.RawMessage
		want []int
	}{
		"nothing":      {nil, nil},
		"steps only":   {[]json.RawMessage{step, step}, []int{4, 2, 5, 5}},
		"a frame":      {[]json.RawMessage{frame("T", picture())}, []int{4, 2}},
		"two frames":   {[]json.RawMessage{step, frame("T", picture()), frame("T", []byte("another"))}, []int{4, 2, 5, 4, 2}},
		"same size":    {[]json.RawMessage{frame("T", picture()), frame("T", append(picture(), 0))}, []int{4, 2, 3}},
		"same picture": {[]json.RawMessage{frame("T", picture()), frame("T", picture())}, []int{4, 2}},
		"a page":       {[]json.RawMessage{frame("T", picture()), moved, frame("T", append(picture(), 0))}, []int{4, 2, 5, 4, 2}},
	} {
		var all []RecordingEvent
		for i, data := range test.data {
			all = append(all, RecordingEvent{customEvent, noon.Add(time.Duration(i) * time.Second), "s", data})
		}
		var got []int
		var before int64
		for _, e := range Wire(all) {
			got = append(got, e.Type)
			if e.Timestamp < before || e.SessionID != "s" || !json.Valid(e.Data) {
				t.Errorf("%s: %+v", name, e)
			}
			before = e.Timestamp
		}
		if string(encoded(got)) != string(encoded(test.want)) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
