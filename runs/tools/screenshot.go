package tools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/pictures"
	"github.com/drover-go/drover/runs/model"
)

const screenshotName = "screenshot"

func (s *Set) screenshot() tool {
	return tool{
		Tool: model.Tool{
			Name:        screenshotName,
			Description: "Takes a picture of what is in view, for what the list of elements does not tell: layout, charts, canvases.",
			Input: object(0,
				"ref", property("string", "Only this element, scrolled into view. Default what is in view."),
				"full_page", property("boolean", "The whole page, without marks. Default false."),
				"marks", property("boolean", "Draw a box with its reference around each element that can be acted on. Default false.")),
		},
		run: s.runScreenshot,
	}
}

// screenshotInput is the input of a call.
type screenshotInput struct {
	Ref      string `json:"ref"`
	FullPage bool   `json:"full_page"`
	Marks    bool   `json:"marks"`
}

func (in screenshotInput) check() error {
	switch {
	case in.FullPage && in.Marks:
		return badInput("marks are for what is in view; leave full_page out")
	case in.FullPage && in.Ref != "":
		return badInput("give ref or full_page, not both")
	}
	return nil
}

func (s *Set) runScreenshot(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[screenshotInput](raw)
	if err == nil {
		err = in.check()
	}
	var ref browser.Ref
	if err == nil && in.Ref != "" {
		ref, err = reference(in.Ref)
	}
	if err != nil {
		return Result{}, err
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	if ref != "" {
		if err := session.Show(ctx, ref); err != nil {
			return Result{Fatal: dead(session)}, err
		}
	}
	shot, placed, marked, err := s.shoot(ctx, session, in, ref)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	return s.showPicture(shot, placed, in, marked)
}

// showPicture makes the answer, and keeps how the picture lies in the page.
func (s *Set) showPicture(shot *pictures.Picture, placed browser.Placed, in screenshotInput, marked int) (Result, error) {
	shot.Fit(s.opts.MaxImageEdge)
	data, mediaType, err := shot.Encode(s.opts.MaxImage)
	if err != nil {
		return Result{}, err
	}
	size := shot.Bounds().Size()
	s.picture = picture{
		Scale: shot.Scale, Left: shot.Left, Top: shot.Top, Width: float64(size.X), Height: float64(size.Y), Whole: in.FullPage,
		Document: placed.Document, ScrolledX: placed.Left, ScrolledY: placed.Top,
	}
	said := fmt.Sprintf("Took a picture of %d by %d pixels.", size.X, size.Y)
	if in.Marks {
		said = fmt.Sprintf("Took a picture of %d by %d pixels; %d elements are marked with their references.", size.X, size.Y, marked)
	}
	part := model.Part{Type: model.FilePart, MediaType: mediaType, Data: base64.StdEncoding.EncodeToString(data), Masked: true}
	return Result{Output: model.TextOutput(said), Files: []model.Part{part}}, nil
}

// shotTries is how often a picture is taken of a page that moves meanwhile.
const shotTries = 4

var (
	errRestless = errtypes.New(errtypes.Conflict, "the page does not stand still, so that it cannot be told where its elements are in a picture")
	errShows    = errtypes.New(errtypes.Conflict, "no picture is taken, because the page shows the value of a variable in it; use snapshot or read")
	errUnknown  = errtypes.New(errtypes.Conflict, "no picture is taken, because the page is too large to find the values of variables in it; use snapshot or read")
	errWhole    = errtypes.New(errtypes.Conflict, "the whole page cannot be shown once values of variables have been used; leave full_page out")
)

// shoot takes a picture whose elements are where they were before and after.
func (s *Set) shoot(ctx context.Context, session browser.Session, in screenshotInput, ref browser.Ref) (*pictures.Picture, browser.Placed, int, error) {
	if in.FullPage {
		shot, placed, err := s.shootAll(ctx, session)
		return shot, placed, 0, err
	}
	for range shotTries {
		before, err := s.survey(ctx, session, in, ref)
		if err != nil {
			return nil, browser.Placed{}, 0, err
		}
		data, err := session.Screenshot(ctx, browser.ScreenshotOptions{})
		if err != nil {
			return nil, browser.Placed{}, 0, err
		}
		after, err := s.survey(ctx, session, in, ref)
		if err != nil {
			return nil, browser.Placed{}, 0, err
		}
		if before.same(after) {
			shot, err := after.draw(data, in, ref)
			return shot, after.placed, len(after.marks), err
		}
	}
	return nil, browser.Placed{}, 0, errRestless
}

// shootAll is for the whole page, in which nothing is masked.
func (s *Set) shootAll(ctx context.Context, session browser.Session) (*pictures.Picture, browser.Placed, error) {
	if s.opts.Variables.Knows() {
		return nil, browser.Placed{}, errWhole
	}
	placed, err := session.Places(ctx, nil)
	if err != nil {
		return nil, placed, err
	}
	data, err := session.Screenshot(ctx, browser.ScreenshotOptions{FullPage: true})
	if err != nil {
		return nil, placed, err
	}
	shot, err := pictures.Decode(data, placed.Width)
	if err == nil { // a page may be wider than what is seen of it
		shot.Scale = placed.Ratio
	}
	return shot, placed, err
}

// survey is what has to be known of a page to take a picture of it.
type survey struct {
	placed browser.Placed
	marks  []browser.Ref
	masks  []browser.Box
}

func (s *Set) survey(ctx context.Context, session browser.Session, in screenshotInput, ref browser.Ref) (survey, error) {
	var v survey
	var refs, secret []browser.Ref
	if in.Marks || s.opts.Variables.Knows() {
		snap, err := session.Snapshot(ctx)
		if err != nil {
			return v, err
		}
		if secret, err = s.secretIn(snap); err != nil {
			return v, err
		}
		for _, e := range snap.Elements {
			if e.Ref != "" {
				refs = append(refs, e.Ref)
			}
		}
	}
	if ref != "" && !slices.Contains(refs, ref) {
		refs = append(refs, ref)
	}
	placed, err := session.Places(ctx, append(refs, secret...))
	if err != nil {
		return v, err
	}
	v.placed = placed
	v.choose(in, refs)
	if s.opts.Variables.Knows() {
		v.masks = append(v.masks, placed.Drawn...)
	}
	for _, r := range secret {
		if place, ok := placed.Of[r]; ok {
			v.masks = append(v.masks, place.Box)
		}
	}
	return v, nil
}

// maxMarks bounds the marks in a picture.
const maxMarks = 300

// choose picks the elements that are marked.
func (v *survey) choose(in screenshotInput, refs []browser.Ref) {
	for _, r := range refs {
		place, ok := v.placed.Of[r]
		if in.Marks && ok && !place.Covered && len(v.marks) < maxMarks {
			v.marks = append(v.marks, r)
		}
	}
}

// same reports whether nothing that matters has moved.
func (v survey) same(w survey) bool {
	if v.placed.Width != w.placed.Width || v.placed.Height != w.placed.Height || v.placed.Left != w.placed.Left || v.placed.Top != w.placed.Top || !slices.Equal(v.masks, w.masks) || !slices.Equal(v.marks, w.marks) {
		return false
	}
	return maps.Equal(v.placed.Of, w.placed.Of)
}

// draw masks, cuts and marks the picture.
func (v survey) draw(data []byte, in screenshotInput, ref browser.Ref) (*pictures.Picture, error) {
	shot, err := pictures.Decode(data, v.placed.Width)
	if err != nil {
		return nil, err
	}
	for _, m := range v.masks {
		shot.Mask(m)
	}
	if ref != "" {
		place, ok := v.placed.Of[ref]
		if !ok {
			return nil, errtypes.New(errtypes.Invalid, "element %s cannot be scrolled into view", ref)
		}
		if err := shot.Cut(place.Box); err != nil {
			return nil, err
		}
	}
	for i, r := range v.marks {
		shot.Mark(i, r, v.placed.Of[r].Box)
	}
	return shot, nil
}

// secretIn are the elements in which values of variables can be seen. A value that
// stands elsewhere, or in pieces, cannot be masked.
func (s *Set) secretIn(snap browser.Snapshot) (refs []browser.Ref, err error) {
	if !s.opts.Variables.Knows() {
		return nil, nil
	}
	if snap.Truncated {
		return nil, errUnknown
	}
	rest := ""
	for _, e := range snap.Elements {
		_, typed := s.typed[e.Ref]
		shown := e.Name + "\n" + e.Value + "\n" + e.Placeholder
		for _, o := range e.Options {
			shown += "\n" + o
		}
		hides := s.hides(shown)
		switch {
		case hides && e.Ref == "":
			return nil, errShows
		case hides || typed && e.Ref != "":
			refs = append(refs, e.Ref)
		default:
			rest += shown + "\n"
		}
	}
	if s.opts.Variables.RedactOutput(rest) != rest {
		return nil, errShows
	}
	return refs, nil
}

// hides reports whether a text has the value of a variable in it.
func (s *Set) hides(text string) bool {
	shown := text
	for _, a := range s.opened {
		shown = a.pattern.ReplaceAllLiteralString(shown, a.shown)
	}
	return s.opts.Variables.Redact(shown) != text
}
