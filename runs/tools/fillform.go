package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// maxFields is how many fields are filled at once.
const maxFields = 50

func (s *Set) fillForm() tool {
	return tool{
		Tool: model.Tool{
			Name: "fill_form",
			Description: "Fills several fields, in order: text is typed in place of what is there, options are chosen, boxes checked with true or false. " +
				"Variables as in type.",
			Input: object(1, "fields", `{"type":"array","items":`+string(object(2, "ref", property("string", refHelp),
				"value", `{"type":"string","description":"The text, the option, or true or false."}`))+`}`),
		},
		acts: true,
		run:  s.runFillForm,
	}
}

// formField is a field and what goes into it.
type formField struct {
	Ref   string `json:"ref"`
	Value *texts `json:"value"`
	Text  *texts `json:"text"` // what type calls it

	ref  browser.Ref
	many bool // the value is a list
}

func (f *formField) UnmarshalJSON(raw []byte) error {
	type plain formField
	var seen struct{ Value, Text json.RawMessage }
	if err := json.Unmarshal(raw, (*plain)(f)); err != nil {
		return wrongType[formField](raw)
	}
	json.Unmarshal(raw, &seen)
	f.many = bytes.HasPrefix(bytes.TrimSpace(append(seen.Value, seen.Text...)), []byte("["))
	if f.Value == nil {
		f.Value = f.Text
	}
	return nil
}

func (f formField) value() string { return strings.Join(*f.Value, ", ") }

func (s *Set) runFillForm(ctx context.Context, raw json.RawMessage) (Result, error) {
	fields, err := s.formFields(raw)
	if err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		var page browser.Page
		var done []string
		for i, f := range fields {
			named := s.nameOf(f.ref)
			now, said, err := s.fillField(ctx, session, f)
			page = follow(page, now)
			if err != nil {
				return "", page, &partError{said: fmt.Sprintf("field %d, %s:", i+1, named), rest: filled(done), err: err}
			}
			done = append(done, named+said)
		}
		return filled(done), page, nil
	})
}

func filled(done []string) string {
	if len(done) == 0 {
		return "Nothing was filled."
	}
	return "Filled " + strings.Join(done, ", ") + "."
}

// follow is a page after another: what it told stays told.
func follow(before, now browser.Page) browser.Page {
	if now.URL == "" {
		return before
	}
	now.Dialogs = append(before.Dialogs, now.Dialogs...)
	now.Downloads = append(before.Downloads, now.Downloads...)
	return now
}

// formFields reads the fields, all before the first one is filled. A single field
// is forgiven, and so are references with their values as an object.
func (s *Set) formFields(raw json.RawMessage) ([]formField, error) {
	in, err := decode[struct {
		Fields json.RawMessage `json:"fields"`
	}](raw)
	if err != nil {
		return nil, err
	}
	fields, err := readFields(in.Fields)
	switch {
	case err != nil:
		return nil, badInput("fields must be a list of objects with ref and value")
	case len(fields) == 0 || len(fields) > maxFields:
		return nil, badInput("fields must be 1 to %d", maxFields)
	}
	for i := range fields {
		if err := s.checkField(&fields[i]); err != nil {
			return nil, fmt.Errorf("field %d: %w", i+1, err)
		}
	}
	return fields, nil
}

func readFields(raw json.RawMessage) (fields []formField, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &fields) == nil {
		return fields, nil
	}
	var byRef map[string]*texts
	if err = json.Unmarshal(raw, &byRef); err != nil {
		return nil, err
	}
	if ref, ok := byRef["ref"]; ok && ref != nil {
		var one formField
		err = json.Unmarshal(raw, &one)
		return []formField{one}, err
	}
	for ref, value := range byRef {
		fields = append(fields, formField{Ref: ref, Value: value})
	}
	slices.SortFunc(fields, func(a, b formField) int { return strings.Compare(a.Ref, b.Ref) })
	return fields, nil
}

func (s *Set) checkField(f *formField) (err error) {
	if f.ref, err = reference(f.Ref); err != nil {
		return err
	}
	switch {
	case f.Value == nil:
		return badInput("value is required")
	case len(f.value()) > maxTyped:
		return badInput("value must be at most %d bytes", maxTyped)
	case f.many:
		return s.checkOptions(*f.Value)
	}
	_, _, err = s.opts.Variables.Resolve(f.value())
	return err
}

// fillField fills a field as its kind wants it, and says how where that is not
// plain.
func (s *Set) fillField(ctx context.Context, session browser.Session, f formField) (page browser.Page, said string, err error) {
	line := s.view.lines[f.ref]
	switch {
	case checkable[line.Role]:
		on, ok := truth(f.value())
		if !ok && line.Role == "radio" && strings.EqualFold(f.value(), line.Name) {
			on, ok = true, true
		}
		if !ok {
			return page, "", badInput("the value of a %s must be true or false", line.Role)
		}
		page, err = session.Check(ctx, f.ref, on)
		if !on {
			said = " (off)"
		}
	case f.many, isMenu(line.Element):
		if err = s.checkOptions(*f.Value); err == nil {
			page, err = session.Select(ctx, f.ref, *f.Value...)
		}
	default:
		page, err = s.typeInto(ctx, session, f.ref, f.value(), browser.TypeOptions{})
	}
	return page, said, err
}

// checkable are the roles of what is on or off.
var checkable = map[string]bool{"checkbox": true, "radio": true, "switch": true, "menuitemcheckbox": true, "menuitemradio": true}

// isMenu reports whether an element is a list that is chosen from by clicks: one
// that is no field of text, and no list of the browser's own.
func isMenu(e browser.Element) bool {
	return (e.Role == "combobox" || e.Role == "listbox") && e.Type == "" && len(e.Options) == 0
}
