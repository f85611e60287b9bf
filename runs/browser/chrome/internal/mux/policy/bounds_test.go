package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

// loner is nobody in a browser of its own.
type loner struct{ nobody }

func (loner) Alone() bool { return true }

// What ends a browser, or brings out what is another session's, does not pass;
// what is like it, and harmless, does. Each row that is refused did harm in
// Chromium 156, or is next to one that did.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		method, params string
		says           string // in the refusal; empty if it passes
	}{
		{"Emulation.setDisplayFeaturesOverride", `{"features":[]}`, "features must have"},
		{"Emulation.setDisplayFeaturesOverride", `{"features":[{"orientation":"vertical","offset":-1,"maskLength":1}]}`, "offset must be"},
		{"Emulation.setDisplayFeaturesOverride", `{"features":[{"orientation":"vertical","offset":100,"maskLength":10}]}`, ""},
		{"Page.printToPDF", `{"paperWidth":1e-9}`, "paperWidth must be"},
		{"Page.printToPDF", `{"paperWidth":-1}`, "paperWidth must be"},
		{"Page.printToPDF", `{"paperHeight":1e9}`, "paperHeight must be"},
		{"Page.printToPDF", `{"paperWidth":1,"marginLeft":0.5,"marginRight":0.5}`, "must leave"},
		{"Page.printToPDF", `{"marginTop":20}`, "must leave"},
		{"Page.printToPDF", `{"scale":1e300}`, "scale must be"},
		{"Page.printToPDF", `{"paperWidth":8.27,"paperHeight":11.69,"marginTop":0.4,"scale":1,"printBackground":true}`, ""},
		{"Input.imeSetComposition", `{"text":"a","selectionStart":0,"selectionEnd":0,"replacementStart":0,"replacementEnd":-1}`, "replacementEnd must be"},
		{"Input.imeSetComposition", `{"text":"a","selectionStart":0,"selectionEnd":0,"replacementStart":5,"replacementEnd":2}`, "before the start"},
		{"Input.imeSetComposition", `{"text":"a","selectionStart":0,"selectionEnd":0,"replacementEnd":2}`, "together"},
		{"Input.imeSetComposition", `{"text":"a","selectionStart":1,"selectionEnd":1,"replacementStart":0,"replacementEnd":2}`, ""},
		{"Storage.overrideQuotaForOrigin", `{"origin":"http://a","quotaSize":-1}`, "quotaSize must be"},
		{"Storage.overrideQuotaForOrigin", `{"origin":"http://a","quotaSize":1e18}`, "quotaSize must be"},
		{"Storage.overrideQuotaForOrigin", `{"origin":"http://a","quotaSize":1000000}`, ""},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1,"height":100000000,"scale":1}}`, "height must be"},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":7000,"height":5,"scale":10}}`, "width must be"},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":-10000,"height":-10000,"scale":10}}`, "width must be"},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1280,"height":20000,"scale":1}}`, ""},
		{"Emulation.setDeviceMetricsOverride", `{"width":1,"height":1,"deviceScaleFactor":1,"mobile":false,"devicePosture":{"type":"mousePressed"}}`, "type must be one of"},
		{"Emulation.setDeviceMetricsOverride", `{"width":1,"height":1,"deviceScaleFactor":1,"mobile":false,"devicePosture":{}}`, "type must be one of"},
		{"Emulation.setDeviceMetricsOverride", `{"width":1,"height":1,"deviceScaleFactor":1,"mobile":false,"devicePosture":{"type":"folded"}}`, ""},
		{"Input.synthesizeTapGesture", `{"x":1,"y":1,"tapCount":2147483647}`, "tapCount must be"},
		{"Input.synthesizeTapGesture", `{"x":1,"y":1,"duration":2147483647}`, "duration must be"},
		{"Input.synthesizeTapGesture", `{"x":1,"y":1,"tapCount":2,"duration":50}`, ""},
		{"Input.synthesizeScrollGesture", `{"x":1,"y":1,"repeatCount":2147483647}`, "repeatCount must be"},
		{"Input.dispatchTouchEvent", `{"type":"touchStart","touchPoints":[` + strings.Repeat(`{"x":1,"y":1},`, 40) + `{"x":1,"y":1}]}`, "touchPoints must have"},
		{"Input.dispatchKeyEvent", `{"type":"rawKeyDown","modifiers":2,"windowsVirtualKeyCode":65622}`, "windowsVirtualKeyCode must be"},
		{"Input.dispatchKeyEvent", `{"type":"rawKeyDown","modifiers":2,"nativeVirtualKeyCode":131158}`, "nativeVirtualKeyCode must be"},
		{"Input.dispatchKeyEvent", `{"type":"rawKeyDown","modifiers":8,"windowsVirtualKeyCode":65581}`, "windowsVirtualKeyCode must be"},
		{"Input.dispatchKeyEvent", `{"type":"rawKeyDown","modifiers":18,"windowsVirtualKeyCode":65}`, "modifiers must be"},
		{"Input.dispatchKeyEvent", `{"type":"keyDown","windowsVirtualKeyCode":65,"key":"a","text":"a"}`, ""},
		{"Input.dispatchMouseEvent", `{"type":"mousePressed","x":1,"y":1,"button":"middle"}`, "middle button"},
		{"Input.dispatchMouseEvent", `{"type":"mousePressed","x":1,"y":1,"button":"left","buttons":5}`, "middle button"},
		{"Input.emulateTouchFromMouseEvent", `{"type":"mousePressed","x":1,"y":1,"button":"middle"}`, "middle button"},
		{"Input.dispatchMouseEvent", `{"type":"mousePressed","x":1.4210854715202004e-14,"y":-1,"button":"left","buttons":1,"clickCount":2}`, ""},
		{"Input.dispatchMouseEvent", `{"type":"mouseWheel","x":1,"y":1,"deltaX":1e308,"deltaY":0}`, "deltaX must be"},
		{"IO.read", `{"handle":"1","size":2147483647}`, "size must be"},
		{"Network.setCookie", `{"name":"a","value":"b","expires":1e300}`, "expires must be"},
		{"Network.setCookie", `{"name":"a","value":"b","expires":1893456000.5}`, ""},
		{"Network.setBlockedURLs", `{"urls":[` + strings.Repeat(`"a",`, 100_000) + `"b"]}`, "100001 items"},
		{"Runtime.callFunctionOn", `{"functionDeclaration":"f","arguments":[{"value":1e300},{"value":{"x":-1e300,"quality":5000}}]}`, ""},
		{"Runtime.callFunctionOn", `{"functionDeclaration":"f","executionContextId":1e300}`, "executionContextId must be"},
		{"Runtime.evaluate", `{"expression":"1e300","timeout":1000}`, ""},
		{"Runtime.evaluate", `{"expression":"1","contextId":1e999}`, "contextId must be"},
		{"DOM.getDocument", `{"depth":-1}`, ""},
	} {
		var who World = nobody{}
		if Find(Page, test.method).Alone {
			who = loner{}
		}
		_, _, fault := Decide(Page, Command{Method: test.method, Params: json.RawMessage(test.params)}, who)
		switch {
		case test.says == "" && fault != nil:
			t.Errorf("%s %.200s is refused: %v", test.method, test.params, fault)
		case test.says != "" && (fault == nil || !strings.Contains(fault.Message, test.says)):
			t.Errorf("%s %.200s: %v, want %q", test.method, test.params, fault, test.says)
		}
	}
}

