package sessions

import (
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// queryForm is user_metadata['name']:'value', with quotes of either kind and
// a backslash before those that belong to the text.
var queryForm = regexp.MustCompile(`^\s*user_metadata\[\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\]\s*:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*$`)

const maxQuery = 4 << 10

// ParseQuery reads the query of a list. Error kind Invalid.
func ParseQuery(q string) (*Metadata, error) {
	m := queryForm.FindStringSubmatch(q)
	if m == nil || len(q) > maxQuery {
		return nil, errtypes.Field("q", "must have the form user_metadata['name']:'value'")
	}
	return &Metadata{unquoted(m[1]), unquoted(m[2])}, nil
}

func unquoted(s string) string {
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
