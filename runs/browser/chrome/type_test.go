package chrome_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
)

func typeInto(t testing.TB, s browser.Session, name, text string, o browser.TypeOptions) browser.Page {
	t.Helper()
	p, err := s.Type(t.Context(), ref(t, s, name), text, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bothWays are the two in which text is typed: as keys, and into documents of an
// origin alone.
func bothWays(t *testing.T, test func(*testing.T, browser.TypeOptions)) {
	t.Helper()
	t.Run("keys", func(t *testing.T) { t.Parallel(); test(t, browser.TypeOptions{}) })
	t.Run("bound", func(t *testing.T) {
		t.Parallel()
		test(t, browser.TypeOptions{Allow: func(string) error { return nil }})
	})
}

// valueOf is what the field with the name shows.
func valueOf(t testing.TB, s browser.Session, name string) string {
	t.Helper()
	for _, e := range snapshot(t, s).Elements {
		if e.Name == name && e.Ref != "" {
			return e.Value
		}
	}
	t.Fatalf("there is no field %q", name)
	return ""
}

func TestTypingFillsFields(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		s := show(t, `<!DOCTYPE html><input aria-label=text value=old><textarea aria-label=area>old</textarea><input type=email aria-label=email value=a@b>
<input type=number aria-label=number value=1><input type=search aria-label=search><div contenteditable aria-label=rich>old <b>text</b></div>
<input type=date aria-label=date><input type=color aria-label=color><input type=range aria-label=range max=20><input type=time aria-label=time>
<input aria-label=max maxlength=3>
<select aria-label=one><option>Small<option value=m>Medium size<option>Large</select>
<select aria-label=more multiple><option selected>A<option>B<option>C</select>`)
		for _, c := range []struct{ name, text, want string }{
			{"text", "new text", "new text"},
			{"text", "", ""},
			{"text", "Größe 漢字 😀 Ă", "Größe 漢字 😀 Ă"},
			{"text", `"quotes" \ ${x} </script> %y%`, `"quotes" \ ${x} </script> %y%`},
			{"area", "line 1\nline 2", "line 1 line 2"},
			{"email", "x@y.z", "x@y.z"},
			{"number", "42", "42"},
			{"search", "find", "find"},
			{"rich", "plain", "plain"},
			{"rich", "", ""},
			{"date", "2026-01-31", "2026-01-31"},
			{"color", "#ff0000", "#ff0000"},
			{"range", "13", "13"},
			{"time", "12:34", "12:34"},
			{"max", "abc", "abc"},
			{"one", "Large", "Large"},
			{"one", "m", "Medium size"},
			{"one", "small", "Small"},
			{"one", "dium", "Medium size"},
			{"more", "C", "C"},
		} {
			typeInto(t, s, c.name, c.text, o)
			if got := valueOf(t, s, c.name); got != c.want {
				t.Errorf("%s after %q shows %q, want %q", c.name, c.text, got, c.want)
			}
		}
	})
}

func TestTypingBehindWhatIsThere(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		s := show(t, `<input aria-label=text value=old><textarea aria-label=area>old</textarea><div contenteditable aria-label=rich>old</div><select aria-label=more multiple><option selected>A<option>B<option>C</select>`)
		for name, want := range map[string]string{"text": "oldB", "area": "oldB", "rich": "oldB", "more": "A, B"} {
			typeInto(t, s, name, "B", browser.TypeOptions{Append: true, Allow: o.Allow})
			if got := valueOf(t, s, name); got != want {
				t.Errorf("%s shows %q, want %q", name, got, want)
			}
		}
	})
}

func TestTypingIsHeard(t *testing.T) {
	t.Parallel()
	s := show(t, logScript+`<input aria-label=in><input aria-label=other><select aria-label=sel><option>a<option>b</select>
<script>for (const e of ['keydown','keypress','input','keyup','change']) document.addEventListener(e, ev => log(ev.target.getAttribute('aria-label') + ' ' + e))</script>`)
	typeInto(t, s, "in", "hello", browser.TypeOptions{})
	typeInto(t, s, "other", "x", browser.TypeOptions{})
	typeInto(t, s, "sel", "b", browser.TypeOptions{})
	want := "in input;in keydown;in keypress;in input;in keyup;in change;other keydown;other keypress;other input;other keyup;sel input;sel change;"
	if !says(t, s, want) {
		t.Error(lines(snapshot(t, s)))
	}
}

