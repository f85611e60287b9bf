package v1

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/fetch"
)

// byHand is the answer as encoding/json would have it.
type byHand struct {
	ID          string            `json:"id"`
	StatusCode  int               `json:"statusCode"`
	Headers     map[string]string `json:"headers"`
	Content     string            `json:"content"`
	ContentType string            `json:"contentType"`
	Encoding    string            `json:"encoding"`
}

func TestFetchJSONIsWhatEncodingJSONReads(t *testing.T) {
	var all strings.Builder
	for r := range rune(0x3000) {
		all.WriteRune(r)
	}
	for _, want := range []byHand{
		{Headers: map[string]string{}},
		{ID: "i", StatusCode: 418, Headers: map[string]string{"b": "2", "a": "1\n\"2\""}, Content: all.String() + "\u2028😀\uFFFD", ContentType: "text/html", Encoding: "utf-8"},
	} {
		raw := (*fetchJSON)(&fetch.Answer{
			ID: want.ID, StatusCode: want.StatusCode, Headers: want.Headers, Content: want.Content, ContentType: want.ContentType, Encoding: want.Encoding,
		}).AppendJSON([]byte("before"))
		var got byHand
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(raw), "before")), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFetchJSONHasTheObjectOfFormatJSON(t *testing.T) {
	raw := (*fetchJSON)(&fetch.Answer{Format: fetch.JSON, ID: "i", StatusCode: 200, Content: `{"a":"\"1\""}`, Encoding: "utf-8", Unsatisfied: []string{"/b", "/\"/0"}}).AppendJSON(nil)
	var got struct {
		Content     map[string]string
		Unsatisfied []string
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if got.Content["a"] != `"1"` || len(got.Unsatisfied) != 2 || got.Unsatisfied[1] != `/"/0` {
		t.Errorf("%s", raw)
	}
	if raw := (*fetchJSON)(&fetch.Answer{Format: fetch.JSON, Content: `{}`}).AppendJSON(nil); strings.Contains(string(raw), "unsatisfied") {
		t.Errorf("%s", raw)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "a\"\\\b\f\n\r\t\x00\x7f", "é😀\u2028", "\xff\xc0\x80", "a\xed\xa0\x80b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw := appendString(nil, s)
		var got string
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if want := strings.ToValidUTF8(s, "\uFFFD"); got != want || !utf8.Valid(raw) {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	})
}

// page is HTML of about the given size, as much of it quotes and line ends as
// is usual.
func page(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "<li class=\"item\" id=\"i%d\"><a href=\"/p/%d\" title=\"Größe\">Product %d</a> of a kind that sells well in winter</li>\n", i, i, i)
	}
	return b.String()
}

// BenchmarkFetchJSON writes the answer of a 136 KB page, once by hand and once
// by encoding/json in turns, and reports how many times as fast the first is.
func BenchmarkFetchJSON(b *testing.B) {
	a := &fetch.Answer{ID: "i", StatusCode: 200, Headers: map[string]string{"content-type": "text/html"}, Content: page(136_000), Encoding: "utf-8"}
	v := byHand{a.ID, a.StatusCode, a.Headers, a.Content, a.ContentType, a.Encoding}
	var hand []byte
	var buf bytes.Buffer
	var own, std time.Duration
	for b.Loop() {
		start := time.Now()
		hand = (*fetchJSON)(a).AppendJSON(hand[:0])
		middle := time.Now()
		buf.Reset()
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			b.Fatal(err)
		}
		own += middle.Sub(start)
		std += time.Since(middle)
	}
	b.ReportMetric(own.Seconds()*1e6/float64(b.N), "µs/answer")
	b.ReportMetric(std.Seconds()/own.Seconds(), "x-encoding/json")
}
