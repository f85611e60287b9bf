package chrome_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

var snapshotCases = []struct{ name, html, want string }{
	{"headings and text", `<h1>Shop <b>now</b></h1><p>Total: <b>5</b> items</p><p>And <i>more</i>.</p>`, `
heading "Shop now" level=1
text "Total: 5 items"
text "And more."
`},
	{"names of fields", `
<label for=a>By for</label><input id=a>
<label>Wrapped <input></label>
<input aria-label="By label">
<span id=l1>By</span> <span id=l2>reference</span><input aria-labelledby="l1 l2">
<input placeholder=Hint>
<input title=Title>
<label>Size <select><option>S<option selected>M</select></label>
<label>Note <textarea>Some
text</textarea></label>`, `
textbox "By for" [ref]
textbox "Wrapped" [ref]
textbox "By label" [ref]
text "By reference"
textbox "By reference" [ref]
textbox "Hint" [ref]
textbox "Title" [ref]
combobox "Size" [ref] value="M" of [S M]
textbox "Note" [ref] value="Some text"
`},
	{"kinds of inputs", `
<input type=checkbox aria-label=c checked><input type=radio aria-label=r><input type=submit value=Send><input type=reset>
<input type=email aria-label=e value=a@b.c><input type=number aria-label=n value=3><input type=range aria-label=g value=7>
<input type=date aria-label=d value=2026-01-31><input type=search aria-label=s><input type=image alt=Picture>
<input type=file aria-label=f><input type=hidden value=h><input aria-label=x disabled><input list=dl aria-label=list><datalist id=dl><option>1</datalist>`, `
checkbox "c" [ref] type=checkbox checked
radio "r" [ref] type=radio
button "Send" [ref] type=submit
button "Reset" [ref] type=reset
textbox "e" [ref] value="a@b.c" type=email
spinbutton "n" [ref] value="3" type=number
slider "g" [ref] value="7" type=range 0..100/
textbox "d" [ref] value="2026-01-31" type=date
searchbox "s" [ref] type=search
button "Picture" [ref] type=image
button "f" [ref] type=file
textbox "x" [ref] disabled
combobox "list" [ref] of [1]
`},
	{"links and buttons", `
<a href=/a>Plain <em>link</em></a><a>No link</a><a href="javascript:x()">Script</a>
<button>Go <img alt=icon src=data:,></button><div role=button tabindex=0>Role</div><div tabindex=0>Focusable</div>
<div onclick=x()>Handler</div><span style="cursor:pointer">Pointer <b>inside</b></span>
<button aria-pressed=true>Pressed</button><a href=/i><img alt="A picture" src=data:,></a><summary>Not in details</summary>
<details><summary>More</summary>Hidden</details>`, `
link "Plain link" [ref]
text "No link"
link "Script" [ref]
button "Go icon" [ref]
button "Role" [ref]
generic "Focusable" [ref]
generic "Handler" [ref]
generic "Pointer inside" [ref]
button "Pressed" [ref] pressed
link "A picture" [ref]
text "Not in details"
button "More" [ref] collapsed
`},
	{"what is not seen", `
<p style="display:none">none</p><p style="visibility:hidden">hidden <span style="visibility:visible">but this</span></p>
<p style="opacity:0">transparent</p><p hidden>attribute</p><script>code</script><style>css</style><template>tpl</template>
<noscript>no script</noscript><p style="content-visibility:hidden">skipped</p><p>seen</p>`, `
text "but this"
text "seen"
`},
	{"styled check boxes", `
<label><input type=checkbox style="display:none" checked>Accept</label>
<label><input type=radio style="position:absolute;opacity:0;width:1px;height:1px">Choose</label>`, `
checkbox "Accept" [ref] type=checkbox checked
radio "Choose" [ref] type=radio
`},
	{"lists and tables", `
<ul><li>one<li>two <a href=/>inner</a></ul>
<table><caption>Prices</caption><tr><th>Name<th>Price<tr><th scope=row>Pen<td>3 EUR<tr><td><button>Buy</button><td></table>`, `
list ""
  listitem "one"
  listitem ""
    text "two"
    link "inner" [ref]
table "Prices"
  text "Prices"
  row ""
    columnheader "Name"
    columnheader "Price"
  row ""
    rowheader "Pen"
    cell "3 EUR"
  row ""
    cell ""
      button "Buy" [ref]
`},
	{"landmarks", `<header>Top</header><nav aria-label=Main><a href=/>Home</a></nav><main><article>News</article></main><form><button>F</button></form><div role=alert>Wrong</div>`, `
banner ""
  text "Top"
navigation "Main"
  link "Home" [ref]
main ""
  text "News"
button "F" [ref]
alert "Wrong"
`},
	{"shadow roots and slots", `
<x-card><span slot=title>Slotted</span><b>dropped</b></x-card>
<script>
customElements.define('x-card', class extends HTMLElement { connectedCallback() {
  this.attachShadow({mode:'open'}).innerHTML = '<h2><slot name=title>default</slot></h2><label>In shadow <input value=v></label><x-in></x-in>'; } });
customElements.define('x-in', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<button>Deep</button>'; } });
</script>`, `
heading "Slotted" level=2
textbox "In shadow" [ref] value="v"
button "Deep" [ref]
`},
	{"names that hide properties", `
<form aria-label=F><input name=attributes aria-label=1><input name=getAttribute aria-label=2><input name=parentNode aria-label=3><input name=firstChild><input name=tagName><input name=localName><input name=labels><input name=isContentEditable><input name=children></form>
<img name=documentElement alt=i src=data:,><img name=elementFromPoint alt=j src=data:,><a id=drover href=/>k</a>`, `
form "F"
  textbox "1" [ref]
  textbox "2" [ref]
  textbox "3" [ref]
  textbox "" [ref]
  textbox "" [ref]
  textbox "" [ref]
  textbox "" [ref]
  textbox "" [ref]
  textbox "" [ref]
img "i"
img "j"
link "k" [ref]
`},
	{"text that hides", "<p>pay\u200bpal \u202eevil\u202c \U000e0041\U000e0042tag \ue000private \u2066x\u2069 soft\u00adhyphen \u2764\ufe0f</p>", `
text "paypal evil tag private x softhyphen ❤️"
`},
	{"editable", `<div contenteditable aria-label=Editor>Some <b>rich</b> text</div><div role=textbox contenteditable=true></div>`, `
textbox "Editor" [ref] value="Some rich text"
textbox "" [ref]
`},
	{"inert is seen but cannot be acted on", `<div inert><button>No</button></div><button>Yes</button>`, `
button "No"
button "Yes" [ref]
`},
	{"odd element names", `<constructor>a</constructor><tostring>b</tostring><p role=constructor>c</p><p role="bogus button">d</p>`, `
text "ab"
text "c"
button "d" [ref]
`},
}

