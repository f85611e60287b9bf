package plain

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// result writes what is returned, and returns the schema of it.
func (e *exporter) result(t Transcript) json.RawMessage {
	var value any
	if len(t.Result) == 0 || json.Unmarshal(t.Result, &value) != nil {
		return t.ResultSchema
	}
	e.readWhere(value)
	object, _ := value.(map[string]any)
	own, why := ofPage(object), unnamed(object)
	switch {
	case len(t.ResultSchema) > 0:
	case len(own) > 0:
		e.write("Return the " + strings.Join(own, " and the "))
		return nil
	case why != "":
		e.unsaid = append(e.unsaid, Unsaid{Why: why})
		e.write(unsaidLine + why)
		return nil
	}
	e.write("Return the result")
	if len(t.ResultSchema) > 0 {
		return t.ResultSchema
	}
	return encode(schemaOf(object))
}

// ofPage are the names of a result of nothing but what every page has.
func ofPage(object map[string]any) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		_, isText := object[name].(string)
		if !isText || !slices.Contains([]string{"title", "url", "heading"}, name) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// unnamed says why a result without a schema cannot be found again: the page is
// searched by the names of its members.
func unnamed(object map[string]any) string {
	_, isText := object["text"].(string)
	switch object["result"].(type) {
	case map[string]any, []any, nil:
	default:
		if len(object) == 1 {
			return "it is a value without a name that could be looked for; give the run a result schema"
		}
	}
	switch {
	case len(object) == 0:
		return "it has no members that could be looked for"
	case isText && len(object) == 1:
		return "it is in words, without members that could be looked for; give the run a result schema"
	}
	return ""
}

// schemaOf is a schema of values like this one.
func schemaOf(value any) map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return objectSchema([]any{v})
	case []any:
		items := map[string]any{}
		switch {
		case len(v) == 0:
		case slices.ContainsFunc(v, func(item any) bool { _, is := item.(map[string]any); return !is }):
			items = schemaOf(v[0])
		default:
			items = objectSchema(v)
		}
		return map[string]any{"type": "array", "minItems": min(len(v), 1), "items": items}
	case string:
		return map[string]any{"type": "string"}
	case float64:
		return map[string]any{"type": "number"}
	case bool:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{}
}

// objectSchema is that of objects with all the members that any of them has, those
// required that each has.
func objectSchema(objects []any) map[string]any {
	properties, count, required := map[string]any{}, map[string]int{}, []string{}
	for _, object := range objects {
		for name, value := range object.(map[string]any) {
			if value != nil {
				properties[name] = schemaOf(value)
				count[name]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] == len(objects) {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// readWhere writes a step that reads the page where a value of the result was seen
// last, if that was not on the last page.
func (e *exporter) readWhere(result any) {
	pages := make([]seen, len(e.states))
	for i, text := range e.states {
		pages[i] = seen{normal(text), numbersIn(text)}
	}
	last := len(pages) - 1
	var at []int
	for _, leaf := range leaves(result, nil) {
		shows := func(i int) bool { return pages[i].has(leaf) }
		if shows(last) || slices.ContainsFunc(at, shows) {
			continue
		}
		i := last - 1
		for i > 0 && !shows(i) {
			i--
		}
		if i > 0 {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	for _, i := range slices.Backward(at) {
		e.lines = slices.Insert(e.lines, i, "Read the page")
	}
}

// maxLeaves is how many values of a result are looked for.
const maxLeaves = 200

// leaves are the texts and numbers in a value.
func leaves(value any, all []any) []any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = leaves(v[name], all)
		}
	case []any:
		for _, item := range v {
			all = leaves(item, all)
		}
	case string, float64:
		if len(all) < maxLeaves {
			all = append(all, v)
		}
	}
	return all
}

// seen is what a run saw between two steps.
type seen struct {
	text    string // normal
	numbers []float64
}

func (s seen) has(leaf any) bool {
	if text, ok := leaf.(string); ok {
		return strings.Contains(s.text, normal(text))
	}
	return slices.Contains(s.numbers, leaf.(float64))
}

var (
	figures = lexicon.Pattern(`\d[\d.,'’]*`)
	english = strings.NewReplacer(",", "", "'", "", "’", "")
	other   = strings.NewReplacer(".", "", "'", "", "’", "", ",", ".")
)

// numbersIn are the numbers in a text, each as it may be meant.
func numbersIn(text string) (all []float64) {
	for _, s := range figures().FindAllString(text, -1) {
		for _, way := range []*strings.Replacer{english, other} {
			if n, err := strconv.ParseFloat(way.Replace(strings.TrimRight(s, ".,'’")), 64); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}
