package request

import (
	"net/http"
	"testing"
)

func TestAccepted(t *testing.T) {
	const data, bytes, none = "application/json", "application/octet-stream", ""
	for _, c := range []struct {
		accept []string
		want   string
	}{
		{nil, data},
		{[]string{""}, data},
		{[]string{"*/*"}, data},
		{[]string{"application/*"}, data},
		{[]string{data}, data},
		{[]string{bytes}, bytes},
		{[]string{"Application/Octet-Stream"}, bytes},
		{[]string{"application/json; charset=utf-8"}, data},
		{[]string{"text/html", bytes}, bytes},
		{[]string{"text/html, */*;q=0.1"}, data},
		{[]string{"application/json;q=0.5, application/octet-stream"}, bytes},
		{[]string{"application/json;q=0.5, application/octet-stream;q=0.5"}, data},
		{[]string{"application/octet-stream, */*;q=0.9"}, bytes},
		{[]string{"application/octet-stream;q=0.2, */*;q=0.9"}, data},
		{[]string{"application/json;q=0, */*"}, bytes},
		{[]string{"application/json;q=0, application/*;q=0.001"}, bytes},
		{[]string{"application/*;q=0, */*"}, none},
		{[]string{"*/*;q=0"}, none},
		{[]string{"text/html"}, none},
		{[]string{"image/*"}, none},
		{[]string{"json"}, none},
		{[]string{",;=,"}, none},
		{[]string{"application/json;q=2"}, none},
		{[]string{"application/json;q=NaN, application/octet-stream;q=0.1"}, bytes},
		{[]string{"application/json;q=-1"}, none},
	} {
		got, ok := Accepted(&http.Request{Header: http.Header{"Accept": c.accept}}, data, bytes)
		if got != c.want || ok != (c.want != none) {
			t.Errorf("%q: %q %v, want %q", c.accept, got, ok, c.want)
		}
	}
}
