package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) scroll() tool {
	return tool{
		Tool: model.Tool{
			Name: "scroll",
			Description: "Scrolls the page, or a part of it, and says how much is left. Elements are scrolled to when they are used: " +
				"scroll to load more of a list, or to find a text in one.",
			Input: object(0, "direction", oneOf("Default down.", "up", "down", "left", "right", "top", "bottom"),
				"pages", property("number", "How far, in heights of what is seen. Default 0.8."),
				"ref", property("string", "The list or part to scroll; without direction, the element to scroll to. Default: the page."),
				"text", property("string", "A text to scroll to, looked for in what comes into view."),
				"x", property("number", "Turn the wheel at a place of the last picture, for maps and drawings."), "y", property("number", "See x.")),
		},
		run: s.runScroll,
	}
}

// maxSought bounds a text to scroll to, in bytes.
const maxSought = 500

func (s *Set) runScroll(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Direction string `json:"direction"`
		Pages     number `json:"pages"`
		Ref       string `json:"ref"`
		Text      string `json:"text"`

		X, Y *number
	}](raw)
	if err != nil {
		return Result{}, err
	}
	o := browser.ScrollOptions{Direction: direction(in.Direction), Pages: float64(in.Pages), Text: oneLine(in.Text)}
	if in.Ref != "" {
		if o.Ref, err = reference(in.Ref); err != nil {
			return Result{}, err
		}
	}
	switch {
	case !directions[o.Direction]:
		return Result{}, badInput("direction must be up, down, left, right, top or bottom")
	case !(o.Pages >= 0 && o.Pages <= 100):
		return Result{}, badInput("pages must be 0 to 100")
	case len(o.Text) > maxSought:
		return Result{}, badInput("text must be at most %d bytes", maxSought)
	case (in.X == nil) != (in.Y == nil) || in.X != nil && in.Ref != "":
		return Result{}, badInput("give x and y together, and no ref with them")
	case s.opts.Variables.Uses(o.Text):
		return Result{}, badInput("text takes no variables here")
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		if in.X != nil {
			at, err := s.places(ctx, session, browser.Point{X: float64(*in.X), Y: float64(*in.Y)})
			if err != nil {
				return "", browser.Page{}, err
			}
			o.At = &at[0]
		}
		at, err := session.Scroll(ctx, o)
		s.picture.Moved = s.picture.Moved || at.Moved
		return s.scrolled(o, at), at.Page, harmless(err)
	})
}

var directions = map[browser.Direction]bool{
	"": true, browser.Up: true, browser.Down: true, browser.Left: true, browser.Right: true, browser.Top: true, browser.Bottom: true,
}

// direction forgives other words for the ends.
func direction(word string) browser.Direction {
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "end":
		return browser.Bottom
	case "start", "beginning":
		return browser.Top
	}
	return browser.Direction(word)
}

// scrolled says where the page is.
func (s *Set) scrolled(o browser.ScrollOptions, at browser.Scrolled) string {
	said := "Scrolled"
	switch {
	case o.Text != "":
		said = fmt.Sprintf("Scrolled to %q", cut(s.clean(o.Text), 200))
	case at.Heard:
		return "Turned the wheel, which the page takes for something of its own."
	case !at.Moved:
		said = "It does not scroll any further"
	case o.Ref != "" && o.Direction == "":
		said = "Scrolled to " + s.nameOf(o.Ref)
	case at.Around:
		said = s.nameOf(o.Ref) + " does not scroll; scrolled what is around it"
	}
	sideways := o.Direction == browser.Left || o.Direction == browser.Right
	if sideways {
		return fmt.Sprintf("%s: %s to the left, %s to the right.", said, extent(at.Before, at.Width), extent(at.After, at.Width))
	}
	return fmt.Sprintf("%s: %s above, %s below.", said, extent(at.Above, at.Height), extent(at.Below, at.Height))
}

// extent says how much lies out of view.
func extent(pixels, view float64) string {
	switch {
	case pixels < 1:
		return "nothing"
	case view < 1:
		return fmt.Sprintf("%.0f pixels", pixels)
	}
	return fmt.Sprintf("%.1f pages", max(pixels/view, 0.1))
}
