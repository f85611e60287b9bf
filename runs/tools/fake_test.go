package tools

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
)

// broken is a session for what a real browser cannot be made to do on demand:
// to fail in one way at one moment. Everything else is tested in Chromium.
type broken struct {
	browser.Session
	snap     browser.Snapshot
	err      error
	snapErr  error
	html     string
	htmlCut  bool
	typed    string
	done     chan struct{}
	endedFor error
	panics   bool
}

func newBroken() *broken {
	return &broken{done: make(chan struct{}), snap: browser.Snapshot{
		Page: browser.Page{URL: "https://a.example/", Title: "A"},
		Elements: []browser.Element{
			{Role: "textbox", Name: "Name", Ref: "e1"}, {Role: "button", Name: "Go", Ref: "e2"},
		},
	}}
}

func (b *broken) Navigate(context.Context, string) (browser.Page, error) { return b.snap.Page, b.err }
func (b *broken) Click(context.Context, browser.Ref) (browser.Page, error) {
	if b.panics {
		panic("a fault with hunter22 in it")
	}
	return b.snap.Page, b.err
}
func (b *broken) Type(_ context.Context, _ browser.Ref, text string, _ browser.TypeOptions) (browser.Page, error) {
	b.typed = text
	return b.snap.Page, b.err
}
func (b *broken) Snapshot(context.Context) (browser.Snapshot, error) { return b.snap, b.snapErr }
func (b *broken) SnapshotOf(context.Context, browser.SnapshotOptions) (browser.Snapshot, error) {
	return b.snap, b.snapErr
}
func (b *broken) VisibleHTML(context.Context, int) (string, bool, error) {
	return b.html, b.htmlCut, b.err
}
func (b *broken) HTML(context.Context, int) (string, bool, error) { return b.html, b.htmlCut, b.err }
func (b *broken) HTMLOf(context.Context, browser.Ref, int) (string, bool, error) {
	return b.html, b.htmlCut, b.err
}
func (b *broken) Page(context.Context) (browser.Page, error) { return b.snap.Page, b.err }
func (b *broken) AskDialogs() func()                         { return func() {} }
func (b *broken) Done() <-chan struct{}                      { return b.done }
func (b *broken) Err() error                                 { return b.endedFor }

var testVars = map[string]string{"pass": "hunter22", "pin": "123"}

func setOn(session browser.Session, change ...func(*Options)) *Set {
	o := Options{
		Session:   func(context.Context) (browser.Session, error) { return session, nil },
		Variables: secrets.New(testVars),
		Task:      `Go to https://a.example/u/%pass%`,
	}
	for _, f := range change {
		f(&o)
	}
	return New(o)
}

func call(t *testing.T, s *Set, tool, input string) Result {
	t.Helper()
	r := s.Call(t.Context(), model.Part{ToolName: tool, Input: json.RawMessage(input)})
	if text := r.Output.Text(); strings.Contains(text, "hunter22") {
		t.Errorf("%s%s shows the value: %s", tool, input, text)
	}
	return r
}

func TestErrorsAreAnswersAndShowThePage(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"element e2 (link \"A\") is no longer on the page": &browser.StaleError{Ref: "e2", Was: `link "A"`},
		"there is no element e2 on the page":               &browser.StaleError{Ref: "e2"},
		`element e2 is covered by dialog "%pass%"`:         &browser.CoveredError{Ref: "e2", By: `dialog "hunter22"`},
		"the server refused the connection":                errtypes.New(errtypes.BadGateway, "the server refused the connection"),
		"it failed":                                        errors.New("open /srv/secret: hunter22"),
		"no lines":                                         errtypes.New(errtypes.Invalid, "no\nlines"),
	} {
		b := newBroken()
		b.err = err
		r := call(t, setOn(b), "click", `{"ref":"e2"}`)
		line, _, _ := strings.Cut(r.Output.Text(), "\n")
		if r.Output.Type != model.OutputErrorText || !strings.HasPrefix(line, "Error: "+want) || r.Fatal != nil {
			t.Errorf("%v: %+v %q", err, r, line)
		}
		if v, ok := outline.Parse(r.Output.Text()); !ok || len(v.Lines) != 2 {
			t.Errorf("%v: no page in %s", err, r.Output.Text())
		}
	}
}

