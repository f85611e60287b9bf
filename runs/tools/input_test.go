package tools

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// widgets are pages that show in their text what was done with them.
var widgets = map[string]string{
	"/buttons": `<button id=b>Go</button><p id=log></p><script>for (const e of ['click','dblclick','contextmenu']) b.addEventListener(e, ev => { ev.preventDefault(); log.append(e + (ev.ctrlKey ? ' ctrl' : '') + '; ') }); addEventListener('keydown', ev => log.append('key ' + ev.key + '; ')); b.onmouseenter = () => log.append('over; ')</script>`,
	"/form": `<form onsubmit="return false"><label>Name <input name=n></label><label>Age <input type=number></label><label>Born <input type=date></label><label>Size <select><option>Small<option>Large</select></label>
<label>Tags <select multiple><option>Red<option>Green<option>Blue</select></label><label><input type=checkbox>News</label><label><input type=radio name=r>Post</label><label><input type=radio name=r checked>Mail</label><label>Note <textarea></textarea></label><label>Fixed <input readonly value=x></label></form>`,
	"/list":   `<div style="height:3000px">Top</div><button>Last</button>`,
	"/slide":  `<label>Level <input type=range min=0 max=100 value=50 style="width:216px"></label>`,
	"/canvas": `<style>body{margin:0}</style><canvas width=400 height=300 style="display:block" onclick="log.append('click ' + event.offsetX + ',' + event.offsetY + ' ')"></canvas><p id=log></p>`,
	"/far":    `<style>body{margin:0;width:2000px;height:3000px}</style><p id=log style="position:fixed;left:500px;top:0"></p><script>onclick = ev => log.append('at ' + ev.pageX + ',' + ev.pageY + ' '); ondragend = () => log.append('drag ')</script>`,
	"/choose": `<input type=file id=f hidden><button onclick="f.click()">Attach</button>`,
	"/sites":  `<input aria-label=Secret><iframe title=other src={other}/inner></iframe>`,
	"/inner":  `<input aria-label=Elsewhere>`,
}

// Places in a picture are those that the model saw, whatever was scrolled since.
func pointAtPictures(t *testing.T, d *driver, url string) {
	d.do("navigate", `{"url":"`+url+`/far"}`)
	d.set.opts.MaxImageEdge = 1280
	refuses := func(input, want string) {
		t.Helper()
		before := shownLog(d)
		if got := d.do("point", input); !strings.Contains(got, want) || strings.Contains(got, mayHaveHappened) || shownLog(d) != before {
			t.Errorf("%s: %s %s", input, got, shownLog(d))
		}
	}
	d.do("screenshot", `{}`)
	refuses(`{"x":-1,"y":10}`, "outside the last picture, which is 1280 by 800 pixels")
	refuses(`{"x":10,"y":10,"action":"drag","to_x":10,"to_y":801}`, "outside the last picture")
	d.do("scroll", `{}`)
	refuses(`{"x":10,"y":10}`, "scrolled since the last picture")
	d.do("screenshot", `{}`)
	d.do("point", `{"x":10,"y":10}`)
	d.do("screenshot", `{"full_page":true}`) // 2000 by 3000, scaled to 853 by 1280
	d.do("point", `{"x":800,"y":1200}`)
	d.do("point", `{"x":5,"y":5}`)
	if got := shownLog(d); got != "at 10,650 at 1875,2813 at 11,11" {
		t.Error(got)
	}
	d.do("snapshot", `{"boxes":true}`)
	d.do("point", `{"x":1200,"y":5}`)
	if got := shownLog(d); !strings.HasSuffix(got, " at 1200,5") {
		t.Error(got)
	}
	d.do("screenshot", `{}`)
	d.do("navigate", `{"url":"`+url+`/far"}`)
	refuses(`{"x":10,"y":10}`, "of another page")
}