// What concerns others passes where there are none.
func TestAlone(t *testing.T) {
	for _, test := range []struct {
		level          Level
		method, params string
		shared, alone  int // codes of the errors; 0 for none
	}{
		{Page, "Input.dispatchMouseEvent", `{"type":"mousePressed","x":1,"y":1,"button":"middle","buttons":4}`, CodeParams, 0},
		{Page, "Input.dispatchKeyEvent", `{"type":"rawKeyDown","modifiers":2,"windowsVirtualKeyCode":86}`, CodeParams, 0},
		{Page, "Input.dispatchKeyEvent", `{"type":"rawKeyDown","windowsVirtualKeyCode":65622}`, CodeParams, CodeParams},
		{Browser, "Tracing.start", `{"transferMode":"ReturnAsStream"}`, CodeServer, 0},
		{Page, "Tracing.start", `{"categories":"-*","transferMode":"ReturnAsStream","traceConfig":{"traceBufferSizeInKb":200000}}`, CodeServer, 0},
		{Page, "Tracing.end", ``, CodeServer, 0},
		{Browser, "Tracing.start", `{"perfettoConfig":"aGVsbG8="}`, CodeServer, CodeParams},
		{Browser, "Tracing.start", `{"tracingBackend":"system"}`, CodeServer, CodeParams},
		{Browser, "Tracing.start", `{"traceConfig":{"traceBufferSizeInKb":1e12}}`, CodeServer, CodeParams},
		{Browser, "IO.read", `{"handle":"1"}`, CodeServer, 0},
		{Page, "Page.startScreenRecording", ``, CodeServer, 0},
		{Page, "Page.stopScreenRecording", ``, CodeServer, 0},
		{Page, "Input.synthesizeTapGesture", `{"x":1,"y":1}`, CodeServer, 0},
		{Page, "Input.synthesizeScrollGesture", `{"x":1,"y":1}`, CodeServer, 0},
		{Page, "Input.synthesizePinchGesture", `{"x":1,"y":1,"scaleFactor":2}`, CodeServer, 0},
		{Browser, "Fetch.enable", ``, CodeServer, CodeServer},
		{Browser, "SystemInfo.getInfo", ``, CodeServer, CodeServer},
		{Page, "Page.nope", ``, CodeMethod, CodeMethod},
		{Browser, "Nope.nope", `{"a":1}`, CodeMethod, CodeMethod},
		{Browser, "", ``, CodeMethod, CodeMethod},
	} {
		for _, who := range []struct {
			World
			want int
		}{{nobody{}, test.shared}, {loner{}, test.alone}} {
			_, _, fault := Decide(test.level, Command{Method: test.method, Params: json.RawMessage(test.params)}, who.World)
			if code := 0; fault != nil && fault.Code != who.want || fault == nil && who.want != code {
				t.Errorf("%s %s, alone %v: %v, want %d", test.method, test.params, who.Alone(), fault, who.want)
			}
		}
	}
}