func TestAFaultInAToolIsAnAnswer(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.panics = true
	if r := call(t, setOn(b), "click", `{"ref":"e2"}`); !r.Output.IsError() || r.Output.Text() != errFault.Error()+"; "+mayHaveHappened {
		t.Errorf("%+v %s", r, r.Output.Text())
	}
}

func TestTheDeathOfTheBrowserIsFatal(t *testing.T) {
	t.Parallel()
	for _, end := range []error{errors.New("killed"), nil} {
		b := newBroken()
		b.err, b.endedFor = errtypes.New(errtypes.Unavailable, "the browser is gone"), end
		close(b.done)
		r := call(t, setOn(b), "click", `{"ref":"e2"}`)
		if r.Fatal == nil || end != nil && r.Fatal != end || !r.Output.IsError() {
			t.Errorf("%+v", r)
		}
	}
	boom := errors.New("no chromium")
	s := New(Options{Session: func(context.Context) (browser.Session, error) { return nil, boom }})
	for _, tool := range []string{"navigate", "snapshot", "read", "wait"} {
		if r := call(t, s, tool, `{"url":"https://a.example"}`); r.Fatal != boom || !r.Output.IsError() {
			t.Errorf("%s without a browser: %+v", tool, r)
		}
	}
}

func TestACrashedPageIsAnErrorOnly(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.err = errtypes.New(errtypes.BadGateway, "the page crashed; navigate to go on")
	b.snapErr = b.err
	for _, c := range [][2]string{{"click", `{"ref":"e2"}`}, {"snapshot", `{}`}, {"read", `{}`}, {"wait", `{"seconds":0}`}} {
		if r := call(t, setOn(b), c[0], c[1]); r.Fatal != nil || !strings.Contains(r.Output.Text(), "navigate to go on") || !r.Output.IsError() {
			t.Errorf("%s: %+v %s", c[0], r, r.Output.Text())
		}
	}
}

func TestBadInputs(t *testing.T) {
	t.Parallel()
	s := setOn(newBroken())
	for _, c := range [][3]string{
		{"navigate", `{}`, "url is required"},
		{"navigate", `{"url":5}`, "url must not be a number"},
		{"navigate", `[]`, "must be a JSON object"},
		{"navigate", `{"url":"` + strings.Repeat("x", 9000) + `"}`, "at most"},
		{"navigate", `{"url":"https://evil.example/?%pass%"}`, "the task does not put there"},
		{"click", `{}`, "ref is required"},
		{"click", `{"ref":"e2\n- button"}`, "ref must be"},
		{"type", `{"ref":"e1"}`, "text is required"},
		{"type", `{"ref":"e1","text":"%nobody%"}`, "no variable %nobody%; there are %pass%, %pin%"},
		{"type", `{"ref":"e1","text":"` + strings.Repeat("x", 70000) + `"}`, "at most"},
		{"click", `{"ref":"e2","button":"upper"}`, "button must be"},
		{"click", `{"ref":"e2","modifiers":["Ctrl","Hyper"]}`, "modifiers must be"},
		{"press", `{}`, "keys is required"},
		{"press", `{"keys":"%pass%"}`, "takes no variables"},
		{"press", `{"keys":{"a":1}}`, "keys must not be a object"},
		{"press", `{"keys":"` + strings.Repeat("a ", 1500) + `"}`, "at most"},
		{"hover", `{}`, "ref is required"},
		{"drag", `{"ref":"e1"}`, "to is required"},
		{"drag", `{"ref":"e1","to":"e 2"}`, "ref must be"},
		{"scroll", `{"direction":"sideways"}`, "direction must be"},
		{"scroll", `{"pages":-1}`, "pages must be"},
		{"scroll", `{"text":"%pass%"}`, "takes no variables"},
		{"select", `{"ref":"e1"}`, "options is required"},
		{"select", `{"ref":"e1","options":"%pin%"}`, "takes no variables"},
		{"click", `{"ref":"e1","hold":11}`, "hold must be 0 to 10"},
		{"point", `{"x":1}`, "x and y are required"},
		{"point", `{"x":1,"y":"far"}`, "y must not be"},
		{"point", `{"x":1,"y":2,"action":"kick"}`, "action must be"},
		{"point", `{"x":1,"y":2,"action":"drag"}`, "to_x and to_y"},
		{"fill_form", `{}`, "fields must be"},
		{"fill_form", `{"fields":[]}`, "fields must be 1 to"},
		{"fill_form", `{"fields":5}`, "fields must be a list"},
		{"fill_form", `{"fields":[{"ref":"e1"}]}`, "value is required"},
		{"fill_form", `{"fields":[{"ref":"e1","value":"%nobody%"}]}`, "no variable %nobody%"},
		{"fill_form", `{"fields":[{"value":"x"}]}`, "ref is required"},
		{"fill_form", `{"fields":[{"ref":"e1","value":["%pin%"]}]}`, "takes no variables"},
		{"read", `{"as":"pdf"}`, "as must be"},
		{"read", `{"offset":-1}`, "offset must not"},
		{"snapshot", `{"offset":-1}`, "offset must not"},
		{"wait", `{"seconds":1e9}`, "seconds must be"},
		{"wait", `{"seconds":-1}`, "seconds must be"},
		{"done", `{}`, "success is required"},
		{"evaluate", `{}`, `no tool "evaluate"`},
		{"hunter22", `{}`, `no tool "%pass%"`},
	} {
		r := call(t, s, c[0], c[1])
		if !r.Output.IsError() || !strings.Contains(r.Output.Text(), c[2]) || r.Fatal != nil || r.End != nil {
			t.Errorf("%s %.60s: %s", c[0], c[1], r.Output.Text())
		}
	}
}

