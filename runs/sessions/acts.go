package sessions

import (
	"cmp"
	"context"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// act is a message of a viewer with an interactive link. It is not trusted:
// commands makes of it what is within bounds.
type act struct {
	// Type is mouse, wheel, touch, key, text, navigate, history, raise or dialog.
	Type string `json:"type"`
	Tab  string `json:"tab"`
	// Action is down, up, move or, of touches, cancel.
	Action string `json:"action"`
	// X and Y are shares of the picture, 0 to 1.
	X float64 `json:"x"`
	Y float64 `json:"y"`

	Button    string  `json:"button"`
	Buttons   int     `json:"buttons"`
	Clicks    int     `json:"clicks"`
	Modifiers int     `json:"modifiers"`
	DeltaX    float64 `json:"deltaX"`
	DeltaY    float64 `json:"deltaY"`
	Points    []point `json:"points"`

	Key     string `json:"key"`
	Code    string `json:"code"`
	KeyCode int    `json:"keyCode"`
	Repeat  bool   `json:"repeat"`

	// Text is what is typed, an address, or the answer to a prompt.
	Text string `json:"text"`
	// Steps in the tab's history; 0 loads the page again.
	Steps  int  `json:"steps"`
	Accept bool `json:"accept"`
}

type point struct {
	ID int     `json:"id"`
	X  float64 `json:"x"`
	Y  float64 `json:"y"`
}

// Bounds of acts.
const (
	maxAnswer  = 4 << 10 // of a prompt, in bytes
	maxDelta   = 5000    // of a wheel, in pixels
	maxTouches = 10
	maxKeyName = 32
)

// command is one of the browser's protocol.
type command struct {
	Method string
	Params map[string]any
}

// commands are what an act is to a page of the size that was shown.
func (a act) commands(shown liveFrame) []command {
	switch a.Type {
	case "mouse":
		return a.mouse(shown)
	case "wheel":
		return []command{{"Input.dispatchMouseEvent", map[string]any{
			"type": "mouseWheel", "x": scaled(a.X, shown.Width), "y": scaled(a.Y, shown.Height), "modifiers": a.Modifiers & 15,
			"deltaX": within(a.DeltaX, maxDelta), "deltaY": within(a.DeltaY, maxDelta)}}}
	case "touch":
		return a.touch(shown)
	case "key":
		return a.press()
	case "text":
		if a.Text == "" {
			return nil
		}
		return []command{{"Input.insertText", map[string]any{"text": a.Text}}}
	}
	return nil
}

// scaled is a share of the picture in pixels of the page.
func scaled(share float64, side int) float64 {
	return math.Round(min(max(share, 0), 1) * float64(max(side-1, 0)))
}

func within(n, limit float64) float64 { return min(max(n, -limit), limit) }

var (
	mouseTypes = map[string]string{"down": "mousePressed", "up": "mouseReleased", "move": "mouseMoved"}
	touchTypes = map[string]string{"down": "touchStart", "up": "touchEnd", "move": "touchMove", "cancel": "touchCancel"}
	buttons    = []string{"none", "left", "right", "middle"}
)

func (a act) mouse(shown liveFrame) []command {
	kind := mouseTypes[a.Action]
	if kind == "" || !slices.Contains(buttons, a.Button) {
		return nil
	}
	return []command{{"Input.dispatchMouseEvent", map[string]any{
		"type": kind, "x": scaled(a.X, shown.Width), "y": scaled(a.Y, shown.Height), "button": a.Button, "buttons": a.Buttons & 7,
		"clickCount": min(max(a.Clicks, 0), 3), "modifiers": a.Modifiers & 15}}}
}

// touch has the points that are still there; at the end of all touches there
// are none.
func (a act) touch(shown liveFrame) []command {
	kind := touchTypes[a.Action]
	if kind == "" || len(a.Points) > maxTouches || (kind == "touchStart" || kind == "touchMove") && len(a.Points) == 0 {
		return nil
	}
	points := []map[string]any{}
	for _, p := range a.Points {
		points = append(points, map[string]any{"id": p.ID & 0xff, "x": scaled(p.X, shown.Width), "y": scaled(p.Y, shown.Height)})
	}
	return []command{{"Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points, "modifiers": a.Modifiers & 15}}}
}

// press is a key that goes down or up. What it writes is its name, where that is
// one character and no other key makes a command of it.
func (a act) press() []command {
	const altCtrlMeta = 1 | 2 | 4
	if len(a.Key) > maxKeyName || len(a.Code) > maxKeyName || a.KeyCode < 0 || a.KeyCode > 255 {
		return nil
	}
	params := map[string]any{
		"type": "keyUp", "key": a.Key, "code": a.Code, "windowsVirtualKeyCode": a.KeyCode, "modifiers": a.Modifiers & 15,
	}
	if a.Action == "down" {
		params["type"], params["autoRepeat"] = "rawKeyDown", a.Repeat
		text := ""
		switch {
		case a.Key == "Enter":
			text = "\r"
		case utf8.RuneCountInString(a.Key) == 1 && a.Modifiers&altCtrlMeta == 0:
			text = a.Key
		}
		if text != "" {
			params["type"], params["text"], params["unmodifiedText"] = "keyDown", text, text
		}
	}
	return []command{{"Input.dispatchKeyEvent", params}}
}

// address is what somebody has written into the address bar, as an address of
// the web.
func address(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "about:blank" {
		return text, nil
	}
	if !strings.Contains(text, "://") {
		text = schemeFor(text) + "://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(text) > maxAddress {
		return "", errtypes.Field("address", "must be an http or https address")
	}
	return text, nil
}

// schemeFor is what is put before an address that begins with its host: https,
// but what runs on this machine or in its network seldom speaks TLS.
func schemeFor(text string) string {
	u, err := egress.ParseURL("http://" + text)
	if err != nil {
		return "https"
	}
	name := strings.TrimSuffix(u.Hostname(), ".")
	addr, err := netip.ParseAddr(name)
	near := func(p netip.Prefix) bool { return p.Contains(addr.Unmap()) }
	if err == nil && slices.ContainsFunc(egress.PrivatePrefixes(), near) || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return "http"
	}
	return "https"
}

// navigate sends a tab to an address, by way of the table and of what the
// session may reach.
func (h *hand) navigate(ctx context.Context, seat, text string) error {
	to, err := address(text)
	if err != nil {
		return err
	}
	var result struct{ ErrorText string }
	if err := h.client.call(ctx, seat, "Page.navigate", map[string]any{"url": to}, &result); err != nil {
		return err
	}
	if result.ErrorText == "" || result.ErrorText == "net::ERR_ABORTED" { // a download, or gone elsewhere
		return nil
	}
	why := ""
	if ofConnection(result.ErrorText) {
		why = h.v.live.browser.Unreached(to)
	}
	return errtypes.New(errtypes.BadGateway, "the page cannot be opened: %s", cmp.Or(why, strings.TrimPrefix(result.ErrorText, "net::")))
}

// history goes back or forward by a step, or loads the page again.
func (h *hand) history(ctx context.Context, seat string, steps int) error {
	if steps == 0 {
		return h.client.call(ctx, seat, "Page.reload", struct{}{}, nil)
	}
	var all struct {
		CurrentIndex int
		Entries      []struct{ ID int }
	}
	if err := h.client.call(ctx, seat, "Page.getNavigationHistory", struct{}{}, &all); err != nil {
		return err
	}
	to := all.CurrentIndex + min(max(steps, -1), 1)
	if to < 0 || to >= len(all.Entries) {
		return nil
	}
	return h.client.call(ctx, seat, "Page.navigateToHistoryEntry", map[string]int{"entryId": all.Entries[to].ID}, nil)
}
