package schema

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

type base struct {
	ID string `json:"id" jsonschema:"the number on the label"`
}

type money struct {
	Amount   json.Number `json:"amount"`
	Currency string      `json:"currency"`
}

type order struct {
	base
	Placed  time.Time         `json:"placed"`
	Lines   []line            `json:"lines"`
	Total   *money            `json:"total"`
	Note    string            `json:"note,omitempty"`
	Paid    time.Time         `json:"paid,omitzero"`
	Labels  map[string]string `json:"labels"`
	Photo   []byte            `json:"photo"`
	Extra   json.RawMessage   `json:"extra"`
	More    *json.RawMessage  `json:"more,omitempty"`
	Any     any               `json:"any"`
	Address netip.Addr        `json:"address"`
	Weight  *big.Int          `json:"weight"`
	Size    [2]uint8          `json:"size"`
	Secret  string            `json:"-"`
	hidden  int
	Plain   bool
}

type line struct {
	Article string  `json:"article"`
	Price   float64 `json:"price"`
}

func TestForWritesTheSchema(t *testing.T) {
	raw, err := For[order]()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{` +
		`"id":{"type":"string","description":"the number on the label"},` +
		`"placed":{"type":"string","format":"date-time"},` +
		`"lines":{"type":["null","array"],"items":{"type":"object","properties":{"article":{"type":"string"},"price":{"type":"number"}},"required":["article","price"],"additionalProperties":false}},` +
		`"total":{"type":["null","object"],"properties":{"amount":{"type":"number"},"currency":{"type":"string"}},"required":["amount","currency"],"additionalProperties":false},` +
		`"note":{"type":"string"},` +
		`"paid":{"type":"string","format":"date-time"},` +
		`"labels":{"type":["null","object"],"additionalProperties":{"type":"string"}},` +
		`"photo":{"type":["null","string"],"contentEncoding":"base64"},` +
		`"extra":{"type":["null","boolean","number","string","array","object"]},"more":{"type":["null","boolean","number","string","array","object"]},"any":true,` +
		`"address":{"type":"string"},` +
		`"weight":{"type":["null","integer"]},` +
		`"size":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2},` +
		`"Plain":{"type":"boolean"}},` +
		`"required":["id","placed","lines","total","labels","photo","extra","any","address","weight","size","Plain"],"additionalProperties":false}`
	if got := canonicalJSON(t, raw); got != canonicalJSON(t, []byte(want)) {
		t.Errorf("got  %s\nwant %s", got, canonicalJSON(t, []byte(want)))
	}
	if order, want := strings.Index(string(raw), `"lines"`), strings.Index(string(raw), `"total"`); order > want {
		t.Error("the properties are not in the order of the fields")
	}
}

func canonicalJSON(t *testing.T, raw []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// What encoding/json writes for a value, the schema of its type accepts.
func TestForAcceptsWhatIsEncoded(t *testing.T) {
	full := order{
		base: base{"7"}, Placed: time.Now(), Lines: []line{{"shoe", 9.5}}, Total: &money{"12.50", "EUR"}, Note: "x", Paid: time.Now(),
		Labels: map[string]string{"a": "b"}, Photo: []byte{1, 2}, Extra: json.RawMessage(`{"x":[1]}`), Any: 5, Address: netip.MustParseAddr("::1"),
		Weight: big.NewInt(5), Size: [2]uint8{1, 255}, hidden: 1,
	}
	for _, v := range []any{
		order{Total: &money{Amount: "0"}}, full, []order{full}, map[string]*line{"a": nil, "b": {}}, line{}, struct{}{}, "x", 5, int8(-128), true,
		struct{ Stamp }{}, []string(nil), map[string][]int(nil), map[string]any{"a": 1}, (*int)(nil), [0]int{}, time.Time{}, netip.Addr{}, []byte{}, json.Number("1"), money{Amount: "1"},
	} {
		raw, err := Infer(reflect.TypeOf(v))
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		s := mustCompile(t, string(raw), Options{AssertFormat: true})
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ValidateJSON(text); err != nil {
			t.Errorf("%T: %s is not accepted by %s: %v", v, text, raw, err)
		}
	}
}

func TestForRefusesOthers(t *testing.T) {
	raw, err := For[[]line]()
	if err != nil {
		t.Fatal(err)
	}
	s := mustCompile(t, string(raw), Options{})
	for _, text := range []string{`{}`, `[{}]`, `[{"article":"a","price":"1"}]`, `[{"article":"a","price":1,"more":0}]`, `[null]`} {
		if _, err := s.ValidateJSON([]byte(text)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

type (
	loop   struct{ Next *loop }
	forest struct{ Trees []map[string]forest }
	ring   struct{ *spoke }
	spoke  struct{ Back []ring }
)

func TestForSaysWhichFieldIsTheReason(t *testing.T) {
	for want, infer := range map[string]func() (json.RawMessage, error){
		"schema.loop.Next refers back to type schema.loop; write its schema by hand, with $ref":          For[loop],
		"schema.forest.Trees[][] refers back to type schema.forest; write its schema by hand, with $ref": For[forest],
		"schema.ring.spoke.Back[] refers back to type schema.ring; write its schema by hand, with $ref":  For[ring],
		"chan int is of type chan int, which JSON does not have":                                         For[chan int],
		"struct { F []func() }.F[] is of type func(), which JSON does not have":                          For[struct{ F []func() }],
		"struct { C complex128 }.C is of type complex128, which JSON does not have":                      For[struct{ C complex128 }],
		"struct { M map[int]string }.M is a map whose keys are not strings":                              For[struct{ M map[int]string }],
	} {
		_, err := infer()
		if !errtypes.Is(err, errtypes.Invalid) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for want, infer := range map[string]func() (json.RawMessage, error){
		`.N has the option "string", which is not supported`: For[struct {
			N int `json:"n,string"`
		}],
		`.ID has the JSON name "id" of another field`: For[struct {
			Own string `json:"id"`
			base
		}],
		`.A has a jsonschema tag that is empty or begins with WORD=; it is the description`: For[struct {
			A int `jsonschema:"minimum=5"`
		}],
		`.B has a jsonschema tag that is empty or begins with WORD=; it is the description`: For[struct {
			B int `jsonschema:""`
		}],
		`.Text is embedded, but not as a part of the object; give it a field name`: For[struct{ Text }],
		`.Line is embedded, but not as a part of the object; give it a field name`: For[struct {
			Line `json:"line"`
		}],
		`.Stamp is embedded and encodes itself; give it a field name`: For[struct {
			Stamp
			Other
		}],
	} {
		_, err := infer()
		if !errtypes.Is(err, errtypes.Invalid) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

type (
	Text  string
	Line  line
	Stamp struct{ At int }
	Other struct{ At int }
)

func (Other) MarshalText() ([]byte, error) { return []byte("y"), nil }
func (Stamp) MarshalText() ([]byte, error) { return []byte("x"), nil }