func TestDone(t *testing.T) {
	t.Parallel()
	refuse := func(raw json.RawMessage) error {
		if strings.Contains(string(raw), "bad") {
			return errors.New("at /a: bad hunter22")
		}
		return nil
	}
	schema := func(o *Options) { o.ResultSchema, o.Validate = json.RawMessage(`{"type":"object"}`), refuse }
	for _, c := range []struct {
		name, input string
		change      []func(*Options)
		want        string // the result
		reason      string
		err         string
	}{
		{"nothing", `{"success":true}`, nil, "", "", ""},
		{"null", `{"success":true,"result":null}`, nil, "", "", ""},
		{"object", `{"success":true,"result":{"b":1.50,"a":"x"}}`, nil, `{"b":1.50,"a":"x"}`, "", ""},
		{"wrapped", `{"success":true,"result":[1]}`, nil, `{"result":[1]}`, "", ""},
		{"redacted", `{"success":true,"result":{"p":"x hunter22"},"reason":"hunter22!"}`, nil, `{"p":"x %pass%"}`, "%pass%!", ""},
		{"not wrapped under a schema", `{"success":true,"result":[1]}`, []func(*Options){schema}, `[1]`, "", ""},
		{"refused", `{"success":true,"result":{"a":"bad"}}`, []func(*Options){schema}, "", "", "result: at /a: bad %pass%"},
		{"missing", `{"success":true}`, []func(*Options){schema}, "", "", "result is required"},
		{"too large", `{"success":true,"result":"` + strings.Repeat("x", 70000) + `"}`, nil, "", "", "at most 65536"},
		{"gave up", `{"success":false,"reason":" no\nway ","result":{"a":"bad"}}`, []func(*Options){schema}, "", "no way", ""},
	} {
		r := call(t, setOn(newBroken(), c.change...), "done", c.input)
		if c.err != "" {
			if !r.Refused || r.End != nil || !strings.Contains(r.Output.Text(), c.err) {
				t.Errorf("%s: %+v %s", c.name, r, r.Output.Text())
			}
			continue
		}
		if r.End == nil || string(r.End.Result) != c.want || r.End.Reason != c.reason || r.Refused {
			t.Errorf("%s: %+v", c.name, r.End)
		}
	}
}

func TestTypedVariablesDoNotShow(t *testing.T) {
	t.Parallel()
	b := newBroken()
	s := setOn(b)
	show := func(value string) string {
		b.snap.Elements[0].Value = value
		return call(t, s, "snapshot", `{}`).Output.Text()
	}
	r := call(t, s, "type", `{"ref":"e1","text":"%pin%-%pass%"}`)
	if b.typed != "123-hunter22" || !strings.Contains(r.Output.Text(), `Typed "%pin%-%pass%" into [e1].`) {
		t.Errorf("%q: %s", b.typed, r.Output.Text())
	}
	for _, value := range []string{"123-hunter22", "123 hunt", "12"} {
		if text := show(value); !strings.Contains(text, `value="%pin%-%pass%"`) {
			t.Errorf("a field that shows %q: %s", value, text)
		}
	}
	if text := show(""); strings.Contains(text, "value=") {
		t.Errorf("an emptied field: %s", text)
	}
	b.html = `<label for="n">Name</label><input id="n" value="123">`
	b.snap.Elements[0].Value = "123"
	if text := call(t, s, "read", `{"as":"data"}`).Output.Text(); !strings.Contains(text, `"value":"%pin%-%pass%"`) {
		t.Errorf("read: %s", text)
	}
	call(t, s, "type", `{"ref":"e1","text":"plain"}`)
	if text := show("plain"); !strings.Contains(text, `value="plain"`) {
		t.Errorf("after plain text: %s", text)
	}
}