func TestSubmitPressesEnter(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		srv := pages(t, map[string]string{
			"/":     `<form action=/done><input name=q aria-label=q><input type=password name=p aria-label=p><button>Go</button></form>`,
			"/done": `<title>Done</title>`,
		})
		s := open(t)
		navigate(t, s, srv.URL+"/")
		typeInto(t, s, "p", "geheim", o)
		if p := typeInto(t, s, "q", "a b", browser.TypeOptions{Submit: true, Allow: o.Allow}); p.URL != srv.URL+"/done?q=a+b&p=geheim" || p.Title != "Done" {
			t.Errorf("%+v", p)
		}
	})
}

func TestTypingInFrames(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of frame")
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		srv := pages(t, map[string]string{
			"/":      `<div style="height:1200px"></div><iframe src=/same></iframe><iframe src={other}/cross></iframe>`,
			"/same":  `<input aria-label=same>`,
			"/cross": `<form action=/sent><input name=q aria-label=cross></form>`,
			"/sent":  `<p>sent</p>`,
		})
		s := open(t)
		navigate(t, s, at(srv, "main.test", "/"))
		typeInto(t, s, "same", "one", o)
		typeInto(t, s, "cross", "two", o)
		if got := []string{valueOf(t, s, "same"), valueOf(t, s, "cross")}; got[0] != "one" || got[1] != "two" {
			t.Error(got)
		}
		typeInto(t, s, "cross", "three", browser.TypeOptions{Submit: true, Allow: o.Allow})
		if !says(t, s, `"sent"`) {
			t.Error(lines(snapshot(t, s)))
		}
	})
}

func TestFieldsThatTakeNoText(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		const secret = "s3cret-value"
		s := show(t, `<button>button</button><input aria-label=readonly readonly><input aria-label=disabled disabled><input type=checkbox aria-label=box>
<input type=date aria-label=date><select aria-label=sel><option>first<option disabled>s3cret-value</select><input aria-label=covered><div style="position:fixed;bottom:0;width:100%;height:100px">bar</div>
<input aria-label=veiled style="position:fixed;bottom:10px">
<div role=dialog aria-label=Veil style="position:fixed;bottom:0;width:100%;height:100px"></div><a href=/ >link</a>`)
		for name, want := range map[string]string{
			"button": "takes no text", "readonly": "is read-only", "disabled": "is disabled", "box": "takes no text",
			"date": "does not take this text", "sel": `it has: "first"`, "veiled": "is covered by dialog", "link": "takes no text",
		} {
			_, err := s.Type(t.Context(), ref(t, s, name), secret, o)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
				continue
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the text is in the error: %v", name, err)
			}
			if name != "veiled" && !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("%s: kind %s", name, errtypes.KindOf(err))
			}
		}
	})
}

func TestFieldsThatVanishWhileTyping(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		s := show(t, `<input aria-label=f onfocus="this.remove()">`)
		r := ref(t, s, "f")
		_, err := s.Type(t.Context(), r, "x", o)
		var stale *browser.StaleError
		if !asError(err, &stale) {
			t.Error(err)
		}
	})
}

const masks = `<!DOCTYPE html><input type=number aria-label=number><input type=range min=0 max=10 aria-label=range><input maxlength=4 aria-label=max>
<input type=password maxlength=4 aria-label=pass><input aria-label=digits oninput="this.value = this.value.replace(/[^0-9]/g, '')">
<input aria-label=late oninput="setTimeout(() => this.value = 'x')"><input aria-label=upper oninput="this.value = this.value.toUpperCase()">
<input aria-label=card oninput="this.value = this.value.replace(/[^0-9]/g, '').replace(/(.{4})(?=.)/g, '$1 ')">
<input type=tel aria-label=tel oninput="const d = this.value.replace(/[^0-9]/g, ''); this.value = '(' + d.slice(0,3) + ') ' + d.slice(3,6) + '-' + d.slice(6)">
<input aria-label=gone oninput="this.remove()"><textarea aria-label=area></textarea><div contenteditable aria-label=rich></div><input type=color aria-label=color>
<input type=email aria-label=email><input aria-label=tags oninput="if (this.value.endsWith(',')) this.value = ''">`

var notTaken = regexp.MustCompile("holds other text than was typed|does not take this text|was set to 10: it goes from 0 to 10|takes at most 4 characters")