func serveWidgets(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(widgets[r.URL.Path], "{other}", "http://other.test:"+port))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestPointerAndKeysInChromium(t *testing.T) {
	t.Parallel()
	provider := chrometest.Provider(t)
	url := serveWidgets(t)
	for name, test := range map[string]func(*testing.T, *driver){
		"click": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/buttons"}`)
			for input, want := range map[string][2]string{
				`"double":true`:             {"Double-clicked", "dblclick; "},
				`"double":"true"`:           {"Double-clicked", "dblclick; "},
				`"button":"Right"`:          {"Right-clicked", "contextmenu; "},
				`"modifiers":["ctrl"]`:      {"Clicked", "click ctrl; "},
				`"modifiers":"Ctrl+Shift"`:  {"Clicked", "click ctrl; "},
				`"button":"left","extra":1`: {"Clicked", "click; "},
				`"hold":"0.1"`:              {"Clicked for 100ms", "click; "},
			} {
				got := d.do("click", `{"ref":"[`+d.ref("Go")+`]",`+input+`}`)
				if !strings.HasPrefix(got, want[0]+" ") || !strings.HasSuffix(strings.TrimSpace(shownLog(d)), strings.TrimSpace(want[1])) {
					t.Errorf("%s: %s %s", input, got, shownLog(d))
				}
			}
		},
		"keys": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/buttons"}`)
			if got := d.do("press", `{"keys":["esc","ctrl+k"],"ref":"`+d.ref("Go")+`","repeat":"2"}`); got != fmt.Sprintf(`Pressed "esc ctrl+k" on button "Go" [%s] 2 times.`, d.ref("Go")) {
				t.Error(got)
			}
			if got := shownLog(d); got != "key Escape; key Control; key k; key Escape; key Control; key k;" {
				t.Error(got)
			}
			if got := d.do("press", `{"keys":"Entr"}`); !strings.Contains(got, "did you mean Enter") || strings.Contains(got, mayHaveHappened) {
				t.Error(got)
			}
			if got := d.do("press", `{"keys":"hello"}`); !strings.Contains(got, "type") {
				t.Error(got)
			}
			if got := d.do("press", `{"text":"xy","keys":"Enter"}`); got != `Typed "xy" and pressed "Enter".` || !strings.HasSuffix(shownLog(d), "key x; key y; key Enter; click;") {
				t.Error(got, shownLog(d))
			}
		},
		"hover": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/buttons"}`)
			if got := d.do("hover", `{"ref":"`+d.ref("Go")+`"}`); !strings.HasPrefix(got, "The pointer is over button") || shownLog(d) != "over;" {
				t.Error(got, shownLog(d))
			}
		},
		"form": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/form"}`)
			field := func(name, value string) string { return `{"ref":"` + d.ref(name) + `","value":` + value + `}` }
			all := []string{field("Name", `"Ada"`), field("Age", `36`), field("Born", `"1815-12-10"`), field("Size", `"Large"`), field("Tags", `["Red","Blue"]`),
				field("News", `true`), field("Post", `"on"`), field("Note", `"two\nlines"`)}
			if got := d.do("fill_form", `{"fields":[`+strings.Join(all, ",")+`]}`); !strings.HasPrefix(got, `Filled textbox "Name" [`) || d.last.Output.IsError() {
				t.Error(got)
			}
			for _, want := range []string{`value="Ada"`, `value="36"`, `value="1815-12-10"`, `value="Large"`, `value="Red, Blue"`, `"News" [`, `value="two lines"`} {
				if !d.shows(want) {
					t.Errorf("no %s in\n%s", want, d.last.Output.Text())
				}
			}
			for name, want := range map[string]bool{"News": true, "Post": true, "Mail": false} {
				for _, l := range d.view.Lines {
					if l.Name == name && l.Role != "text" && l.Checked != want {
						t.Errorf("%s is %t", name, l.Checked)
					}
				}
			}
			got := d.do("fill_form", `{"fields":[`+field("Name", `"Eve"`)+`,`+field("Fixed", `"y"`)+`,`+field("Age", `1`)+`]}`)
			if !strings.HasPrefix(got, `Error: field 2, textbox "Fixed" [`) || !strings.Contains(got, "read-only") || !strings.Contains(got, `Filled textbox "Name" [`) || !d.shows(`value="Eve"`) || !d.shows(`value="36"`) {
				t.Errorf("%s\n%s", got, d.last.Output.Text())
			}
			if got := d.do("fill_form", `{"fields":[{"ref":"e999","value":"x"}]}`); !strings.HasPrefix(got, "Error: field 1, [e999]: there is no element e999 on the page") {
				t.Error(got)
			}
			if got := d.do("fill_form", `{"fields":[`+field("Born", `"12/24/2026"`)+`]}`); !strings.Contains(got, "YYYY-MM-DD") {
				t.Error(got)
			}
			if got := d.do("fill_form", `{"fields":[`+field("News", `"perhaps"`)+`]}`); !strings.Contains(got, "true or false") {
				t.Error(got)
			}
			// A model that writes it otherwise is understood.
			d.do("fill_form", `{"fields":{"`+d.ref("Name")+`":"Bob","`+d.ref("News")+`":false}}`)
			if !d.shows(`value="Bob"`) || d.last.Output.IsError() {
				t.Error(d.last.Output.Text())
			}
			d.do("fill_form", `{"fields":"[{\"ref\":\"`+d.ref("Name")+`\",\"text\":\"Cy\"}]"}`)
			if !d.shows(`value="Cy"`) {
				t.Error(d.last.Output.Text())
			}
		},
		"select": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/form"}`)
			if got := d.do("select", `{"ref":"`+d.ref("Tags")+`","options":["green","Blue"]}`); !strings.HasPrefix(got, `Selected "green", "Blue" in listbox "Tags"`) || !d.shows(`value="Green, Blue"`) {
				t.Error(got)
			}
			d.do("select", `{"ref":"`+d.ref("Size")+`","options":"Large"}`)
			if !d.shows(`value="Large"`) {
				t.Error(d.last.Output.Text())
			}
			if got := d.do("select", `{"ref":"`+d.ref("Size")+`","options":["Huge"]}`); !strings.Contains(got, `"Small", "Large"`) {
				t.Error(got)
			}
		},
		"scroll": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/list"}`)
			for input, want := range map[string]string{
				`{"direction":"end"}`:              "Scrolled: 2.8 pages above, nothing below.",
				`{"direction":"up","pages":"0.5"}`: "Scrolled: 2.3 pages above, 0.5 pages below.",
				`{"direction":"top"}`:              "Scrolled: nothing above, 2.8 pages below.",
				`{"ref":"` + d.ref("Last") + `"}`:  "Scrolled to button \"Last\" [" + d.ref("Last") + "]: 2.8 pages above, nothing below.",
				`{"text":"last"}`:                  `Scrolled to "last": 2.8 pages above, nothing below.`,
			} {
				d.do("scroll", `{"direction":"down","pages":0.5}`)
				if strings.Contains(input, "up") {
					d.do("scroll", `{"direction":"bottom"}`)
				}
				if got := d.do("scroll", input); got != want {
					t.Errorf("%s: %s", input, got)
				}
				d.do("scroll", `{"direction":"top"}`)
			}
			if got := d.do("scroll", `{"direction":"up"}`); !strings.HasPrefix(got, "It does not scroll any further: nothing above") {
				t.Error(got)
			}
			if got := d.do("scroll", `{"x":600,"y":"300","direction":"down","pages":1}`); got != "Scrolled: 1.0 pages above, 1.8 pages below." {
				t.Error(got)
			}
			d.do("scroll", `{"direction":"bottom"}`)
			if got := d.do("scroll", `{"ref":"`+d.ref("Last")+`","direction":"up","pages":1}`); !strings.Contains(got, `] does not scroll; scrolled what is around it: 1.8 pages above`) {
				t.Error(got)
			}
			if got := d.do("scroll", `{"x":1}`); !strings.Contains(got, "x and y together") {
				t.Error(got)
			}
			if got := d.do("scroll", `{"text":"nowhere"}`); !strings.Contains(got, "not on the page") || strings.Contains(got, mayHaveHappened) {
				t.Error(got)
			}
		},
		"drag": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/slide"}`)
			if got := d.do("drag", `{"ref":"`+d.ref("Level")+`","dx":"-60"}`); !strings.HasSuffix(got, " by -60, 0.") || !d.shows(`value="20"`) {
				t.Error(got, d.last.Output.Text())
			}
		},
		"point": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/canvas"}`)
			if got := d.do("point", `{"x":120,"y":"80"}`); !strings.HasPrefix(got, "Clicked at (120, 80): ") || shownLog(d) != "click 120,80" {
				t.Error(got, shownLog(d))
			}
			d.set.picture = picture{Scale: 2, Left: 10, Top: 20}
			d.do("point", `{"x":120,"y":80}`)
			if got := shownLog(d); got != "click 120,80 click 70,60" {
				t.Error(got)
			}
			if got := d.do("point", `{"x":9999,"y":1}`); !strings.Contains(got, "outside the viewport") {
				t.Error(got)
			}
		},
		"chooser": func(t *testing.T, d *driver) {
			d.do("navigate", `{"url":"`+url+`/choose"}`)
			if got := d.click("Attach"); !strings.HasSuffix(got, "."+askedFiles) {
				t.Error(got)
			}
			if got := d.do("press", `{"keys":"a"}`); strings.Contains(got, askedFiles) {
				t.Error(got)
			}
		},
		"pictures": func(t *testing.T, d *driver) { pointAtPictures(t, d, url) },
	} {
		t.Run(name, func(t *testing.T) {
			test(t, &driver{t: t, set: setOn(chrometest.Session(t, provider), seeing, func(o *Options) { o.Variables = nil })})
		})
	}
}