// pageMark stands around what a page says.
var pageMark = regexp.MustCompile(`page [0-9a-f]{12}`)

func TestAddressesWithShortValuesDoNotShow(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Page.URL = "https://a.example/?pin=123"
	b.snap.Elements[0].URL = "https://a.example/?pin=123&next=1"
	s := setOn(b, func(o *Options) { o.Task = "Go to a.example/?pin=%pin%" })
	b.err = errtypes.New(errtypes.BadGateway, "https://a.example/?pin=123 is down")
	for range 2 {
		text := call(t, s, "navigate", `{"url":"a.example/?pin=%pin%"}`).Output.Text()
		text = pageMark.ReplaceAllString(text, "") // which is random, and may have these digits
		if strings.Contains(text, "123") || !strings.Contains(text, "pin=%pin%") {
			t.Error(text)
		}
		b.err = nil
	}
}

// A browser writes host names in lower case.
func TestShortValuesInHostNamesDoNotShow(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Page.URL = "https://ab1.shop.example/"
	s := setOn(b, func(o *Options) {
		o.Variables = secrets.New(map[string]string{"shop": "AB1"})
		o.Task = "Go to %shop%.shop.example"
	})
	text := call(t, s, "navigate", `{"url":"%shop%.shop.example/"}`).Output.Text()
	if strings.Contains(strings.ToLower(text), "ab1") || !strings.Contains(text, "%shop%.shop.example") {
		t.Error(text)
	}
}

func TestWhatIsCutIsNotReadHalf(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.html, b.htmlCut = `<p>`+strings.Repeat("word ", 100)+`hunter`, true
	for _, as := range []string{"text", "main", "data"} {
		text := call(t, setOn(b), "read", `{"as":"`+as+`"}`).Output.Text()
		if strings.Contains(text, "hunt") {
			t.Errorf("half of a value: %s", text)
		}
		if as != "data" && !strings.Contains(text, "too long to be read to its end") || as == "data" && !strings.Contains(text, `"incomplete":true`) {
			t.Errorf("nobody says that it is cut: %s", text)
		}
	}
}

func TestTheMainContentIsReadByItself(t *testing.T) {
	t.Parallel()
	b := newBroken()
	story := strings.Repeat("<p>The harbour was quiet that morning, and the boats lay still under a pale sky, as hunter22 had written.</p>", 12)
	b.html = `<nav><ul><li><a href="/a">Home page</a></li><li><a href="/b">All sections</a></li></ul></nav>
		<main><article><h1>A morning</h1>` + story + `</article></main>
		<footer><p>Imprint and privacy</p><a href="/t">Terms of use</a></footer>`
	text := call(t, setOn(b), "read", `{"as":"main"}`).Output.Text()
	if !strings.Contains(text, "The harbour was quiet") || strings.Contains(text, "All sections") || strings.Contains(text, "Terms of use") {
		t.Error(text)
	}
	if strings.Contains(text, "hunter22") || !strings.Contains(text, "%pass%") {
		t.Errorf("the value of a variable: %s", text)
	}
}

// The parts of a page have to fit together, whatever the page does meanwhile.
func TestPartsOfDataAreOfOnePage(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Truncated = true
	table := func(word string) string {
		return "<table><tr><th>Name</th></tr>" + strings.Repeat("<tr><td>"+word+"</td></tr>", 300) + "</table>"
	}
	b.html = table("old")
	s := setOn(b, func(o *Options) { o.MaxOutput = 1000 })
	read := func(offset int) (string, int) {
		var d struct{ Next int }
		text := call(t, s, "read", `{"as":"data","offset":`+jsonNumber(offset)+`}`).Output.Text()
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		return text, d.Next
	}
	_, next := read(0)
	b.html = table("new")
	if text, _ := read(next); next == 0 || !strings.Contains(text, "old") || strings.Contains(text, "new") {
		t.Errorf("from %d: %s", next, text)
	}
	if text, _ := read(0); !strings.Contains(text, "new") {
		t.Errorf("read again from the beginning: %s", text)
	}
	b.html = table("last")
	call(t, s, "snapshot", `{}`)
	if text, _ := read(next); !strings.Contains(text, "last") {
		t.Errorf("after another tool: %s", text)
	}
}

