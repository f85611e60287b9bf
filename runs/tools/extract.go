package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

const extractName = "extract"

// Shape fills a JSON Schema with what a page says, without a model. unsatisfied are
// JSON Pointers to what the schema requires and the page was not found to say.
// Error kind Invalid for the schema.
type Shape func(ctx context.Context, url, html string, schema json.RawMessage) (content json.RawMessage, unsatisfied []string, err error)

func (s *Set) extract() tool {
	return tool{
		Tool: model.Tool{
			Name: extractName,
			Description: "Returns what the page says in the shape of a JSON Schema, for tables, lists and records; also what is out of view. " +
				"Names and descriptions of the schema say what is meant. What it does not find is listed as unsatisfied: look for it yourself, or for another name.",
			Input: object(1,
				"schema", `{"type":"object","description":"A JSON Schema whose root is an object, such as {\"type\":\"object\",\"properties\":{\"products\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"price\":{\"type\":\"number\"}}}}}}."}`,
				"ref", property("string", "Only this element and what is in it, such as e12.")),
		},
		run: s.runExtract,
	}
}

// maxSchema bounds a schema that a model writes, in bytes.
const maxSchema = 32 << 10

func (s *Set) runExtract(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Schema json.RawMessage `json:"schema"`
		Ref    string          `json:"ref"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case len(bytes.TrimSpace(in.Schema)) == 0:
		return Result{}, badInput("schema is required")
	case len(in.Schema) > maxSchema:
		return Result{}, badInput("schema must be at most %d bytes long", maxSchema)
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	page, err := session.Page(ctx)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	html, truncated, err := session.HTMLOf(ctx, browser.Ref(strings.Trim(in.Ref, "[]")), s.opts.MaxHTML)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	if truncated { // half a value at the end would not be recognised as one
		html = html[:max(len(html)-s.opts.Variables.Longest(), 0)]
	}
	content, unsatisfied, err := s.opts.Shape(ctx, page.URL, html, in.Schema)
	if err != nil {
		return Result{}, err
	}
	return s.extracted(content, unsatisfied, truncated)
}

// extracted is the answer: names of members may be the page's, too.
func (s *Set) extracted(content json.RawMessage, unsatisfied []string, truncated bool) (Result, error) {
	answer := struct {
		Result      json.RawMessage `json:"result"`
		Unsatisfied []string        `json:"unsatisfied,omitempty"`
		Incomplete  bool            `json:"incomplete,omitempty"`
	}{Result: s.opts.Variables.RedactJSON(content), Incomplete: truncated}
	for _, pointer := range unsatisfied {
		answer.Unsatisfied = append(answer.Unsatisfied, s.clean(pointer))
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		return Result{}, err
	}
	if len(raw) > s.opts.MaxOutput {
		return failed("the result is %d bytes long, more than %d: ask for less, or for a part of the page with ref", len(raw), s.opts.MaxOutput), nil
	}
	return Result{Output: model.JSONOutput(raw)}, nil
}
