package request

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCodings(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][]string{
		"": nil, "identity": nil, "*": {"br", "gzip"}, "gzip": {"gzip"}, "GZIP;q=0.5, br": {"br", "gzip"}, "gzip;q=0, *": {"br"}, "*;q=0, br": {"br"},
		"*, gzip;q=0": {"br"}, "gzip;q=2": nil, "gzip, compress, deflate, br": {"br", "gzip"}, ",;": nil,
	} {
		got := Codings(&http.Request{Header: http.Header{"Accept-Encoding": {header}}}, "br", "gzip")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", header, diff)
		}
	}
	if got := Codings(&http.Request{Header: http.Header{}}, "gzip"); got != nil {
		t.Errorf("without the header: %q", got)
	}
}

func TestFlagsAndLists(t *testing.T) {
	t.Parallel()
	q := ParseQuery(httptest.NewRequest("GET", "/?a=1&b=true&c=0&d=false&e=&l=x,+y+,,z&none=,", nil))
	if !q.Flag("a") || !q.Flag("b") || q.Flag("c") || q.Flag("d") || q.Flag("e") || q.Flag("f") {
		t.Error("a flag is not what it says")
	}
	if on := q.OptionalFlag("c"); on == nil || *on || q.OptionalFlag("e") != nil {
		t.Error("0 is not there, or what is empty is")
	}
	if diff := cmp.Diff([]string{"x", "y", "z"}, q.List("l")); diff != "" || q.List("none") != nil || q.Err() != nil {
		t.Errorf("%v\n%s", q.Err(), diff)
	}
	for query, read := range map[string]func(*Query){
		"f must be one of true, false, 1, 0":                  func(q *Query) { q.Flag("f") },
		"l must have none but x, y, with commas between them": func(q *Query) { q.List("l", "x", "y") },
	} {
		q := ParseQuery(httptest.NewRequest("GET", "/?f=yes&l=x,z", nil))
		if read(q); q.Err() == nil || q.Err().Error() != query {
			t.Errorf("%v, want %s", q.Err(), query)
		}
	}
}
