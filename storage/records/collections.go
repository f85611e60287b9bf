package records

import (
	"context"
	"encoding/json"
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// collection is a part of a key-value store that its schema names: the record
// under one key, or those whose keys begin with a prefix.
type collection struct {
	Key          string
	KeyPrefix    string
	ContentTypes []string
	JSONSchema   json.RawMessage
}

func (c collection) has(key string) bool {
	if c.Key != "" {
		return key == c.Key
	}
	return c.KeyPrefix != "" && strings.HasPrefix(key, c.KeyPrefix)
}

// admits reports whether records may have that type. Parameters do not count.
func (c collection) admits(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return len(c.ContentTypes) == 0 || err == nil && slices.ContainsFunc(c.ContentTypes, func(allowed string) bool {
		return strings.EqualFold(allowed, kind)
	})
}

type collections map[string]collection

// collectionsOf reads what it understands of a schema.
func collectionsOf(schema json.RawMessage) collections {
	var s struct{ Collections collections }
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return s.Collections
}

// admit refuses a record of a type that its collection does not have.
func (all collections) admit(n NewRecord) error {
	for name, c := range all {
		if c.has(n.Key) && !c.admits(n.ContentType) {
			return errtypes.OfType(errtypes.TypeSchemaValidationError,
				"Record %q must have one of the types %q, which the collection %q has, not %q", n.Key, c.ContentTypes, name, n.ContentType)
		}
	}
	return nil
}

// schemas are those that the record with a key must match.
func (all collections) schemas(key string) (schemas []json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if c := all[name]; c.has(key) && len(c.JSONSchema) > 0 && string(c.JSONSchema) != "null" {
			schemas = append(schemas, c.JSONSchema)
		}
	}
	return schemas
}

// matches holds a record against the schemas of its collections.
func (s *service) matches(ctx context.Context, schemas []json.RawMessage, rec Record, c content) error {
	if len(schemas) == 0 {
		return nil
	}
	data, err := s.readAll(ctx, rec.Coding, c, maxMatched)
	if err != nil {
		return err
	}
	for _, raw := range schemas {
		compiled, err := s.schemas.Compile("schema.collections", raw)
		if err == nil {
			_, err = compiled.ValidateJSON(data)
		}
		if errtypes.Is(err, errtypes.Invalid) {
			return errtypes.OfType(errtypes.TypeSchemaValidationError, "Record %q does not match the schema of its collection: %s", rec.Key, errtypes.Public(err).Message).WithCause(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxMatched is how much of a record is read to hold it against a schema: a byte
// more than what is validated.
const maxMatched = 9<<20 + 1

// span is a range of keys: from first on, before end. An end that is empty bounds
// nothing.
type span struct{ first, end string }

// span is the range that a query selects.
func (all collections) span(q KeysQuery) (span, error) {
	s := prefixed(q.Prefix)
	if q.After != "" {
		s.first = max(s.first, q.After+"\x00") // the next text in byte order
	}
	if q.Collection == "" {
		return s, nil
	}
	c, ok := all[q.Collection]
	if !ok {
		return span{}, errtypes.OfType(errtypes.TypeInvalidCollection, "the store has no collection %.100q", q.Collection)
	}
	own := prefixed(c.KeyPrefix)
	if c.Key != "" {
		own = span{first: c.Key, end: c.Key + "\x00"}
	}
	return span{max(s.first, own.first), smaller(s.end, own.end)}, nil
}

// prefixed is the range of what begins with a prefix. No key has a character
// behind the last letter of ASCII.
func prefixed(prefix string) span {
	if prefix == "" {
		return span{}
	}
	return span{first: prefix, end: prefix + "\U0010ffff"}
}

// smaller is the nearer of two ends.
func smaller(a, b string) string {
	if a == "" || b == "" {
		return max(a, b)
	}
	return min(a, b)
}
