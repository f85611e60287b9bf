package sessions

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/storage/projects"
)

func TestSecretParametersAreMasked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://a.example/?q=hello&page=2":                                   "https://a.example/?q=hello&page=2",
		"https://a.example/?code=abc&state=x":                                 "https://a.example/?code=***&state=x",
		"https://a.example/p?x=1&X-Amz-Signature=abc%2Bd&y=2#top":             "https://a.example/p?x=1&X-Amz-Signature=***&y=2#top",
		"https://a.example/#access_token=abc&expires_in=3":                    "https://a.example/#access_token=***&expires_in=3",
		"https://a.example/?api%5Fkey=abc&%70assword=def":                     "https://a.example/?api%5Fkey=***&%70assword=***",
		"https://a.example/;jsessionid=abc?x":                                 "https://a.example/;jsessionid=***",
		"https://a.example/?clientSecret=":                                    "https://a.example/?clientSecret=",
		"https://a.example/?PASSWORD=a;sig=b":                                 "https://a.example/?PASSWORD=***;sig=***",
		"went to <https://a.example/?token=abc> and 'https://b/?sid=1'":       "went to <https://a.example/?token=***> and 'https://b/?sid=***'",
		"https://a.example/?next=https%3A%2F%2Fb%2F%3Ftoken%3Dabc%26q%3D1":    "https://a.example/?next=https%3A%2F%2Fb%2F%3Ftoken%3D%2A%2A%2A%26q%3D1",
		"https://a.example/?next=%253Ftoken%253Dabc":                          "https://a.example/?next=%253Ftoken%253D%252A%252A%252A",
		"https://a.example/?next=%2Fwelcome%3Fq%3D1":                          "https://a.example/?next=%2Fwelcome%3Fq%3D1",
		"https://a.example/?a=%zz&key=%zz":                                    "https://a.example/?a=%zz&key=***",
		"see ftp://me:geheim@a.example/x:1@2 now":                             "see ftp://me:***@a.example/x:1@2 now",
		"x = 1; let token = 2":                                                "x = 1; let token = 2",
		"https://a.example/?d=" + strings.Repeat("%25", 9) + "3Ftoken%3Dabcd": "",
	} {
		if got := maskText(text); want != "" && got != want || want == "" && strings.Contains(got, "abcd") {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// What an event says is masked in the log, in the recording and in the live
// view's log alike, whatever field it stands in.
func TestAddressesAreMaskedEverywhere(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{})
	l := w.find(s.ID)
	for method, params := range map[string]string{
		"Network.requestWillBeSent":    `{"request":{"url":"https://a.example/?token=geheim","headers":{"Referer":"https://a.example/cb?code=geheim"}}}`,
		"Page.frameNavigated":          `{"frame":{"url":"https://a.example/?x=1\u0026signature=geheim"}}`,
		"Page.javascriptDialogOpening": `{"url":"https://a.example/","message":"see https://a.example/?api_key=geheim"}`,
		"Runtime.consoleAPICalled":     `{"args":[{"value":"GET https://a.example/?password=geheim failed"}]}`,
	} {
		l.observe(browser.Event{Time: noon, Tab: "T1", Method: method, Params: json.RawMessage(params)})
	}
	seen := recordedTexts(t, w, l, s.ID)
	if strings.Contains(seen, "geheim") || strings.Count(seen, "=***") < 5+2+3 {
		t.Error(seen)
	}
}

// The values of a run's variables are nowhere in what can be read of its
// session, and what is secret by its name is masked for who only looks.
func TestValuesAreTakenOutEverywhere(t *testing.T) {
	t.Parallel()
	const value = "K@nary-8264/x"
	tabs := []browser.Tab{{ID: "T1", URL: "https://a.example/?q=" + url.QueryEscape(value) + "&token=abc", Title: "hello " + strings.ToUpper(value)}}
	w := start(t, setup{browser: &quickBrowser{opened: func(s *quickSession) { s.tabs = tabs }}})
	project := must(w.projects.Get(t.Context(), projects.Default))(t)
	vault := secrets.New(map[string]string{"word": value})
	own := must(w.OpenFor(t.Context(), project.ID, Create{Hide: vault}))(t)
	defer own.Close()
	l := w.find(own.ID())
	for _, said := range [][]string{
		{value}, {"K@nary", "-8264/x"}, {"a", "K@na", "ry-82", "64/x", "b"}, {base64.StdEncoding.EncodeToString([]byte("u:" + value))}, {strings.Repeat("x", 3992) + value[:8] + "…"},
	} {
		args := []map[string]string{}
		for _, word := range said {
			args = append(args, map[string]string{"type": "string", "value": word})
		}
		params := must(json.Marshal(map[string]any{"type": "log", "args": args}))(t)
		l.observe(browser.Event{Time: noon, Tab: "T1", Method: "Runtime.consoleAPICalled", Params: params})
	}
	l.observe(browser.Event{Time: noon, Method: "Browser.downloadWillBegin", Params: json.RawMessage(`{"suggestedFilename":"K@nary-8264\/x.pdf"}`)})
	seen := strings.ToLower(recordedTexts(t, w, l, own.ID()))
	for _, part := range []string{"k@n", "nary", "8264", "64/x", strings.ToLower(base64.StdEncoding.EncodeToString([]byte(value))[4:12])} {
		if strings.Contains(seen, part) {
			t.Errorf("%s is among\n%s", part, seen)
		}
	}
	if view := besideTheScreen(l); !strings.Contains(view, "token=***") || !strings.Contains(view, "hello %word%") {
		t.Error(view)
	}
}

// recordedTexts is what can be read of a session: its log, its recording, and what
// the live view is sent beside the screen.
func recordedTexts(t *testing.T, w *world, l *live, id string) string {
	t.Helper()
	view := besideTheScreen(l)
	log := must(json.Marshal(must(w.Logs(t.Context(), id))(t)))(t)
	recording := must(json.Marshal(must(w.Recording(t.Context(), id))(t)))(t)
	tabs := must(json.Marshal(must(w.Tabs(t.Context(), id))(t)))(t)
	return strings.Join([]string{view, string(log), string(recording), string(tabs)}, "\n")
}

// besideTheScreen is what a viewer who has just come is sent.
func besideTheScreen(l *live) string {
	v := &view{socket: &socket{live: l}}
	return string(encoded(v.liveTabs())) + string(encoded(v.feed.next(l)))
}