// shownLog is the text that a page keeps of what was done with it.
func shownLog(d *driver) string {
	for _, l := range d.view.Lines {
		if l.Role == "text" && strings.ContainsAny(l.Name, ";,") {
			return strings.TrimSpace(l.Name)
		}
	}
	return ""
}

// A variable that is typed into boxes of one character each shows in none of them.
func TestAVariableInBoxes(t *testing.T) {
	t.Parallel()
	d := drive(t, seeing)
	d.open(site(t, map[string]string{"/": strings.Repeat(`<input maxlength=1>`, 8) + `<script>document.querySelectorAll('input').forEach((e, i) => e.ariaLabel = 'b' + i)</script>`}))
	d.typeInto("b0", "%pass%")
	if got := d.last.Output.Text(); d.last.Output.IsError() || strings.Count(got, `value="%pass%"`) != 8 {
		t.Error(got)
	}
}

func TestVariablesInForms(t *testing.T) {
	t.Parallel()
	provider := chrometest.Provider(t)
	url := strings.Replace(serveWidgets(t), "127.0.0.1", "main.test", 1)
	origin, err := secrets.ParseOrigin(url)
	if err != nil {
		t.Fatal(err)
	}
	bound := secrets.NewVault(map[string]secrets.Variable{"pass": {Value: "hunter22", Origins: []secrets.Origin{origin}}}, clock.System())
	d := &driver{t: t, set: setOn(chrometest.Session(t, provider), func(o *Options) { o.Variables = bound })}
	d.do("navigate", `{"url":"`+url+`/sites"}`)
	got := d.do("fill_form", `{"fields":[{"ref":"`+d.ref("Secret")+`","value":"%pass%"},{"ref":"`+d.ref("Elsewhere")+`","value":"%pass%"}]}`)
	if !strings.HasPrefix(got, "Error: field 2") || !strings.Contains(got, "%pass%") || !d.shows(`value="%pass%"`) {
		t.Errorf("%s\n%s", got, d.last.Output.Text())
	}
	for _, keys := range []string{"Control+C", "ctrl+v", "Meta-x", "Shift+Insert", "Control+A Control+KeyC"} {
		if got := d.do("press", `{"keys":"`+keys+`"}`); !strings.Contains(got, "may not leave its site") {
			t.Errorf("%s: %s", keys, got)
		}
	}
	if got := d.do("press", `{"keys":"Control+A"}`); d.last.Output.IsError() {
		t.Error(got)
	}
}

