package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

// deep is an object that has an array of some bytes below as many long names as
// may be nested. It takes 9 KB of a compressed body.
func deep(depth, size int) []byte {
	var b strings.Builder
	b.WriteString(`{"shape":`)
	b.WriteString(strings.Repeat(`{"`+strings.Repeat("n", 64)+`":`, depth))
	b.WriteString("[1" + strings.Repeat(",1", size/2) + "]")
	b.WriteString(strings.Repeat("}", depth+1))
	return []byte(b.String())
}

const deepest = DefaultMaxDepth - 2 // beside the object and the array

func decodeDeep(tb testing.TB, data []byte) {
	var shape json.RawMessage
	if err := Decode(data, Options{}, Closed(Fields{"shape": RawObject(&shape)})); err != nil {
		tb.Fatal(err)
	}
}

// What reading costs must go by the size of a text, whatever stands above its
// values: else a small body keeps a processor busy for a minute.
func TestCostIsLinear(t *testing.T) {
	const size = 1 << 20
	for _, elements := range []bool{true, false} {
		data := deep(deepest, size)
		if !elements { // the same, of members
			data = []byte(strings.Replace(string(data), "[1", `[{"a":1}`, 1))
			data = []byte(strings.ReplaceAll(string(data), ",1,1,1,1", `,{"a":1}`))
		}
		got := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				decodeDeep(b, data)
			}
		})
		// What is kept, and a map and a link for each object.
		if limit := int64(40 * len(data)); got.AllocedBytesPerOp() > limit {
			t.Errorf("elements %v: %d bytes are allocated for a text of %d", elements, got.AllocedBytesPerOp(), len(data))
		}
	}
}

func BenchmarkDecodeDeep(b *testing.B) {
	data := deep(deepest, 9_400_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		decodeDeep(b, data)
	}
}
