package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

// What clients ask for, large but harmless, passes; what is beyond it does not.
func TestBoundsPermitWhatClientsDo(t *testing.T) {
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	cookie := `{"name":"a","value":"b","url":"http://a/"}`
	for _, test := range []struct {
		method, params string
		says           string // in the refusal; empty if it passes
	}{
		{"Page.printToPDF", `{"paperWidth":8.5,"paperHeight":600}`, ""},
		{"Page.printToPDF", `{"paperWidth":8.5,"paperHeight":601}`, "paperHeight must be"},
		{"Page.printToPDF", `{"paperWidth":0.79,"paperHeight":0.79,"marginTop":0,"marginBottom":0,"marginLeft":0,"marginRight":0}`, ""},
		{"Page.printToPDF", `{"paperWidth":0.1,"marginLeft":0,"marginRight":0}`, "paperWidth must be"},
		{"Page.printToPDF", `{"paperWidth":200,"paperHeight":200}`, ""},
		{"Page.printToPDF", `{"paperWidth":201,"paperHeight":200}`, "40000 square inches"},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1280,"height":40000,"scale":1}}`, ""},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1280,"height":65535,"scale":1}}`, ""},
		{"Page.captureScreenshot", `{"clip":{"x":0,"y":0,"width":1,"height":65536,"scale":1}}`, "between 0 and 65535"},
		{"Network.setBlockedURLs", `{"urls":` + list(`"||ads.example^"`, 100_000) + `}`, ""},
		{"Network.setBlockedURLs", `{"urls":` + list(`"||ads.example^"`, 100_001) + `}`, "100001 items"},
		{"Network.setBlockedURLs", `{"urls":` + list(`1`, 10_001) + `}`, "10001 items"},
		{"Network.setCookies", `{"cookies":` + list(cookie, 20_000) + `}`, ""},
		{"Network.setCookies", `{"cookies":` + list(cookie, 100_001) + `}`, "100001 items"},
		{"Network.emulateNetworkConditions", `{"offline":false,"latency":-1,"downloadThroughput":-1,"uploadThroughput":-1}`, ""},
		{"Network.emulateNetworkConditions", `{"offline":false,"latency":-2,"downloadThroughput":-1,"uploadThroughput":-1}`, "latency must be"},
	} {
		_, _, fault := Decide(Page, Command{Method: test.method, Params: json.RawMessage(test.params)}, nobody{})
		switch {
		case test.says == "" && fault != nil:
			t.Errorf("%s %.200s is refused: %v", test.method, test.params, fault)
		case test.says != "" && (fault == nil || !strings.Contains(fault.Message, test.says)):
			t.Errorf("%s %.200s: %v, want %q", test.method, test.params, fault, test.says)
		}
	}
}
