package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// readName is the tool that reads a page, part by part if need be.
const readName = "read"

func (s *Set) read() tool {
	return tool{
		Tool: model.Tool{
			Name: readName,
			Description: "Reads the page. As text: all that it says, line by line. As main: what it is there for, without menus and the like. " +
				"As data: its tables, lists, labelled values and headings as JSON. " +
				"A long page comes in parts: go on with the offset that the answer names.",
			Input: object(0,
				"as", `{"type":"string","enum":["text","main","data"],"description":"Default text."}`,
				"offset", property("integer", "Where to go on. Default 0.")),
		},
		run: s.runRead,
	}
}

func (s *Set) runRead(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		As     string `json:"as"`
		Offset int    `json:"offset"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case in.Offset < 0:
		return Result{}, badInput("offset must not be negative")
	case !slices.Contains([]string{"", "text", "main", "data"}, in.As):
		return Result{}, badInput("as must be text, main or data")
	}
	if s.lastRead != nil && in.As == "data" && in.Offset > 0 { // the parts are of one page, as it was when it was read first
		raw, err := s.lastRead.Page(in.Offset, s.opts.MaxOutput)
		return Result{Output: model.JSONOutput(raw)}, err
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	html, truncated, err := s.document(ctx, session, in.As)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	if truncated { // half a value at the end would not be recognised as one
		html = html[:max(len(html)-s.opts.Variables.Longest(), 0)]
	}
	var text string
	switch in.As {
	case "data":
		return s.readData(ctx, session, html, truncated, in.Offset)
	case "main":
		text, err = mainText(ctx, html)
	default:
		text, err = sight.Text(html)
	}
	if err != nil {
		return Result{}, err
	}
	return s.showText(text, truncated, in.Offset), nil
}

// document is the page as it is to be read: without what nobody sees, but for the
// main content, which is found by all there is.
func (s *Set) document(ctx context.Context, session browser.Session, as string) (html string, truncated bool, err error) {
	if as != "main" {
		return session.VisibleHTML(ctx, s.opts.MaxHTML)
	}
	return session.HTML(ctx, s.opts.MaxHTML)
}

func (s *Set) readData(ctx context.Context, session browser.Session, html string, truncated bool, offset int) (Result, error) {
	snap, err := session.Snapshot(ctx)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	data, err := sight.Data(html, snap.Page.URL)
	if err != nil {
		return Result{}, err
	}
	data.Incomplete, data.Title = truncated, snap.Page.Title // which is nothing that people see in the document
	s.hideTyped(&data, snap)
	data.Map(s.clean)
	s.lastRead = &data
	raw, err := data.Page(offset, s.opts.MaxOutput)
	return Result{Output: model.JSONOutput(raw)}, err
}

// hideTyped puts placeholders in place of the values that fields show after
// variables have been typed into them.
func (s *Set) hideTyped(data *pagedata.Data, snap browser.Snapshot) {
	for _, e := range snap.Elements {
		t, ok := s.typed[e.Ref]
		if !ok || e.Value == "" {
			continue
		}
		data.Map(func(text string) string {
			if text == e.Value {
				return t.shown
			}
			return text
		})
	}
}

// mainText is the main content of a page. It is text and not markdown, whose
// escapes would hide a secret from those who look for it.
func mainText(ctx context.Context, page string) (string, error) {
	doc, err := markdown.Parse(ctx, page, markdown.Options{})
	if err != nil {
		return "", err
	}
	found, err := maincontent.Find(ctx, doc, maincontent.Options{})
	if err != nil {
		return "", err
	}
	return found.Text(), nil
}

// showText is a part of a text of the page, in which nothing is an instruction.
func (s *Set) showText(text string, truncated bool, offset int) Result {
	text = s.clean(text)
	start := characterAt(text, min(offset, len(text)))
	end := characterAt(text, min(start+s.opts.MaxOutput-300, len(text)))
	out := fmt.Sprintf("[page %s]\n%s\n[end of page %s]", s.fence, text[start:end], s.fence)
	if end < len(text) {
		out += fmt.Sprintf("\nThis is %d to %d of %d bytes; go on with offset %d.", start, end, len(text), end)
	} else if truncated {
		out += "\nThe page is too long to be read to its end."
	}
	return Result{Output: model.TextOutput(out)}
}

// characterAt moves an index back to the beginning of a character.
func characterAt(text string, i int) int {
	for i > 0 && i < len(text) && text[i]&0xC0 == 0x80 {
		i--
	}
	return i
}