// The refusal of a file of the machine says how files come into a session.
func TestFilesAreUploaded(t *testing.T) {
	for method, params := range map[string]string{
		"Page.navigate": `{"url":"file:///etc/passwd"}`, "DOM.setFileInputFiles": `{"files":["/etc/passwd"]}`,
		"Input.dispatchDragEvent": `{"data":{"files":["/etc/passwd"]}}`,
	} {
		_, _, fault := Decide(Page, Command{Method: method, Params: json.RawMessage(params)}, nobody{})
		if fault == nil || !strings.Contains(fault.Message, "/v1/sessions/{id}/uploads") {
			t.Errorf("%s: %v", method, fault)
		}
	}
}

// Every row of the tables is about commands that there are, and every bound of a
// command about one that passes.
func TestTablesNameKnownMethods(t *testing.T) {
	domains := map[string]bool{}
	for method := range methods() {
		domain, _, _ := strings.Cut(method, ".")
		domains[domain] = true
	}
	for _, table := range tables {
		for name := range table {
			if !Known(name) && !domains[name] {
				t.Errorf("there is no %s", name)
			}
		}
	}
	for name := range spans {
		if method := name[:max(strings.LastIndex(name, "."), 0)]; method != "" && !Known(method) {
			t.Errorf("there is no %s", method)
		}
	}
}

// Frames, workers and tabs take what they are there for. Of what is not there,
// Chromium ended in each of these cases.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		level  Level
		method string
		code   int
	}{
		{Frame, "Input.synthesizePinchGesture", CodeServer}, {Frame, "Emulation.setDisplayFeaturesOverride", CodeServer},
		{Frame, "Input.dispatchKeyEvent", CodeServer}, {Frame, "Emulation.setVirtualTimePolicy", CodeServer},
		{Frame, "Emulation.setFocusEmulationEnabled", 0}, {Frame, "Runtime.evaluate", 0}, {Frame, "Browser.getVersion", 0},
		{Worker, "Network.setCookies", CodeMethod}, {Worker, "Network.setCookie", CodeMethod}, {Worker, "Page.enable", CodeMethod},
		{SharedWorker, "Network.getResponseBody", CodeServer}, {SharedWorker, "Network.enable", 0}, {SharedWorker, "Page.enable", CodeMethod},
		{Worker, "Network.getResponseBody", 0}, {Worker, "Network.enable", 0}, {Worker, "Runtime.evaluate", 0}, {Worker, "Target.setAutoAttach", CodeParams},
		{Tab, "Page.enable", CodeMethod}, {Tab, "Network.setCookies", CodeMethod}, {Tab, "Runtime.runIfWaitingForDebugger", 0},
	} {
		_, _, fault := Decide(test.level, Command{Method: test.method, Params: json.RawMessage(`{"autoAttach":true}`)}, nobody{})
		if code := 0; fault != nil && fault.Code != test.code || fault == nil && test.code != code {
			t.Errorf("%s on %d: %v, want %d", test.method, test.level, fault, test.code)
		}
	}
}