// failing is a session whose pointer and keys fail in one way.
type failing struct {
	*broken
}

func (f failing) Hover(context.Context, browser.Ref) (browser.Page, error) { return f.snap.Page, f.err }
func (f failing) Press(context.Context, string, browser.PressOptions) (browser.Page, error) {
	return f.snap.Page, f.err
}
func (f failing) Drag(context.Context, browser.Spot, browser.Spot, browser.DragOptions) (browser.Page, error) {
	return f.snap.Page, f.err
}
func (f failing) Scroll(context.Context, browser.ScrollOptions) (browser.Scrolled, error) {
	return browser.Scrolled{Page: f.snap.Page}, f.err
}
func (f failing) Select(context.Context, browser.Ref, ...string) (browser.Page, error) {
	return f.snap.Page, f.err
}
func (f failing) ClickAt(context.Context, browser.Point, browser.ClickOptions) (browser.Hit, error) {
	return browser.Hit{Page: f.snap.Page, Role: "but\nton", Name: "hunter22"}, f.err
}

func TestWhatOfInputMayHaveHappened(t *testing.T) {
	t.Parallel()
	slow, invalid := errtypes.New(errtypes.GatewayTimeout, "did not answer"), errtypes.New(errtypes.Invalid, "is disabled")
	for _, c := range []struct {
		tool, input string
		err         error
		unsure      bool
	}{
		{"press", `{"keys":"Enter"}`, slow, true},
		{"drag", `{"ref":"e1","dx":5}`, slow, true},
		{"select", `{"ref":"e1","options":["a"]}`, slow, true},
		{"point", `{"x":1,"y":1}`, slow, true},
		{"fill_form", `{"fields":[{"ref":"e1","value":"a"}]}`, slow, true},
		{"hover", `{"ref":"e1"}`, slow, false},
		{"scroll", `{}`, slow, false},
		{"press", `{"keys":"Enter"}`, invalid, false},
		{"drag", `{"ref":"e1","dx":5}`, invalid, false},
		{"fill_form", `{"fields":[{"ref":"e1","value":"a"}]}`, invalid, false},
	} {
		b := newBroken()
		b.err = c.err
		line, _, _ := strings.Cut(call(t, setOn(failing{b}), c.tool, c.input).Output.Text(), "\n")
		if !strings.HasPrefix(line, "Error: ") || strings.Contains(line, mayHaveHappened) != c.unsure {
			t.Errorf("%s %v: %s", c.tool, c.err, line)
		}
	}
	if text := call(t, setOn(failing{newBroken()}), "point", `{"x":1,"y":1}`).Output.Text(); !strings.HasPrefix(text, `Clicked at (1, 1): element "%pass%".`) {
		t.Error(text)
	}
	for _, name := range []string{"press", "drag", "select", "point", "fill_form", "hover", "scroll"} {
		if OnlyLooks(name) {
			t.Errorf("%s only looks", name)
		}
	}
}
