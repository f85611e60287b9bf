package mux

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// What clients do to a page as a person would is told to the observer: where
// they click, that they type, which keys without a character they press. What
// they type is not.

// typedInto is the tab in which a client types, so that one text is told of once.
type typedInto struct {
	mu   sync.Mutex
	tab  target.ID
	last time.Time
}

// typingPause is what ends a text, where nothing else is done.
const typingPause = 5 * time.Second

// goesOn reports whether a text was being typed in a tab.
func (y *typedInto) goesOn(tab target.ID, now time.Time) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	before, last := y.tab, y.last
	y.tab, y.last = tab, now
	return before == tab && now.Sub(last) < typingPause
}

func (y *typedInto) end() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.tab = ""
}

// noteAct tells of a client's command, if it is such an act.
func (c *conn) noteAct(st *attachment, cmd policy.Command) {
	if !c.s.Observed() || !strings.HasPrefix(cmd.Method, "Input.") {
		return
	}
	switch a := parsed[act](cmd); cmd.Method {
	case input.DispatchMouseEvent.Method:
		if a.Type == "mousePressed" && a.ClickCount < 2 { // a double click is told of once
			c.tellAct(st, cmd.Method, map[string]any{"type": a.Type, "x": a.X, "y": a.Y, "button": strings.ToValidUTF8(a.Button[:min(len(a.Button), 10)], "")})
		}
	case input.DispatchTouchEvent.Method:
		if a.Type == "touchStart" && len(a.TouchPoints) > 0 {
			c.tellAct(st, cmd.Method, map[string]any{"type": a.Type, "x": a.TouchPoints[0].X, "y": a.TouchPoints[0].Y})
		}
	case input.InsertText.Method:
		c.tellTyping(st)
	case input.DispatchKeyEvent.Method:
		c.noteKey(st, a)
	}
}

// act is what matters of a command.
type act struct {
	Type, Button, Key, Text string
	X, Y                    float64
	ClickCount, Modifiers   float64
	AutoRepeat              bool
	TouchPoints             []struct{ X, Y float64 }
}

// noteKey tells of a key. One with a character, or that deletes one, is part of
// a text; others are told of where they do something by themselves.
func (c *conn) noteKey(st *attachment, a act) {
	const altCtrlMeta = 1 | 2 | 4
	character := utf8.RuneCountInString(a.Key) == 1 || a.Key == "" && a.Text != ""
	switch {
	case a.Type == "keyUp":
	case character && int64(a.Modifiers)&altCtrlMeta == 0, a.Key == "Backspace", a.Key == "Delete":
		c.tellTyping(st)
	case slices.Contains(namedKeys, a.Key) && !a.AutoRepeat && a.Type != "char":
		c.tellAct(st, input.DispatchKeyEvent.Method, map[string]any{"type": a.Type, "key": a.Key})
	}
}

// namedKeys are those that are told by their names.
var namedKeys = []string{"Enter", "Tab", "Escape", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"}

func (c *conn) tellTyping(st *attachment) {
	if !c.clients.typed.goesOn(st.target, c.clients.o.Clock.Now()) {
		c.s.Observe(st.target, input.InsertText.Method, map[string]any{})
	}
}

func (c *conn) tellAct(st *attachment, method string, p map[string]any) {
	c.clients.typed.end()
	c.s.Observe(st.target, method, p)
}
