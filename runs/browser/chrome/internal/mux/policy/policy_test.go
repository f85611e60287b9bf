package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

// tables are all that there are.
var tables = []map[string]Rule{shared, onBrowser, onPage, onFrame, anywhere, onWorker, onSharedWorker, onTab}

// nobody owns the context C, the target T, the session S, window 7 and the
// path /handed/out.
type nobody struct{}

func (nobody) Context() string            { return "C" }
func (nobody) Alone() bool                { return false }
func (nobody) OwnsContext(id string) bool { return id == "C" }
func (nobody) OwnsTarget(id string) bool  { return id == "T" }
func (nobody) OwnsSession(id string) bool { return id == "S" }
func (nobody) OwnsWindow(id int64) bool   { return id == 7 }
func (nobody) OwnsExtension(id string) bool {
	return id == "abcdefghijklmnopabcdefghijklmnop"
}
func (nobody) Upload(name string) (string, bool) {
	return "/handed/out", name == "out" || name == "/handed/out"
}

func TestParseFaults(t *testing.T) {
	deep := `{"id":1,"method":"A.b","params":` + strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 301)
	for _, test := range []struct{ frame, says string }{
		{"", "not JSON"},
		{"{", "not JSON"},
		{`[{"id":1,"method":"A.b"}]`, "one command"},
		{`"x"`, "one command"},
		{`{}`, "id must be"},
		{`{"id":-1,"method":"A.b"}`, "id must be"},
		{`{"id":1073741824,"method":"A.b"}`, "id must be"},
		{`{"id":99999999999999999999,"method":"A.b"}`, "id must be"},
		{`{"id":1.0,"method":"A.b"}`, "id must be"},
		{`{"id":"1","method":"A.b"}`, "id must be"},
		{`{"id":1}`, "method must be"},
		{`{"id":1,"method":null}`, "method must be"},
		{`{"id":1,"method":""}`, "method must be"},
		{`{"id":1,"id":2,"method":"A.b"}`, "twice"},
		{`{"id":1,"method":"A.b","m\u0065thod":"C.d"}`, "twice"},
		{`{"id":1,"method":"A.b","sessionId":5}`, "sessionId must"},
		{`{"id":1,"method":"A.b","params":[]}`, "params must"},
		{"{\"id\":1,\"method\":\"A.b\xff\"}", "UTF-8"},
		{deep, "nested too deeply"},
		{`{"id":1,"method":"` + strings.Repeat("a", 1000) + `"}`, "limit of 500"},
	} {
		limit := 500
		if test.frame == deep {
			limit = 5000
		}
		if _, fault := Parse([]byte(test.frame), limit); fault == nil || !strings.Contains(fault.Message, test.says) {
			t.Errorf("%.60s: %v, want %q", test.frame, fault, test.says)
		}
	}
}

func TestEncodeKeepsNothingButTheCommand(t *testing.T) {
	c, fault := Parse([]byte(` {"sessionId":"S" , "extra":[1,{"}":"\"]"}],"params": { "a" : "\\\"}" },"method":"A.b","id":7}`), 1000)
	if fault != nil {
		t.Fatal(fault)
	}
	if got, want := string(c.Encode("R")), `{"id":7,"method":"A.b","params":{ "a" : "\\\"}" },"sessionId":"R"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDecideRewrites(t *testing.T) {
	for _, test := range []struct {
		level                Level
		method, params, want string
	}{
		{Browser, "Target.createTarget", `{"url":"about:blank","hidden":true}`, `{"browserContextId":"C","newWindow":true,"url":"about:blank"}`},
		{Browser, "Storage.getCookies", ``, `{"browserContextId":"C"}`},
		{Page, "Storage.getCookies", `{"browserContextId":"C"}`, `{"browserContextId":"C"}`},
		{Page, "DOM.setFileInputFiles", `{"files":["/handed/out"]}`, `{"files":["/handed/out"]}`},
		{Page, "DOM.setFileInputFiles", `{"files":["out"]}`, `{"files":["/handed/out"]}`},
		{Page, "Input.dispatchDragEvent", `{"data":{"files":["out"]}}`, `{"data":{"files":["/handed/out"]}}`},
		{Browser, "Browser.setWindowBounds", `{"windowId":7}`, `{"windowId":7}`},
		{Page, "Runtime.evaluate", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
	} {
		_, params, fault := Decide(test.level, Command{Method: test.method, Params: json.RawMessage(test.params)}, nobody{})
		if fault != nil || string(params) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.method, params, fault, test.want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for _, url := range []string{"http://a", "HTTPS://a", "about:blank", "about:blank#x", "data:,x", "blob:null/1", "javascript:1"} {
		if err := CheckURL(url); err != nil {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, url := range []string{"", "a", "/etc/passwd", "file:///x", "\x00file:///x", "f\tile:x", "about:version", "about:blank2", "chrome://gpu", "view-source:http://a", "filesystem:http://a/x", "ws://a", "ftp://a", "//a", "c:\\x", "intent:x"} {
		if err := CheckURL(url); err == nil {
			t.Errorf("%q is let through", url)
		}
	}
}

// A rule that refuses says why, and a check belongs to a command that goes on.
func TestTables(t *testing.T) {
	for _, table := range tables {
		for name, rule := range table {
			if (rule.Do == Refuse || rule.Alone) != (rule.Why != "") || rule.Do == Refuse && len(rule.Checks) > 0 {
				t.Errorf("%s: %+v", name, rule)
			}
		}
	}
}

// Whatever a client sends, the answer is one frame, or the command is one of
// the browser's with nothing in it that was refused.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"method":"Page.navigate","params":{"url":"file:///x"}}`,
		`{"id":1,"method":"Target.createTarget","params":{"url":"http://a","browserContextId":"D"}}`,
		`{"id":1,"method":"Input.dispatchDragEvent","params":{"data":{"files":["/x"]}}}`,
		`{"id":1,"method":"Browser.setWindowBounds","params":{"windowId":1e9}}`,
		`{"id":1,"method":"Storage.getCookies","params":null}`, `{"id":1`, `[]`, `{"a":"\ud800"}`, ` {"id":1,"method":"A.b" } `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		c, fault := Parse(frame, 1<<16)
		if fault == nil {
			fault = decided(t, c)
		}
		if fault != nil && !json.Valid(fault.Encode()) {
			t.Errorf("the answer is not JSON: %s", fault.Encode())
		}
	})
}