func TestSnapshotListsWhatIsSeen(t *testing.T) {
	t.Parallel()
	checkSnapshots(t, snapshotCases)
}

type snapshotCase = struct{ name, html, want string }

func checkSnapshots(t *testing.T, cases []snapshotCase) {
	t.Helper()
	html := map[string]string{}
	for i, c := range cases {
		html[fmt.Sprintf("/%d", i)] = "<!DOCTYPE html><title>t</title>" + c.html
	}
	srv := pages(t, html)
	s := open(t)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			navigate(t, s, fmt.Sprintf("%s/%d", srv.URL, i))
			if diff := cmp.Diff(strings.TrimLeft(c.want, "\n"), lines(snapshot(t, s))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPasswordsAreNeverRead(t *testing.T) {
	t.Parallel()
	s := show(t, `<input type=password aria-label=P value=hunter2><input autocomplete=current-password aria-label=Q value=hunter2>
<button onclick="document.querySelector('input').type='text'">Show password</button>`)
	snapshot(t, s)
	click(t, s, "Show password") // the page turns the field into text
	html, _, err := s.HTML(t.Context(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(snapshot(t, s), html); strings.Contains(all, "hunter2") {
		t.Errorf("the password shows: %s", all)
	}
}

func TestRefsStayWithTheirElements(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":     `<button>A</button><button onclick="this.before(Object.assign(document.createElement('button'),{textContent:'New'}))">B</button><a href=/next>Next</a>`,
		"/next": `<button>A</button><button>B</button>`,
	})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	a, b := ref(t, s, "A"), ref(t, s, "B")
	click(t, s, "B")
	if ref(t, s, "A") != a || ref(t, s, "B") != b {
		t.Error("refs changed though their elements did not")
	}
	click(t, s, "Next")
	if again := ref(t, s, "A"); again == a || again == b {
		t.Errorf("%s names another element on the next page", again)
	}
	var stale *browser.StaleError
	if _, err := s.Click(t.Context(), a); !asError(err, &stale) || stale.Ref != a {
		t.Errorf("a ref of the page before: %v", err)
	}
}

func TestFramesAreEntered(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":      `<h1>Main</h1><iframe title=Same src=/inner></iframe><iframe title=Cross src={other}/inner></iframe><iframe title=Hidden style="display:none" src=/inner></iframe><p>after</p>`,
		"/inner": `<button>Inner</button><iframe title=Nested src={host}/leaf></iframe>`,
		"/leaf":  `<a href=/>Leaf</a>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	got := regexp.MustCompile(` in f\d+`).ReplaceAllString(lines(snapshot(t, s)), " in frame")
	want := `heading "Main" level=1
iframe "Same" scroll=&{0 0.3 0 0}
  button "Inner" [ref] in frame
  iframe "Nested" in frame
    link "Leaf" [ref] in frame
iframe "Cross" scroll=&{0 0.3 0 0}
  button "Inner" [ref] in frame
  iframe "Nested" in frame
    link "Leaf" [ref] in frame
text "after"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	again := snapshot(t, s)
	if diff := cmp.Diff(snapshot(t, s).Elements, again.Elements); diff != "" {
		t.Errorf("the same page, another snapshot: %s", diff)
	}
}

func TestSnapshotsAreCut(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/many":   `<body><script>for (let i = 0; i < 500; i++) document.body.append(Object.assign(document.createElement('p'), {textContent: 'x'.repeat(100)}))</script>`,
		"/deep":   `<body><script>let at = document.body; for (let i = 0; i < 1200; i++) { const d = document.createElement('div'); at.append(d); at = d } at.append('bottom')</script><p>top</p>`,
		"/frames": strings.Repeat(`<iframe src=/leaf></iframe>`, 6),
		"/leaf":   `leaf`,
	})
	p := chrometest.Provider(t, func(o *chrome.Options) {
		o.Limits = chrome.Limits{Elements: 50, Text: 3000, Frames: 4}
	})
	s := chrometest.Session(t, p)
	for path, most := range map[string]int{"/many": 31, "/deep": 1, "/frames": 12} {
		navigate(t, s, srv.URL+path)
		sn := snapshot(t, s)
		if !sn.Truncated || len(sn.Elements) > most {
			t.Errorf("%s: truncated %t with %d elements, at most %d are expected", path, sn.Truncated, len(sn.Elements), most)
		}
		if _, _, err := s.HTML(t.Context(), 1<<20); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestPageTextIsCleaned(t *testing.T) {
	t.Parallel()
	s := show(t, "<title>A\u200b  B\u202e\n C</title>")
	p, err := s.Page(t.Context())
	if err != nil || p.Title != "A B C" || p.Status != 200 {
		t.Errorf("%+v, %v", p, err)
	}
}
