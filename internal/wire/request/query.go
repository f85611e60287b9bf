package request

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
)

// Query reads the parameters of a request. An empty one counts as absent, as
// clients send those that they have no value for. The first thing that is
// wrong is what Err returns; parameters nobody asks for are ignored.
type Query struct {
	values url.Values
	err    error
}

// ParseQuery reads the query of a request.
func ParseQuery(r *http.Request) *Query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	for name, all := range values {
		values[name] = slices.DeleteFunc(all, func(v string) bool { return v == "" })
	}
	q := &Query{values: values}
	if err != nil {
		q.fail(errtypes.New(errtypes.Invalid, "the query is not well-formed").WithCause(err))
	}
	return q
}

// Err returns the first error, which is Invalid and names the parameter.
func (q *Query) Err() error { return q.err }

func (q *Query) fail(err error) {
	if q.err == nil {
		q.err = err
	}
}

// get returns the one value of a parameter, and whether it is there.
func (q *Query) get(name string) (string, bool) {
	values := q.values[name]
	switch {
	case len(values) == 0:
		return "", false
	case len(values) > 1:
		q.fail(errtypes.Field(name, "stands %d times in the query", len(values)))
		return "", false
	case !utf8.ValidString(values[0]):
		q.fail(errtypes.Field(name, "must be valid UTF-8"))
		return "", false
	}
	return values[0], true
}

// String returns a text, "" when it is not there.
func (q *Query) String(name string) string {
	s, _ := q.get(name)
	return s
}

// OneOf returns one of the allowed texts, "" when it is not there.
func (q *Query) OneOf(name string, allowed ...string) string {
	s, there := q.get(name)
	if there && !slices.Contains(allowed, s) {
		q.fail(errtypes.Field(name, "must be one of %s", strings.Join(allowed, ", ")))
		return ""
	}
	return s
}

// Int returns a whole number within bounds, 0 when it is not there. It is
// written as in JSON, where 1e3 is as whole as 1000.
func (q *Query) Int(name string, least, most int) int {
	s, there := q.get(name)
	if !there {
		return 0
	}
	n, ok := strictjson.Whole(s, least, most)
	if !ok || !numberForm.MatchString(s) {
		q.fail(errtypes.Field(name, "must be a whole number from %d to %d", least, most))
		return 0
	}
	return n
}

var numberForm = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)

// Number returns a number that is not below 0, and whether it is there. It is
// written as in JSON.
func (q *Query) Number(name string) (float64, bool) {
	s, there := q.get(name)
	if !there {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || !numberForm.MatchString(s) {
		q.fail(errtypes.Field(name, "must be a number of 0 or more"))
		return 0, false
	}
	return n, true
}

// Bool returns true or false, false when it is not there.
func (q *Query) Bool(name string) bool {
	return q.OneOf(name, "true", "false") == "true"
}

// Time returns a date-time (RFC 3339), the zero time when it is not there.
func (q *Query) Time(name string) time.Time {
	s, there := q.get(name)
	if !there {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	if err != nil || strings.ContainsRune(s, ',') {
		q.fail(errtypes.Field(name, "must be a date-time such as 2026-01-31T23:59:59Z (a + in a query is written %%2B)"))
		return time.Time{}
	}
	if t.IsZero() { // the year 1 is a bound like any other, not the lack of one
		t = t.Add(1)
	}
	return t
}
