package chrome_test

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

func press(t testing.TB, s browser.Session, keys string, o browser.PressOptions) browser.Page {
	t.Helper()
	p, err := s.Press(t.Context(), keys, o)
	if err != nil {
		t.Fatalf("%s: %v", keys, err)
	}
	return p
}

func TestKeysAsPagesHearThem(t *testing.T) {
	t.Parallel()
	s := show(t, toldScript+`<button>B</button><script>addEventListener('keydown', ev => { ev.preventDefault(); log((ev.ctrlKey ? 'C' : '') + (ev.altKey ? 'A' : '') + (ev.metaKey ? 'M' : '') + (ev.shiftKey ? 'S' : '') + ' ' + ev.key + ' ' + ev.code + ' ' + ev.keyCode) })</script>`)
	for keys, want := range map[string]string{
		"Enter": " Enter Enter 13;", "return": " Enter Enter 13;", "esc": " Escape Escape 27;", "ArrowDown": " ArrowDown ArrowDown 40;", "down": " ArrowDown ArrowDown 40;",
		"a": " a KeyA 65;", "A": "S A KeyA 65;", "5": " 5 Digit5 53;", "F2": " F2 F2 113;", "+": "S + Equal 187;", "Space": "   Space 32;", " ": "   Space 32;",
		"Page_Down": " PageDown PageDown 34;", "é": " é  0;", "KeyB": " b KeyB 66;",
		"ctrl+a": "C Control ControlLeft 17;C a KeyA 65;", "Control+A": "C Control ControlLeft 17;C a KeyA 65;", "Meta+K": "M Meta MetaLeft 91;M k KeyK 75;",
		"Shift+Tab": "S Shift ShiftLeft 16;S Tab Tab 9;", "Control++": "C Control ControlLeft 17;CS + Equal 187;", "shift+1": "S Shift ShiftLeft 16;S ! Digit1 49;",
		"Ctrl-Shift-k": "C Control ControlLeft 17;CS Shift ShiftLeft 16;CS K KeyK 75;", "Shift": "S Shift ShiftLeft 16;",
		"x y": " x KeyX 88; y KeyY 89;", "-": " - Minus 189;", "Alt+ArrowLeft": "A Alt AltLeft 18;A ArrowLeft ArrowLeft 37;",
	} {
		before := told(t, s)
		press(t, s, keys, browser.PressOptions{})
		if got := strings.TrimPrefix(told(t, s), before); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%q: %q, want %q", keys, got, want)
		}
	}
	before := told(t, s)
	press(t, s, "j", browser.PressOptions{Repeat: 3})
	if got := strings.Count(strings.TrimPrefix(told(t, s), before), "KeyJ"); got != 3 {
		t.Errorf("pressed %d times", got)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	s := show(t, `x`)
	for keys, want := range map[string]string{
		"Entr": "Enter", "Escpe": "Escape", "Ctrl+Foo": "Foo", "Hold+A": `"Hold"`, "": "keys must be", "ArowDown": "ArrowDown", strings.Repeat("a ", 201): "keys must be",
	} {
		_, err := s.Press(t.Context(), keys, browser.PressOptions{})
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", keys, err)
		}
	}
	if _, err := s.Press(t.Context(), "a", browser.PressOptions{Repeat: 101}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

func TestEditingKeys(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]bool{"in a shared browser": false, "in one of its own": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := pages(t, map[string]string{"/": `<!DOCTYPE html><input aria-label=one value="first text"><input aria-label=two><textarea aria-label=area></textarea><div contenteditable aria-label=rich>rich <b>words</b></div><iframe src=/in></iframe><input type=password aria-label=pw value=geheim>`,
				"/in": `<input aria-label=inner>`})
			s, err := sharedProvider(t).Open(t.Context(), browser.Options{OwnProcess: own})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			navigate(t, s, srv.URL)
			at := func(name string) browser.PressOptions { return browser.PressOptions{Ref: ref(t, s, name)} }
			press(t, s, "Control+A Control+C", at("one"))
			press(t, s, "Control+V Control+V", at("two"))
			press(t, s, "Control+V", at("area"))
			press(t, s, "Control+V", at("inner"))
			press(t, s, "Control+A Control+X", at("rich"))
			press(t, s, "End Enter Control+V Control+z", at("area"))
			press(t, s, "Control+A Backspace Z o e", at("one"))
			for name, want := range map[string]string{"one": "Zoe", "two": "first textfirst text", "inner": "first text", "rich": ""} {
				if got := valueOf(t, s, name); got != want {
					t.Errorf("%s holds %q, want %q", name, got, want)
				}
			}
			if got := valueOf(t, s, "area"); !strings.HasPrefix(got, "first text") || strings.Contains(got, "rich") {
				t.Errorf("area holds %q", got)
			}
			press(t, s, "Shift+Tab", at("area"))
			press(t, s, "End !", browser.PressOptions{})
			if got := valueOf(t, s, "two"); got != "first textfirst text!" {
				t.Errorf("two holds %q", got)
			}
		})
	}
}

func TestNothingOfOthersIsPasted(t *testing.T) {
	t.Parallel()
	s := show(t, `<input aria-label=in>`)
	if _, err := s.Press(t.Context(), "Control+V", browser.PressOptions{Ref: ref(t, s, "in")}); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "type the text") {
		t.Error(err)
	}
}

func TestKeysLead(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":     `<form action=/next><input name=q aria-label=q value=v></form><a href=/next>L</a><div tabindex=0 role=menu aria-label=M onkeydown="this.textContent='pressed '+event.key"></div>`,
		"/next": `<title>Next</title>`,
	})
	s := open(t)
	navigate(t, s, srv.URL)
	press(t, s, "ArrowRight", browser.PressOptions{Ref: ref(t, s, "M")})
	if !says(t, s, "pressed ArrowRight") {
		t.Error(lines(snapshot(t, s)))
	}
	if p := press(t, s, "Enter", browser.PressOptions{Ref: ref(t, s, "q")}); p.Title != "Next" {
		t.Errorf("%+v", p)
	}
}