func decided(t *testing.T, c Command) (fault *Fault) {
	for _, level := range []Level{Browser, Page} {
		var act Act
		act, c.Params, fault = Decide(level, c, nobody{})
		if fault != nil {
			return fault
		}
		var out struct {
			ID     int64
			Method string
			Params map[string]json.RawMessage
		}
		if err := json.Unmarshal(c.Encode("R"), &out); err != nil || act == Refuse || out.Method == "" || out.ID != c.ID {
			t.Errorf("passed on as %s: %v", c.Encode("R"), err)
		}
	}
	return nil
}

// Numbers with which one session could end the browser of all.
func TestMeasuresAreBounded(t *testing.T) {
	for _, test := range []struct {
		level          Level
		method, params string
		refused        bool
	}{
		{Page, "Storage.overrideQuotaForOrigin", `{"origin":"http://x.test","quotaSize":1e300}`, true},
		{Page, "Storage.overrideQuotaForOrigin", `{"origin":"http://x.test","quotaSize":1e9}`, false},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":100,"height":100,"deviceScaleFactor":1e9,"mobile":true}`, true},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":9000,"height":9000,"deviceScaleFactor":3,"mobile":false}`, true},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":100,"height":100,"deviceScaleFactor":1,"mobile":true,"viewport":{"x":0,"y":0,"width":1e6,"height":1e6,"scale":1}}`, true},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":"100"}`, true},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":1920,"height":1080,"deviceScaleFactor":2,"mobile":false,"screenWidth":1920,"screenHeight":1080}`, false},
		{Page, "Emulation.setDeviceMetricsOverride", `{"width":0,"height":0,"deviceScaleFactor":0,"mobile":false}`, false},
		{Page, "Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":100000,"height":100000,"scale":1}}`, true},
		{Page, "Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1280,"height":20000,"scale":1},"captureBeyondViewport":true}`, false},
		{Page, "Page.captureScreenshot", `{"format":"png"}`, false},
		{Browser, "Browser.setWindowBounds", `{"windowId":7,"bounds":{"width":20000,"height":20000}}`, true},
		{Browser, "Browser.setWindowBounds", `{"windowId":7,"bounds":{"width":-20000}}`, true},
		{Browser, "Browser.setContentsSize", `{"windowId":7,"width":2147483647,"height":1}`, true},
		{Browser, "Target.createTarget", `{"url":"about:blank","newWindow":true,"width":15000,"height":15000}`, true},
		{Browser, "Target.createTarget", `{"url":"about:blank","width":1500,"height":1500}`, false},
	} {
		_, _, fault := Decide(test.level, Command{Method: test.method, Params: json.RawMessage(test.params)}, nobody{})
		if (fault != nil) != test.refused {
			t.Errorf("%s %s: %v", test.method, test.params, fault)
		}
	}
}
