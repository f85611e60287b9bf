package suite

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// same reports whether an answer says what is expected.
func same(expect, answer json.RawMessage) bool {
	var want, got any
	if json.Unmarshal(expect, &want) != nil || json.Unmarshal(answer, &got) != nil {
		return false
	}
	return alike(want, got) || alike(want, only(got))
}

// only is the one member of an object that has no other.
func only(v any) any {
	if o, ok := v.(map[string]any); ok && len(o) == 1 {
		for _, member := range o {
			return member
		}
	}
	return v
}

func alike(want, got any) bool {
	switch want := want.(type) {
	case string:
		return strings.EqualFold(folded(want), folded(asText(got)))
	case float64:
		n, ok := asNumber(got)
		return ok && math.Abs(n-want) <= 1e-9*max(1, math.Abs(want))
	case bool:
		return strings.EqualFold(strconv.FormatBool(want), asText(got))
	case []any:
		return alikeInOrder(want, got)
	case map[string]any:
		return alikeByName(want, got)
	}
	return want == got
}

func alikeInOrder(want []any, got any) bool {
	all, ok := got.([]any)
	if !ok || len(all) != len(want) {
		return false
	}
	for i := range want {
		if !alike(want[i], all[i]) {
			return false
		}
	}
	return true
}

func alikeByName(want map[string]any, got any) bool {
	all, ok := got.(map[string]any)
	if !ok {
		return false
	}
	for name := range want {
		if member, there := all[name]; !there || !alike(want[name], member) {
			return false
		}
	}
	return true
}

// folded is a text without what does not count.
func folded(s string) string {
	return strings.TrimSuffix(strings.Trim(strings.Join(strings.Fields(s), " "), `"'“”`), ".")
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

var numbers = regexp.MustCompile(`-?\d+(?:,\d{3})*(?:\.\d+)?`)

// asNumber is a number, or the only one in a text.
func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		found := numbers.FindAllString(v, -1)
		if len(found) != 1 {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(found[0], ",", ""), 64)
		return n, err == nil
	}
	return 0, false
}