func TestLongPagesComeInParts(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Elements = nil
	for i := range 200 {
		b.snap.Elements = append(b.snap.Elements, browser.Element{Role: "link", Name: "Link number " + strings.Repeat("x", i%7), Ref: browser.Ref("e" + strings.Repeat("1", i%5+1))})
	}
	s := setOn(b, func(o *Options) { o.MaxOutput = 2000 })
	seen, offset := 0, 0
	for offset < 200 {
		r := call(t, s, "snapshot", `{"offset":`+jsonNumber(offset)+`}`)
		v, ok := outline.Parse(r.Output.Text())
		if !ok || v.First != offset || v.Total != 200 || len(v.Lines) == 0 || len(r.Output.Text()) > 2500 {
			t.Fatalf("at %d: %t %+v", offset, ok, v)
		}
		seen += len(v.Lines)
		offset += len(v.Lines)
	}
	if seen != 200 {
		t.Errorf("%d lines", seen)
	}
	b.html = "<p>" + strings.Repeat("größe ", 2000) + "</p>"
	var text strings.Builder
	for next := 0; ; {
		out := call(t, s, "read", `{"offset":`+jsonNumber(next)+`}`).Output.Text()
		_, body, _ := strings.Cut(out, "]\n")
		text.WriteString(body[:strings.LastIndex(body, "\n[end of page")])
		_, after, more := strings.Cut(out, "go on with offset ")
		if !more {
			break
		}
		if err := json.Unmarshal([]byte(strings.TrimSuffix(after, ".")), &next); err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.TrimSpace(strings.Repeat("größe ", 2000)); text.String() != want {
		t.Errorf("%d of %d bytes", text.Len(), len(want))
	}
}

func jsonNumber(n int) string {
	raw, _ := json.Marshal(n)
	return string(raw)
}

func TestInvisibleCharactersAreDropped(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Elements[1].Name = "G\u200bo\U000E0041 \uE000now\u202E"
	b.snap.Page.Title = "a\xffb"
	text := call(t, setOn(b), "snapshot", `{}`).Output.Text()
	if !strings.Contains(text, `button "Go now"`) || !strings.Contains(text, "Title: \"a\uFFFDb\"") {
		t.Error(text)
	}
}

func TestTheLastStepHasOneTool(t *testing.T) {
	t.Parallel()
	s := setOn(newBroken())
	last := s.Definitions(true)
	if len(last) != 1 || last[0].Name != DoneName || len(s.Definitions(false)) != len(s.list()) {
		t.Errorf("%+v", last)
	}
	for _, d := range s.Definitions(false) {
		if d.Description == "" || !json.Valid(d.Input) {
			t.Errorf("%s: %s", d.Name, d.Input)
		}
	}
}

func TestSchemes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://a.example/x": "https://a.example/x", "HTTP://a.example": "HTTP://a.example", "a.example": "https://a.example",
		"a.example/x:y": "https://a.example/x:y", "localhost:8080/x": "http://localhost:8080/x", "127.0.0.1": "http://127.0.0.1", "[::1]:80/": "http://[::1]:80/", "a.example:8080": "https://a.example:8080",
		"%home%": "%home%", "javascript:alert(1)": "javascript:alert(1)", "file:///etc": "file:///etc", "about:blank": "about:blank",
	} {
		if got := withScheme(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestWhatMayHaveHappenedIsSaidSo(t *testing.T) {
	t.Parallel()
	slow := errtypes.New(errtypes.GatewayTimeout, "the page did not answer")
	for _, test := range []struct {
		tool, input string
		err         error
		want        string
	}{
		{"click", `{"ref":"e2"}`, slow, mayHaveHappened},
		{"click", `{"ref":"e2"}`, errors.New("a foreign one"), mayHaveHappened},
		{"click", `{"ref":"e2"}`, context.DeadlineExceeded, mayHaveHappened},
		{"type", `{"ref":"e1","text":"x"}`, slow, mayHaveHappened},
		{"navigate", `{"url":"https://a.example"}`, slow, mayHaveHappened},
		{"navigate", `{"url":"https://a.example"}`, errtypes.New(errtypes.BadGateway, "refused the connection"), ""},
		{"navigate", `{"url":"https://a.example"}`, errtypes.New(errtypes.Invalid, "is refused"), hopeless},
		{"click", `{"ref":"e2"}`, &browser.StaleError{Ref: "e2"}, ""},
		{"click", `{"ref":"e2"}`, &browser.CoveredError{Ref: "e2"}, ""},
		{"click", `{"ref":"e2"}`, errtypes.New(errtypes.Invalid, "is disabled"), ""},
		{"click", `{}`, nil, ""},
		{"type", `{"ref":"e1","text":"%nobody%"}`, nil, ""},
	} {
		b := newBroken()
		b.err = test.err
		line, _, _ := strings.Cut(call(t, setOn(b), test.tool, test.input).Output.Text(), "\n")
		said := strings.Contains(line, mayHaveHappened) || strings.Contains(line, hopeless)
		if said != (test.want != "") || !strings.HasSuffix(line, test.want) {
			t.Errorf("%s %v: %q", test.tool, test.err, line)
		}
	}
	b := newBroken()
	b.snapErr = slow // it was clicked, and then the page hung
	if text := call(t, setOn(b), "click", `{"ref":"e2"}`).Output.Text(); !strings.HasSuffix(text, mayHaveHappened) {
		t.Error(text)
	}
	if text := call(t, setOn(b), "snapshot", `{}`).Output.Text(); strings.Contains(text, mayHaveHappened) {
		t.Errorf("looking changes nothing: %s", text)
	}
}

func TestTheHostOfAVariableIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Elements = []browser.Element{{Role: "text", Name: "shop-sk9tzq77.invalid:80 cannot be reached; SHOP-sk9tzq77.invalid; xn--bcher-kva.invalid; a.example"}}
	for value, hidden := range map[string]string{
		"http://shop-Sk9tZq77.invalid/path?tok=1": "sk9tzq77", "http://b\u00fccher.invalid/": "xn--bcher",
	} {
		s := setOn(b, func(o *Options) {
			o.Variables, o.Task = secrets.New(map[string]string{"u": value, "p": "path"}), "Go to %u% and https://a.example/%p%"
		})
		if text := call(t, s, "navigate", `{"url":"%u%"}`).Output.Text(); strings.Contains(strings.ToLower(text), hidden) || !strings.Contains(text, "%u%") {
			t.Errorf("%s: %s", value, text)
		}
		if text := call(t, s, "navigate", `{"url":"https://a.example/%p%"}`).Output.Text(); !strings.Contains(text, "a.example") {
			t.Errorf("a host that the task names: %s", text)
		}
	}
}

// What old answers are cut to has been redacted before: no half of a value is left.
func TestNoHalfOfAValueIsLeftOfAnOldAnswer(t *testing.T) {
	t.Parallel()
	const value = "Kanarie-4711-Wort"
	b := newBroken()
	set := setOn(b, func(o *Options) { o.Variables = secrets.New(map[string]string{"pass": value}) })
	for before := keptOfPage - 60; before < keptOfPage+10; before++ {
		filler := strings.Repeat("x", before)
		b.html = "<p>" + filler + " " + value + " " + strings.Repeat("y ", 400)
		b.snap.Elements = []browser.Element{{Role: "text", Name: filler + value}, {Role: "text", Name: strings.Repeat("y ", 400)}}
		for tool, input := range map[string]string{"read": `{}`, "snapshot": `{}`} {
			out := set.Shorten(call(t, set, tool, input).Output).Text()
			if !strings.Contains(out, "is left out here") || strings.Contains(out, value[:3]) {
				t.Fatalf("%s with %d before: %s", tool, before, out)
			}
		}
		data := set.Shorten(model.JSONOutput(set.opts.Variables.RedactOutputJSON(json.RawMessage(`["` + strings.Repeat(filler, 6)[:keptOfData-60+before-(keptOfPage-60)] + value + strings.Repeat("y", 400) + `"]`)))).Text()
		if !strings.Contains(data, "is left out here") || strings.Contains(data, value[:3]) {
			t.Fatalf("data with %d before: %s", before, data)
		}
	}
}
