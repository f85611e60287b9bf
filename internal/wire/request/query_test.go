package request

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// asked is a query with a parameter of every kind.
type asked struct {
	Text, Mark, Choice string
	Number             int
	Flag               bool
	At                 time.Time
}

func ask(raw string) (asked, error) {
	q := ParseQuery(&http.Request{URL: &url.URL{RawQuery: raw}})
	return asked{
		q.String("text"), q.String("mark"), q.OneOf("choice", "A", "B"), q.Int("number", -5, 1000), q.Bool("flag"), q.Time("at"),
	}, q.Err()
}

func TestQueryReadsEveryKind(t *testing.T) {
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for raw, want := range map[string]asked{
		"":                                   {},
		"other=1&other=2&x":                  {},
		"text=a%20b+c&mark=m&choice=B":       {Text: "a b c", Mark: "m", Choice: "B"},
		"mark=":                              {},
		"number=1000&flag=true":              {Number: 1000, Flag: true},
		"number=-5&flag=false":               {Number: -5},
		"number=007":                         {Number: 7},
		"at=2026-01-31T12:00:00Z":            {At: noon},
		"at=2026-01-31t12:00:00z":            {At: noon},
		"at=2026-01-31T12:00:00.123456789Z":  {At: noon.Add(123456789)},
		"at=2026-01-31T13:30:00.000%2B01:30": {At: noon},
		"at=2026-01-31T11:00:00-01:00":       {At: noon},
		"at=0001-01-01T00:00:00Z":            {At: time.Time{}.Add(1)},
	} {
		got, err := ask(raw)
		if err != nil || !got.At.Equal(want.At) {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
		if got.At = want.At; got != want {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
	}
}

func TestQuerySaysWhatIsWrong(t *testing.T) {
	const (
		number = "number must be a whole number from -5 to 1000"
		at     = "at must be a date-time such as 2026-01-31T23:59:59Z (a + in a query is written %2B)"
	)
	for raw, want := range map[string]string{
		"text=a&text=b":                     "text stands 2 times in the query",
		"mark=a&mark=a":                     "mark stands 2 times in the query",
		"text=%ff":                          "text must be valid UTF-8",
		"mark=%c0%80":                       "mark must be valid UTF-8",
		"text=%zz":                          "the query is not well-formed",
		"text=a;b":                          "the query is not well-formed",
		"choice=C":                          "choice must be one of A, B",
		"choice=a":                          "choice must be one of A, B",
		"number=x":                          number,
		"number=0x10":                       number,
		"number=1_0":                        number,
		"number=%2B1":                       number,
		"number=%201":                       number,
		"number=1001":                       number,
		"number=-6":                         number,
		"number=99999999999999999999999999": number,
		"number=%D9%A1":                     number, // a digit, but an Arabic one
		"flag=1":                            "flag must be one of true, false",
		"flag=TRUE":                         "flag must be one of true, false",
		"at=2026-01-31":                     at,
		"at=2026-01-31T12:00:00":            at,
		"at=2026-01-31T13:00:00+01:00":      at, // the + is a space
		"at=2026-02-30T12:00:00Z":           at,
		"at=2026-01-31T24:00:00Z":           at,
		"at=2026-01-31T12:00:00,5Z":         at,
		"at=1769860800000":                  at,
		"choice=x&number=x":                 "choice must be one of A, B",
	} {
		_, err := ask(raw)
		if !errtypes.Is(err, errtypes.Invalid) || errtypes.Public(err).Message != want {
			t.Errorf("%s\n got %v\nwant %s", raw, err, want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"text=a&number=1", "at=2026-01-31T12:00:00Z&flag=true", "choice=A&mark=%ff", "number=+1", "a=%z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := ask(raw)
		if err != nil {
			if !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("kind of %v", err)
			}
			return
		}
		if !utf8.ValidString(got.Text+got.Mark) || got.Number < -5 || got.Number > 1000 {
			t.Errorf("accepted %+v", got)
		}
		// What was accepted means the same when it is written out again.
		again := url.Values{}
		for name, value := range map[string]string{"text": got.Text, "mark": got.Mark, "choice": got.Choice} {
			if value != "" {
				again.Set(name, value)
			}
		}
		if got.Number != 0 {
			again.Set("number", fmt.Sprint(got.Number))
		}
		if got.Flag {
			again.Set("flag", "true")
		}
		if !got.At.IsZero() {
			again.Set("at", got.At.Format(time.RFC3339Nano))
		}
		second, err := ask(again.Encode())
		if err != nil || !second.At.Equal(got.At) {
			t.Fatalf("%q: %+v, %v", again.Encode(), second, err)
		}
		if second.At = got.At; second != got {
			t.Errorf("%+v, then %+v", got, second)
		}
	})
}
