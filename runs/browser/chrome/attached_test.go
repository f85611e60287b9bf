package chrome_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// told waits for an event that satisfies is, and returns its position among all
// that the client has got.
func (c *rawClient) told(method string, is func(json.RawMessage) bool) (at int) {
	c.t.Helper()
	c.until(method, func(heard []reply) bool {
		at = slices.IndexFunc(heard, func(e reply) bool { return e.Method == method && is(e.Params) })
		return at >= 0
	})
	return at
}

// info reads a target out of what a client is told.
func info(raw json.RawMessage) (i struct {
	TargetInfo struct {
		TargetID, Title, URL string
		Attached             bool
	}
}) {
	json.Unmarshal(raw, &i)
	return i
}

// Attached to is what the client itself has attached to, whoever else has.
func TestAClientSeesItsOwnAttachments(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := s.Tabs()[0].ID
	c, other := connect(t, s), connect(t, s)
	is := func(attached bool) func(json.RawMessage) bool {
		return func(raw json.RawMessage) bool {
			i := info(raw).TargetInfo
			return i.TargetID == tab && i.Attached == attached
		}
	}
	for _, client := range []*rawClient{c, other} {
		client.must("", "Target.setDiscoverTargets", map[string]any{"discover": true})
		client.told("Target.targetCreated", is(false))
	}
	session := c.must("", "Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true})["sessionId"].(string)
	if changed, attached := c.told("Target.targetInfoChanged", is(true)), c.told("Target.attachedToTarget", is(true)); changed > attached {
		t.Error("the client is told of its session before the target is attached to")
	}
	sees := func(client *rawClient, want bool) {
		t.Helper()
		one, err := json.Marshal(client.must("", "Target.getTargetInfo", map[string]any{"targetId": tab}))
		if err != nil || info(one).TargetInfo.Attached != want {
			t.Errorf("getTargetInfo: %s, want attached %t", one, want)
		}
		for _, one := range client.must("", "Target.getTargets", nil)["targetInfos"].([]any) {
			if i := one.(map[string]any); i["targetId"] == tab && i["attached"] != want {
				t.Errorf("getTargets: %v, want attached %t", i, want)
			}
		}
	}
	sees(c, true)
	sees(other, false)
	c.must("", "Target.detachFromTarget", map[string]any{"sessionId": session})
	c.told("Target.detachedFromTarget", func(json.RawMessage) bool { return true })
	sees(c, false)
	other.mu.Lock()
	defer other.mu.Unlock()
	for _, e := range other.events {
		if e.Method == "Target.targetInfoChanged" && is(true)(e.Params) {
			t.Errorf("who has not attached is told %s", e.Params)
		}
	}
}

// Titles and addresses are those of the moment, though the browser does not
// tell of each by itself.
func TestTargetsAreAskedWhatTheyShow(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>first</title>`})
	s := chrometest.Session(t, sharedProvider(t))
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	page, id := c.page()
	for _, title := range []string{"second", "third"} {
		c.eval(page, `document.title = "`+title+`"; history.pushState(0, "", "/`+title+`")`)
		one, _ := json.Marshal(c.must("", "Target.getTargetInfo", map[string]any{"targetId": id}))
		if i := info(one).TargetInfo; i.Title != title || i.URL != srv.URL+"/"+title {
			t.Errorf("getTargetInfo: %+v, want %s", i, title)
		}
		for _, one := range c.must("", "Target.getTargets", nil)["targetInfos"].([]any) {
			if i := one.(map[string]any); i["targetId"] == id && i["title"] != title {
				t.Errorf("getTargets: %v, want %s", i, title)
			}
		}
	}
}
