package actors

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/actors/internal/inputsecret"
)

// mismatch names the first field that is at fault, as the hosted service does: its
// clients and their users know these sentences (wire-v2-stores, 6). The first is that
// which comes first in the schema; of an object its own before those of its properties.
func (s *inputSchema) mismatch(err error, body []byte) string {
	var m *schema.Mismatch
	if !errors.As(err, &m) || len(m.Violations) == 0 {
		return errtypes.Public(err).Message
	}
	f := fault{s: s, body: body}
	_ = json.Unmarshal(s.plain, &f.plain) // it has been compiled
	f.violation = slices.MinFunc(m.Violations, f.compare)
	f.path = tokensOf(f.violation.Instance)
	f.keyword = tokensOf(f.violation.Keyword)
	return f.text()
}

// unlessSealed leaves out what is wrong with secret fields that come sealed already, as
// from the input of another run.
func (s *inputSchema) unlessSealed(err error, body []byte) error {
	var m *schema.Mismatch
	secret := s.secret()
	if len(secret) == 0 || !errors.As(err, &m) {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(m.Violations), func(v schema.Violation) bool {
		path := tokensOf(v.Instance)
		return len(path) > 0 && slices.Contains(secret, path[0]) && inputsecret.Is(memberOf(body, path[0]))
	})
	if len(rest) == 0 {
		return nil
	}
	return &schema.Mismatch{Violations: rest, More: m.More}
}

// fault is what an input is refused for.
type fault struct {
	s         *inputSchema
	plain     any // the schema that was compiled
	body      []byte
	violation schema.Violation
	path      []string
	keyword   []string
}

// keywordsInOrder are those of one value in the order in which they are checked.
var keywordsInOrder = []string{
	"type", "maximum", "minimum", "maxLength", "minLength", "pattern", "enum", "maxItems", "minItems", "uniqueItems",
	"maxProperties", "minProperties", "required", "propertyNames", "additionalProperties",
}

// compare orders violations as they are found: on the way through the schema.
func (f *fault) compare(a, b schema.Violation) int {
	at, from, to := f.s.root, tokensOf(a.Instance), tokensOf(b.Instance)
	for i := range min(len(from), len(to)) {
		if from[i] != to[i] {
			return cmp.Or(cmp.Compare(at.rank(from[i]), at.rank(to[i])), strings.Compare(from[i], to[i]))
		}
		at = at.below(from[i])
	}
	return cmp.Or(cmp.Compare(len(from), len(to)), cmp.Compare(rankOf(a.Keyword), rankOf(b.Keyword)))
}

// rankOf is the place of a keyword in the order.
func rankOf(pointer string) int {
	rank := slices.Index(keywordsInOrder, last(tokensOf(pointer)))
	if rank < 0 {
		return len(keywordsInOrder)
	}
	return rank
}

func last(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	return tokens[len(tokens)-1]
}

// rank is the place of a member or an item.
func (p *part) rank(token string) int {
	if p == nil {
		return 0
	}
	if at := p.index(token); at >= 0 {
		return at
	}
	if n, err := strconv.Atoi(token); err == nil {
		return n
	}
	return len(p.properties)
}

// below is the part of a member or an item; nil for none.
func (p *part) below(token string) *part {
	if p == nil {
		return nil
	}
	if of := p.of(token); of != nil {
		return of
	}
	return p.items
}

// tokensOf are the parts of a JSON pointer.
func tokensOf(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// field names what is at fault, and what is below it.
func (f *fault) field(below ...string) string {
	return strings.Join(slices.Concat([]string{"input"}, f.path, below), ".")
}

func (f *fault) text() string {
	if own := f.ownMessage(); own != "" {
		return own
	}
	switch last(f.keyword) {
	case "required":
		return "Field " + f.field(f.missing()) + " is required"
	case "additionalProperties":
		if name := f.additional(); name != "" {
			return "Property " + f.field(name) + " is not allowed."
		}
	}
	return "Field " + f.field() + " " + cmp.Or(f.problem(), f.violation.Message)
}

// ownMessage is what the schema itself says for the keyword.
func (f *fault) ownMessage() string {
	at := f.s.root
	for _, token := range f.path {
		at = at.below(token)
	}
	if at == nil {
		return ""
	}
	var messages map[string]string
	_ = json.Unmarshal(at.property["errorMessage"], &messages)
	return messages[last(f.keyword)]
}

// missing is the first of the members that are required and not there.
func (f *fault) missing() string {
	names, _ := f.value().([]any)
	for _, name := range names {
		if text, ok := name.(string); ok && slices.Contains(f.violation.Missing, text) {
			return text
		}
	}
	return slices.Min(f.violation.Missing)
}

// additional is the first member that the schema does not have.
func (f *fault) additional() string {
	at := json.RawMessage(f.body)
	known := f.s.root
	for _, token := range f.path {
		at, known = memberOf(at, token), known.below(token)
	}
	if known == nil {
		return ""
	}
	for _, name := range membersOf(at) {
		if known.of(name) == nil {
			return name
		}
	}
	return ""
}

// memberOf is a member of an object, or an item of an array; nil for none.
func memberOf(value json.RawMessage, token string) json.RawMessage {
	if first(value) == '{' {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(value, &members)
		return members[token]
	}
	var items []json.RawMessage
	_ = json.Unmarshal(value, &items)
	if n, err := strconv.Atoi(token); err == nil && n >= 0 && n < len(items) {
		return items[n]
	}
	return nil
}

// value is that of the keyword in the schema.
func (f *fault) value() any {
	at := f.plain
	for _, token := range f.keyword {
		switch v := at.(type) {
		case map[string]any:
			at = v[token]
		case []any:
			if n, err := strconv.Atoi(token); err == nil && n < len(v) {
				at = v[n]
			}
		}
	}
	return at
}

// problems are the sentences for keywords with one value.
var problems = map[string]string{
	"minimum": "must be >= %s", "maximum": "must be <= %s", "pattern": `must match pattern "%s"`,
	"minLength": "must NOT have fewer than %s characters", "maxLength": "must NOT have more than %s characters",
	"minItems": "must NOT have fewer than %s items", "maxItems": "must NOT have more than %s items",
	"minProperties": "must NOT have fewer than %s properties", "maxProperties": "must NOT have more than %s properties",
}

// problem says what is wrong with the field; empty for what has no sentence.
func (f *fault) problem() string {
	value := f.value()
	switch keyword := last(f.keyword); keyword {
	case "type":
		null := func(kind string) bool { return kind == "null" }
		return "must be " + strings.Join(slices.DeleteFunc(texts(value), null), ",")
	case "enum":
		return `must be equal to one of the allowed values: "` + strings.Join(texts(value), `", "`) + `"`
	case "uniqueItems":
		if d := f.violation.Duplicates; len(d) == 2 {
			return fmt.Sprintf("must NOT have duplicate items (items ## %d and %d are identical)", d[0], d[1])
		}
	default:
		if sentence, ok := problems[keyword]; ok && value != nil {
			return fmt.Sprintf(sentence, strings.Join(texts(value), ","))
		}
	}
	return ""
}

// texts are the values of a keyword as they are told. Null, which a nullable field may be
// beside them, is not.
func texts(value any) (all []string) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		if text, ok := v.(string); ok {
			all = append(all, text)
		} else if raw, err := encode(v); err == nil && v != nil {
			all = append(all, string(raw))
		}
	}
	return all
}