func TestFieldsThatHoldSomethingElseAreSaidSo(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of field")
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		s := show(t, masks)
		for _, c := range []struct {
			name, text string
			taken      bool
		}{
			{"number", "abc", false}, {"number", "1e3x7", false}, {"number", "42", true}, {"number", "007", true}, {"number", "", true},
			{"range", "70", false}, {"range", "7", true}, {"max", "123456", false}, {"max", "1234", true},
			{"pass", "geheim!", false}, {"pass", "gEh!", true}, {"digits", "12ab34", false}, {"digits", "abc", false}, {"digits", "12-34", true},
			{"late", "abc", false}, {"upper", "Abc", true}, {"card", "4111111111111111", true}, {"tel", "5551234567", true},
			{"area", "one\ntwo\n", true}, {"rich", "one\ntwo", true}, {"rich", "", true}, {"color", "blurb", false}, {"color", "#FF0000", true},
			{"email", "x@b\u00fccher.de", true}, {"tags", "red,", true}, {"area", "!?\u2026", true}, {"gone", "abc", true},
		} {
			_, err := s.Type(t.Context(), ref(t, s, c.name), c.text, o)
			if c.taken && err != nil {
				t.Errorf("%s %q: %v", c.name, c.text, err)
			}
			if !c.taken && (!errtypes.Is(err, errtypes.Invalid) || !notTaken.MatchString(err.Error())) {
				t.Errorf("%s %q: %v", c.name, c.text, err)
			}
		}
	})
}

func TestTypingKeepsLines(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of field")
	bothWays(t, func(t *testing.T, o browser.TypeOptions) {
		s := show(t, `<!DOCTYPE html><textarea aria-label=area oninput="document.title = this.value.split('\n').length"></textarea>
<div contenteditable aria-label=rich oninput="document.title = this.innerText.split('\n').length"></div>`)
		for _, name := range []string{"area", "rich"} {
			if p := typeInto(t, s, name, "one\ntwo\nthree", o); p.Title != "3" {
				t.Errorf("%s: %s lines", name, p.Title)
			}
		}
	})
}

// What makes its text of keys gets keys, and what is no field at all, too.
const struckFields = toldScript + `<input aria-label=Amount id=a value=0.00><script>let d = '';
a.onkeydown = e => { if (e.key === 'Tab') return; e.preventDefault(); if (/^\d$/.test(e.key)) d += e.key; else if (e.key === 'Backspace') d = ''; a.value = (Number(d) / 100).toFixed(2) };
a.oninput = () => { a.value = (Number(d) / 100).toFixed(2) }</script>
<span id=boxes><input aria-label=b1 maxlength=1><input aria-label=b2 maxlength=1 value=9><input aria-label=b3 maxlength=1></span><script>boxes.oninput = e => e.target.value && e.target.nextElementSibling?.focus()</script>
<div role=textbox tabindex=0 aria-label=Word id=w>was</div><script>w.onkeydown = e => { if (e.key.length === 1 && !e.ctrlKey) w.textContent += e.key; else if (e.key === 'Backspace') w.textContent = w.textContent.slice(0, -1) }</script>
<div role=textbox tabindex=0 aria-label=EC id=ec style="height:30px"></div><script>ec.editContext = new EditContext; ec.editContext.ontextupdate = () => { ec.textContent = ec.editContext.text }</script>
<input aria-label=short maxlength=3><input type=range aria-label=level min=0 max=100 step=5><input type=date aria-label=day><button>plain</button>
<script>addEventListener('keydown', e => e.target === document.body && log(e.key))</script>`

func TestTypingByKeys(t *testing.T) {
	t.Parallel()
	s := show(t, struckFields)
	for _, c := range []struct{ name, text, shows string }{
		{"Amount", "12.50", `"Amount" [ref] value="12.50"`}, {"b1", "123", `"b2" [ref] value="2"`}, {"b1", "45", `"b3" [ref] value="3"`},
		{"Word", "crane", ""}, {"EC", "hello", ""},
	} {
		if _, err := s.Type(t.Context(), ref(t, s, c.name), c.text, browser.TypeOptions{}); err != nil || !says(t, s, c.shows) {
			t.Errorf("%+v: %v\n%s", c, err, lines(snapshot(t, s)))
		}
	}
	html, _, err := s.HTML(t.Context(), 1<<20)
	if err != nil || !strings.Contains(html, ">crane<") || !strings.Contains(html, ">hello<") {
		t.Errorf("%v\n%s", err, html)
	}
	for _, c := range []struct{ name, text, want string }{
		{"short", "long text", "takes at most 3 characters"}, {"level", "37", "was set to 35: it goes from 0 to 100 in steps of 5"},
		{"day", "12/24/2026", "YYYY-MM-DD"}, {"plain", "x", "press with a text"},
	} {
		if _, err := s.Type(t.Context(), ref(t, s, c.name), c.text, browser.TypeOptions{}); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	s.ClickAt(t.Context(), browser.Point{X: 600, Y: 600}, browser.ClickOptions{})
	if _, err := s.Press(t.Context(), "Escape", browser.PressOptions{Text: "a b"}); err != nil || told(t, s) != "a; ;b;Escape;" {
		t.Errorf("%v %s", err, told(t, s))
	}
}
