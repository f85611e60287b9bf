package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

const ownExtension = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/"

func TestTargetsOfASessionWithABrowserOfItsOwn(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]string{
		`{"url":"about:blank#x","hidden":true}`:                      `{"browserContextId":"C","hidden":true,"url":"about:blank#x"}`,
		`{"url":"about:blank","hidden":true,"newWindow":true}`:       `{"browserContextId":"C","hidden":true,"url":"about:blank"}`,
		`{"url":"http://a/","hidden":false}`:                         `{"browserContextId":"C","newWindow":true,"url":"http://a/"}`,
		`{"url":"` + ownExtension + `a.html"}`:                       `{"browserContextId":"C","newWindow":true,"url":"` + ownExtension + `a.html"}`,
		`{"url":"http://a/","hidden":true}`:                          "",
		`{"hidden":true}`:                                            "",
		`{"url":"about:blank2","hidden":true}`:                       "",
		`{"url":"about:blank","hidden":1}`:                           "",
		`{"url":"` + strings.ToUpper(ownExtension) + `a.html"}`:      "",
		`{"url":"chrome-extension://abcdefghijklmnop/"}`:             "",
		`{"url":" ` + ownExtension + `"}`:                            "",
		`{"url":"` + strings.TrimSuffix(ownExtension, "/") + `@x/"}`: "",
	} {
		_, got, fault := Decide(Browser, Command{Method: "Target.createTarget", Params: json.RawMessage(params)}, loner{})
		if (fault != nil) != (want == "") || want != "" && string(got) != want {
			t.Errorf("%s: %s, %v; want %s", params, got, fault, want)
		}
	}
	if _, _, fault := Decide(Page, Command{Method: "Page.navigate", Params: json.RawMessage(`{"url":"` + ownExtension + `"}`)}, loner{}); fault == nil {
		t.Error("a page is sent to an extension's")
	}
}

func TestOnlyTheListOfExtensionsIsForClients(t *testing.T) {
	t.Parallel()
	for _, level := range []Level{Browser, Page} {
		if act, _, fault := Decide(level, Command{Method: "Extensions.getExtensions"}, nobody{}); act != Stage || fault != nil {
			t.Error(act, fault)
		}
		for _, method := range []string{"loadUnpacked", "uninstall", "getStorageItems", "setStorageItems", "triggerAction", "unheardOf"} {
			if act, _, fault := Decide(level, Command{Method: "Extensions." + method}, loner{}); act != Refuse || fault == nil {
				t.Errorf("%s is let through", method)
			}
		}
	}
}
