package plain

import (
	"encoding/json"
	"fmt"
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
	line, schema := "Return the result", t.ResultSchema
	object, _ := value.(map[string]any)
	switch own, why := ofPage(object), unnamed(object); {
	case len(schema) > 0:
	case len(own) > 0:
		line = "Return the " + strings.Join(own, " and the ")
	case why != "":
		e.unsaid = append(e.unsaid, Unsaid{Why: why})
		line = unsaidLine + why
	default:
		schema = encode(schemaOf([]any{object}))
	}
	e.write(line)
	return schema
}

// ofPage are the names of a result of nothing but what every page has.
func ofPage(object map[string]any) (names []string) {
	names = slices.Sorted(maps.Keys(object))
	if slices.ContainsFunc(names, func(name string) bool {
		_, isText := object[name].(string)
		return !isText || !slices.Contains([]string{"title", "url", "heading"}, name)
	}) {
		return nil
	}
	return names
}

// unnamed says why a result without a schema cannot be found again: the page is
// searched by the names of its members.
func unnamed(object map[string]any) string {
	_, isText := object["text"].(string)
	value, isValue := object["result"]
	switch value.(type) {
	case map[string]any, []any, nil:
		isValue = false
	}
	switch {
	case len(object) == 0:
		return "it has no members that could be looked for"
	case len(object) == 1 && isValue:
		return "it is a value without a name that could be looked for; give the run a result schema"
	case len(object) == 1 && isText:
		return "it is in words, without members that could be looked for; give the run a result schema"
	}
	return ""
}

// schemaOf is a schema of values like these. That of objects has all the members
// that any of them has, those required that each has.
func schemaOf(values []any) map[string]any {
	switch v := append(values, nil)[0].(type) {
	case nil:
		return map[string]any{}
	case []any:
		return map[string]any{"type": "array", "minItems": min(len(v), 1), "items": schemaOf(v)}
	case string:
		return map[string]any{"type": "string"}
	case float64:
		return map[string]any{"type": "number"}
	case bool:
		return map[string]any{"type": "boolean"}
	}
	members, properties, required := map[string][]any{}, map[string]any{}, []string{}
	for _, value := range values {
		object, _ := value.(map[string]any)
		for name, member := range object {
			if member != nil {
				members[name] = append(members[name], member)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if properties[name] = schemaOf(members[name]); len(members[name]) == len(values) {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// readWhere writes a step that reads the page where a value of the result was seen
// last, if that was not on the last page.
func (e *exporter) readWhere(result any) {
	var pages []string
	for _, text := range e.states {
		pages = append(pages, searchable(text))
	}
	last := len(pages) - 1
	var at []int
	for _, leaf := range leaves(result, nil) {
		shows := func(i int) bool { return strings.Contains(pages[i], leaf) }
		i := last
		for i > 0 && !shows(i) {
			i--
		}
		if i > 0 && i < last && !slices.ContainsFunc(at, shows) {
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

// leaves are the texts and numbers in a value, as they stand in a searchable text.
func leaves(value any, all []string) []string {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = leaves(v[name], all)
		}
	case []any:
		for _, item := range v {
			all = leaves(item, all)
		}
	case string:
		all = append(all, normal(v))
	case float64:
		all = append(all, number(v))
	}
	return all[:min(len(all), maxLeaves)]
}

// number is a number with marks around it: 20 is none of 1200.
func number(n float64) string { return fmt.Sprintf("\x00%v\x00", n) }

var (
	figures = lexicon.Pattern(`\d[\d.,'’]*`)
	english = strings.NewReplacer(",", "", "'", "", "’", "")
	other   = strings.NewReplacer(".", "", "'", "", "’", "", ",", ".")
)

// searchable is a text with each number in it as it may be meant behind it.
func searchable(text string) string {
	numbers := map[string]bool{}
	for _, s := range figures().FindAllString(text, -1) {
		for _, way := range []*strings.Replacer{english, other} {
			if n, err := strconv.ParseFloat(way.Replace(strings.TrimRight(s, ".,'’")), 64); err == nil {
				numbers[number(n)] = true
			}
		}
	}
	return normal(text) + strings.Join(slices.Collect(maps.Keys(numbers)), "")
}
