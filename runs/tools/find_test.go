package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// longTable is a session that shows a table of n rows, of which those from the
// 500th on can be seen.
func longTable(n int) *broken {
	b := newBroken()
	b.snap.Elements = []browser.Element{{Role: "heading", Name: "Orders", Level: 1, States: browser.Above}, {Role: "table", Name: "All orders"}}
	for i := range n {
		state := browser.States(0)
		if i < 500 {
			state = browser.Above
		} else if i > 520 {
			state = browser.Below
		}
		b.snap.Elements = append(b.snap.Elements,
			browser.Element{Role: "row", Depth: 1, States: state},
			browser.Element{Role: "cell", Name: fmt.Sprintf("Order %d", i), Depth: 2, States: state},
			browser.Element{Role: "button", Name: "Cancel", Ref: browser.Ref(fmt.Sprintf("e%d", i+1)), Depth: 2, States: state})
	}
	return b
}

func TestFindReachesWhatWasLeftOut(t *testing.T) {
	t.Parallel()
	for input, want := range map[string][]string{
		`{"text":"order 1999"}`:                {"1 of 6002 lines", `"Order 1999"`, "[e2000]"},
		`{"regex":"^Order 19(98|99)$"}`:        {"2 of 6002 lines", "[e1999]", "[e2000]"},
		`{"text":"cancel","near":"Order 700"}`: {"1 of 6002 lines", "[e701]", `"All orders"`},
		`{"regex":"Order"}`:                    {"2001 of 6002 lines are such; these are the first 50"},
		`{"text":"hunter22"}`:                  {"0 of 6002 lines"},
	} {
		r := call(t, setOn(longTable(2000)), "find", input)
		for _, w := range want {
			if !strings.Contains(r.Output.Text(), w) {
				t.Errorf("%s: no %s in %.1500s", input, w, r.Output.Text())
			}
		}
		if v, ok := outline.Parse(r.Output.Text()); !ok || v.Part == "" || v.Total != 6002 || len(v.Lines) > 400 {
			t.Errorf("%s: %t %q, %d of %d", input, ok, v.Part, len(v.Lines), v.Total)
		}
	}
	for _, input := range []string{`{}`, `{"text":"a","regex":"b"}`, `{"regex":"("}`, `{"regex":"` + strings.Repeat("x", 2000) + `"}`} {
		if r := call(t, setOn(longTable(1)), "find", input); !r.Output.IsError() {
			t.Errorf("%.50s: %s", input, r.Output.Text())
		}
	}
}

func TestFindLooksThroughTheTextOfAPageThatIsTooLarge(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.snap.Truncated, b.html = true, "<p>Far down: the needle hunter22</p>"
	r := call(t, setOn(b), "find", `{"text":"needle"}`)
	if text := r.Output.Text(); !strings.Contains(text, `- text "Far down: the needle %pass%"`) || !strings.Contains(text, "0 of 2 lines") {
		t.Error(text)
	}
}

func TestWhatCanBeSeenComesFirst(t *testing.T) {
	t.Parallel()
	s := setOn(longTable(2000), func(o *Options) { o.MaxOutput = 4000 })
	text := call(t, s, "snapshot", `{}`).Output.Text()
	v, ok := outline.Parse(text)
	if !ok || !strings.Contains(text, `"Order 510"`) || strings.Contains(text, `"Order 5"`) || !strings.Contains(text, `table "All orders"`) || len(text) > 5000 {
		t.Fatalf("%t %d %s", ok, len(text), text)
	}
	if len(v.Gaps) < 2 || v.Whole() || v.Total != 6002 || !strings.Contains(text, "row), below the view; snapshot {") {
		t.Errorf("%+v %d\n%s", v.Gaps, v.Total, text)
	}
	rest := call(t, s, "snapshot", fmt.Sprintf(`{"offset":%d}`, v.Next())).Output.Text()
	if w, ok := outline.Parse(rest); !ok || w.First != v.Next() || len(w.Gaps) > 0 {
		t.Errorf("%t %d %+v %d\n%s\n%s", ok, w.First, w.Gaps, v.Next(), text, rest)
	}
}

func TestExtractFillsASchema(t *testing.T) {
	t.Parallel()
	b := newBroken()
	b.html = "<p>Kettle 5 hunter22</p>"
	var asked string
	s := setOn(b, func(o *Options) {
		o.Shape = func(_ context.Context, url, html string, schema json.RawMessage) (json.RawMessage, []string, error) {
			asked = url + " " + html + " " + string(schema)
			if strings.Contains(string(schema), "bad") {
				return nil, nil, errtypes.Field("schema", "is no schema")
			}
			return json.RawMessage(`{"name":"Kettle hunter22"}`), []string{"/price"}, nil
		}
	})
	r := call(t, s, "extract", `{"schema":{"type":"object"}}`)
	if got := string(r.Output.Value); r.Output.Type != model.OutputJSON || got != `{"result":{"name":"Kettle %pass%"},"unsatisfied":["/price"]}` || asked != `https://a.example/ <p>Kettle 5 hunter22</p> {"type":"object"}` {
		t.Errorf("%s %s", got, asked)
	}
	for _, input := range []string{`{}`, `{"schema":{"a":"bad"}}`} {
		if r := call(t, s, "extract", input); !r.Output.IsError() {
			t.Errorf("%s: %s", input, r.Output.Text())
		}
	}
	if r := call(t, setOn(b), "extract", `{"schema":{}}`); !strings.Contains(r.Output.Text(), "no tool") {
		t.Error(r.Output.Text())
	}
}
