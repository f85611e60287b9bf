package sse

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/testlevel"
)

// said are the events of a stream as "name|data".
func said(r io.Reader, limit int) (all []string, err error) {
	s := NewReader(r, limit)
	for {
		e, err := s.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e.Name+"|"+string(e.Data))
	}
}

func TestStreams(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   []string
	}{
		"nothing":                  {"", nil},
		"plain":                    {"data: a\n\ndata: b\n\n", []string{"|a", "|b"}},
		"named":                    {"event: delta\ndata: a\n\ndata: b\n\n", []string{"delta|a", "|b"}},
		"without the space":        {"data:a\n\ndata:  b\n\n", []string{"|a", "| b"}},
		"several lines":            {"data: a\ndata\ndata: b\n\n", []string{"|a\n\nb"}},
		"carriage returns":         {"data: a\r\n\r\ndata: b\r\n\r\n", []string{"|a", "|b"}},
		"only carriage returns":    {"data: a\r\rdata: b\r\r", []string{"|a", "|b"}},
		"mixed":                    {"data: a\r\ndata: b\r\n\ndata: c\n\r\n", []string{"|a\nb", "|c"}},
		"comments":                 {": hello\n\n:\ndata: a\n: there\n\n", []string{"|a"}},
		"other fields":             {"id: 7\nretry: 10\nDATA: x\ndata: a\n\nid: 8\n\n", []string{"|a"}},
		"no data":                  {"event: ping\n\ndata: a\n\n", []string{"|a"}},
		"empty data":               {"data\n\ndata:\n\n", []string{"|", "|"}},
		"no blank line at the end": {"data: a\n\nevent: b\ndata: c", []string{"|a", "b|c"}},
		"no data at the end":       {"data: a\n\nevent: b\n", []string{"|a"}},
		"a byte order mark":        {"\ufeffdata: a\n\n\ufeffdata: b\n\n", []string{"|a"}},
		"colons":                   {"data: {\"a\": \"b:c\"}\n\n", []string{`|{"a": "b:c"}`}},
		"broken UTF-8":             {"data: \xff\n\n", []string{"|\xff"}},
	} {
		for how, r := range map[string]io.Reader{"whole": strings.NewReader(c.stream), "by bytes": iotest.OneByteReader(strings.NewReader(c.stream))} {
			got, err := said(r, 1000)
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s, %s: (-want +got)\n%s", name, how, d)
			}
		}
	}
}

func TestTheLimitIsOfAnEvent(t *testing.T) {
	fits := "data: " + strings.Repeat("x", 94) + "\n\n"
	for name, c := range map[string]struct {
		stream string
		want   error
	}{
		"many that fit":     {strings.Repeat(fits, 100), nil},
		"a line":            {"data: " + strings.Repeat("x", 95) + "\n\n", ErrTooLong},
		"many lines":        {strings.Repeat("data: xxxx\n", 11) + "\n", ErrTooLong},
		"comments in one":   {strings.Repeat(": xxxxxxxx\n", 11) + "\n", ErrTooLong},
		"a line for ever":   {strings.Repeat("x", 10_000), ErrTooLong},
		"comments for ever": {strings.Repeat(": xxxxxxx\n\n", 1000), nil},
	} {
		if _, err := said(strings.NewReader(c.stream), 100); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An event is there as soon as its last byte is: nobody waits for the next.
func TestAnEventIsNotHeldBack(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		r, w := io.Pipe()
		go func() { _, _ = io.WriteString(w, "data: a"+end) }() // and no more
		s := NewReader(r, 1000)
		if e, err := s.Next(); err != nil || string(e.Data) != "a" {
			t.Errorf("%q: %q, %v", end, e.Data, err)
		}
		r.Close()
	}
}

func TestAStreamThatBreaksIsNoEnd(t *testing.T) {
	broken := errors.New("reset")
	got, err := said(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)), 1000)
	if !errors.Is(err, broken) || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestDataIsTheCallers(t *testing.T) {
	s := NewReader(strings.NewReader("data: first\n\ndata: other\n\n"), 1000)
	one, _ := s.Next()
	if two, err := s.Next(); err != nil || string(one.Data) != "first" || string(two.Data) != "other" {
		t.Errorf("%q, %q, %v", one.Data, two.Data, err)
	}
}

// What is read does not depend on how the bytes come.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "event: b\r\ndata\r\n\r\n", ": c\r\rdata:d\n\n", "\ufeffdata: e"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole, err := said(bytes.NewReader(stream), 64)
		bytewise, err2 := said(iotest.OneByteReader(bytes.NewReader(stream)), 64)
		if d := cmp.Diff(whole, bytewise); d != "" || !errors.Is(err, err2) {
			t.Errorf("%v, %v\n%s", err, err2, d)
		}
	})
}

func TestLines(t *testing.T) {
	l := NewLines(iotest.OneByteReader(strings.NewReader("{\"a\":1}\n\n \r\n{\"b\":2}\r\n{\"c\":3}")), 10)
	for _, want := range []string{`{"a":1}`, `{"b":2}`, `{"c":3}`} {
		if e, err := l.Next(); err != nil || string(e.Data) != want || e.Name != "" {
			t.Errorf("%s: %s, %v", want, e.Data, err)
		}
	}
	if _, err := l.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if _, err := NewLines(strings.NewReader(strings.Repeat("x", 100)), 10).Next(); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	broken := errors.New("reset")
	if _, err := NewLines(iotest.ErrReader(broken), 10).Next(); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// inPackets reads as much at a time as a connection gives.
type inPackets struct{ io.Reader }

func (r inPackets) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 4<<10)]) }

// A long line is searched once, not again with each piece of it that comes.
func TestALongLineTakesLinearTime(t *testing.T) {
	const size = 32 << 20
	began := time.Now()
	line := io.MultiReader(strings.NewReader("data: "), strings.NewReader(strings.Repeat("x", size)), strings.NewReader("\n\n"))
	if e, err := NewReader(inPackets{line}, size+100).Next(); err != nil || len(e.Data) != size {
		t.Errorf("%d bytes, %v", len(e.Data), err)
	}
	if took := time.Since(began); took > testlevel.Loaded(10*time.Second) {
		t.Errorf("it took %v", took)
	}
}
