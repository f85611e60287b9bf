package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// decoded is [checkNumbers] as the package encoding/json reads: slowly.
type decoded struct {
	method string
	dec    *json.Decoder
	text   bool // the value was one
}

func (d *decoded) value(name string, unchecked bool) error {
	token, err := d.dec.Token()
	if err != nil {
		return err
	}
	defer func(text bool) { d.text = text }(isText(token))
	switch token := token.(type) {
	case json.Number:
		in, ok := spansOf[d.method][name]
		if !ok {
			in, ok = spansOf[""][name]
		}
		if !ok {
			in = signed
		}
		if n, err := token.Float64(); !unchecked && (err != nil || n < in.min || n > in.max) {
			return fmt.Errorf("%s must be between %v and %v", name, in.min, in.max)
		}
	case json.Delim:
		if token == '[' {
			return d.list(name, unchecked)
		}
		return d.object(unchecked)
	}
	return nil
}

func isText(token json.Token) bool {
	_, is := token.(string)
	return is
}

func (d *decoded) list(name string, unchecked bool) error {
	n, texts := 0, true
	for ; d.dec.More(); n++ {
		if err := d.value(name, unchecked); err != nil {
			return err
		}
		texts = texts && d.text
	}
	_, err := d.dec.Token()
	if err == nil && n > maxItems && !unchecked && !longLists[name] && !texts {
		err = fmt.Errorf("%s has %d items; it may have %d", name, n, maxItems)
	}
	return err
}

func (d *decoded) object(unchecked bool) error {
	for d.dec.More() {
		token, err := d.dec.Token()
		if err != nil {
			return err
		}
		name := token.(string)
		if err := d.value(name, unchecked || free[d.method][name]); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// The scan refuses what a decoder that reads everything would refuse, for the
// same reason.
func FuzzCheckNumbers(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `1`, ` { "quality" : 101 , "x":[1, 2 ,{"force":2}] } `, `{"a":"\\\"1","quality":-1}`, `{"\u0071uality":101}`, `{"a\\":1e999}`,
		`{"arguments":[{"quality":1e99,"b":"]}"}],"executionContextId":3e9}`, `{"x":{"arguments":[1e99]}}`, `{"arguments":1e99 ,"quality":1e9}`,
		`{"number":-1.5e+300,"latency":-0.0,"t":true,"f":false,"n":null,"z":-2147483649}`, `{"size":33554433}`, `{"":1E10}`,
		`{"a":[` + strings.Repeat("{},", maxItems) + `{}]}`, `{"a":[` + strings.Repeat(`"",`, maxItems) + `""]}`, `{"a":[` + strings.Repeat(`"",`, maxItems) + `1]}`, `{"cookies":[` + strings.Repeat("{},", maxItems) + `{}]}`,
	} {
		f.Add("Runtime.callFunctionOn", []byte(seed))
		f.Add("IO.read", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		if len(params) > 1<<17 || !utf8.Valid(params) || !json.Valid(params) || depth(params) > maxDepth {
			return
		}
		d := decoded{method: method, dec: json.NewDecoder(bytes.NewReader(params))}
		d.dec.UseNumber()
		want := d.value("", false)
		if want == io.EOF {
			t.Fatal("the decoder read nothing")
		}
		if got := checkNumbers(method, params); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %s: %v, want %v", method, params, got, want)
		}
	})
}

// Large parameters cost memory for the few keys at the top alone.
func TestTheScanAllocatesNothing(t *testing.T) {
	for _, params := range []string{
		`{"arguments":[` + strings.Repeat(`{"value":[1,2.5,"a"]},`, 5000) + `1]}`,
		`{"x":{"points":[` + strings.Repeat(`{"x":1,"y":2.5,"text":"a","list":[-1,null]},`, 5000) + `1]}}`,
	} {
		if n := testing.AllocsPerRun(5, func() {
			if err := checkNumbers("Runtime.callFunctionOn", []byte(params)); err != nil {
				t.Error(err)
			}
		}); n > 2 {
			t.Errorf("%.0f allocations for %.40s", n, params)
		}
	}
}

var large = map[string][2]string{
	"arguments": {"Runtime.callFunctionOn", `{"functionDeclaration":"f","arguments":[` + strings.Repeat(`{"value":1},`, 8<<20/12) + `{"value":1}]}`},
	"numbers":   {"Input.dispatchDragEvent", `{"data":[` + strings.Repeat(`[1,2,3,4,5],`, 9_000) + `1]}`},
	"body":      {"Fetch.fulfillRequest", `{"requestId":"1","responseCode":200,"body":"` + strings.Repeat("QUJD", 20<<20/4) + `"}`},
}

func BenchmarkParse(b *testing.B) {
	for name, c := range large {
		frame := []byte(`{"id":1,"method":"` + c[0] + `","params":` + c[1] + `}`)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(frame, 64<<20)
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	for name, c := range large {
		cmd := Command{Method: c[0], Params: json.RawMessage(c[1])}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Decide(Page, cmd, nobody{})
			}
		})
	}
}
