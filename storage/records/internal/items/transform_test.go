package items

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pair is a member of the second implementation, which does each step plainly.
type pair struct {
	name, from string
	value      json.RawMessage
}

func pairsOf(t testing.TB, raw []byte) (all []pair) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.Token()
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		p := pair{name: name.(string)}
		if err := dec.Decode(&p.value); err != nil {
			t.Fatal(err)
		}
		all = put(all, p)
	}
	return all
}

// put sets a member as JavaScript does: in its place, or at the end.
func put(all []pair, p pair) []pair {
	for i := range all {
		if all[i].name == p.name {
			all[i] = p
			return all
		}
	}
	return append(all, p)
}

func unwound(t testing.TB, record []pair, name string) (out [][]pair) {
	at := slices.IndexFunc(record, func(p pair) bool { return p.name == name })
	if at < 0 {
		return [][]pair{record}
	}
	rest := slices.Delete(slices.Clone(record), at, at+1)
	merge := func(object json.RawMessage) []pair {
		one := slices.Clone(rest)
		for _, p := range pairsOf(t, object) {
			p.from = name
			one = put(one, p)
		}
		return one
	}
	switch record[at].value[0] {
	case '{':
		return [][]pair{merge(record[at].value)}
	case '[':
		var elements []json.RawMessage
		json.Unmarshal(record[at].value, &elements)
		if len(elements) == 0 {
			return [][]pair{rest}
		}
		for _, e := range elements {
			if e[0] == '{' {
				out = append(out, merge(e))
				continue
			}
			one := slices.Clone(record)
			one[at].value = e
			out = append(out, one)
		}
		return out
	}
	return [][]pair{record}
}

func flattened(t testing.TB, name string, value json.RawMessage) (all []pair) {
	if value[0] != '{' || string(value) == "{}" {
		return []pair{{name: name, value: value}}
	}
	for _, p := range pairsOf(t, value) {
		all = append(all, flattened(t, name+"."+p.name, p.value)...)
	}
	return all
}

// plainly is the second implementation.
func plainly(t testing.TB, q Transform, item []byte) (out []string) {
	records := [][]pair{pairsOf(t, item)}
	for _, p := range records[0] {
		if q.SkipFailed && p.name == "errorInfo" && !slices.Contains([]string{"null", "false", `""`, "{}"}, string(p.value)) {
			return nil
		}
	}
	for _, name := range q.Unwind {
		var next [][]pair
		for _, r := range records {
			next = append(next, unwound(t, r, name)...)
		}
		records = next
	}
	for _, r := range records {
		var flat, picked, left []pair
		for _, p := range r {
			if !slices.Contains(q.Flatten, p.name) {
				flat = put(flat, p)
				continue
			}
			for _, f := range flattened(t, p.name, p.value) {
				f.from = p.from
				flat = put(flat, f)
			}
		}
		if picked = flat; q.Fields != nil {
			picked = nil
			for i, name := range q.Fields {
				for _, p := range flat {
					if p.name != name && p.from != name || slices.ContainsFunc(picked, func(o pair) bool { return o.from == "taken "+p.name }) {
						continue
					}
					taken := pair{p.name, "taken " + p.name, p.value}
					if q.Output != nil && p.name == name {
						taken.name = q.Output[i]
					}
					picked = append(picked, taken)
				}
			}
		}
		for _, p := range picked {
			original := strings.TrimPrefix(p.from, "taken ")
			if q.Fields == nil {
				original = p.name
			}
			if !slices.Contains(q.Omit, original) {
				left = put(left, p)
			}
		}
		if q.SkipHidden {
			left = slices.DeleteFunc(left, func(p pair) bool { return strings.HasPrefix(p.name, "#") })
		}
		if q.SkipEmpty && len(left) == 0 {
			continue
		}
		var texts []string
		for _, p := range left {
			name, _ := json.Marshal(p.name)
			texts = append(texts, string(name)+":"+string(p.value))
		}
		out = append(out, "{"+strings.Join(texts, ",")+"}")
	}
	return out
}

func transformed(t testing.TB, q Transform, item []byte) (out []string) {
	t.Helper()
	q.Prepare()
	if err := q.Each(item, func(record []Field) error {
		out = append(out, string(AppendRecord(nil, record)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

var names = []string{"a", "b", "c", "#d", "a.b", "url", "errorInfo"}

func randomValue(r *rand.Rand, depth int) string {
	switch n := r.IntN(9); {
	case n < 3 && depth > 0:
		return randomObject(r, depth-1)
	case n < 5 && depth > 0:
		var all []string
		for range r.IntN(4) {
			all = append(all, randomValue(r, depth-1))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	return []string{"1", "-2.50", `"x"`, `""`, "null", "true", "{}", "[]"}[r.IntN(8)]
}

func randomObject(r *rand.Rand, depth int) string {
	var all []string
	for range r.IntN(5) {
		all = append(all, fmt.Sprintf("%q:%s", names[r.IntN(len(names))], randomValue(r, depth)))
	}
	return "{" + strings.Join(all, ",") + "}"
}

func randomNames(r *rand.Rand) (some []string) {
	for _, i := range r.Perm(len(names))[:r.IntN(4)] {
		some = append(some, names[i])
	}
	return some
}

func randomTransform(r *rand.Rand) Transform {
	q := Transform{
		SkipFailed: r.IntN(4) == 0, Unwind: randomNames(r), Flatten: randomNames(r), Fields: randomNames(r), Omit: randomNames(r),
		SkipHidden: r.IntN(3) == 0, SkipEmpty: r.IntN(3) == 0,
	}
	if q.Fields != nil && r.IntN(2) == 0 {
		q.Output = slices.Clone(q.Fields)
		for i := range q.Output {
			q.Output[i] = []string{"x", "y", "a", "#z"}[r.IntN(4)]
		}
	}
	return q
}

func TestItemsAreTransformedAsTheSecondImplementationDoes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		q, item := randomTransform(r), randomObject(r, 3)
		got, want := transformed(t, q, []byte(item)), plainly(t, q, []byte(item))
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n%s\ngot  %q\nwant %q", q, item, got, want)
		}
	}
}

func TestEachStepOfATransform(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		q          Transform
		item, want string
	}{
		{Transform{}, `{"b":1,"a":2}`, `{"b":1,"a":2}`},
		{Transform{Unwind: []string{"r"}}, `{"u":1,"r":[{"x":1},{"x":2,"u":3},5]}`, `{"u":1,"x":1} {"u":3,"x":2} {"u":1,"r":5}`},
		{Transform{Unwind: []string{"r"}}, `{"u":1,"r":[]}`, `{"u":1}`},
		{Transform{Unwind: []string{"r"}}, `{"r":{"x":1},"u":1}`, `{"u":1,"x":1}`},
		{Transform{Unwind: []string{"r"}}, `{"r":"text"}`, `{"r":"text"}`},
		{Transform{Unwind: []string{"r", "x"}}, `{"r":[{"x":[1,2]},{"x":3}]}`, `{"x":1} {"x":2} {"x":3}`},
		{Transform{Flatten: []string{"a"}}, `{"z":1,"a":{"b":{"c":1},"d":[{"e":1}]},"y":2}`, `{"z":1,"a.b.c":1,"a.d":[{"e":1}],"y":2}`},
		{Transform{Fields: []string{"c", "a"}}, `{"a":1,"b":2,"c":3}`, `{"c":3,"a":1}`},
		{Transform{Fields: []string{"url", "r"}, Unwind: []string{"r"}}, `{"r":[{"x":1}],"b":1,"url":"u"}`, `{"url":"u","x":1}`},
		{Transform{Fields: []string{"a", "b"}, Omit: []string{"a"}}, `{"a":1,"b":2}`, `{"b":2}`},
		{Transform{Fields: []string{"a", "b"}, Output: []string{"x", "y"}}, `{"b":2,"a":1}`, `{"x":1,"y":2}`},
		{Transform{SkipHidden: true, SkipEmpty: true}, `{"#a":1}`, ``},
		{Transform{SkipHidden: true}, `{"#a":1,"b":{"#c":1}}`, `{"b":{"#c":1}}`},
		{Transform{SkipFailed: true}, `{"errorInfo":{"m":1}}`, ``},
		{Transform{SkipFailed: true}, `{"errorInfo":null}`, `{"errorInfo":null}`},
		{Transform{Omit: []string{"x"}}, `{"n":1.50e3,"t":"\u00e9\/"}`, `{"n":1.50e3,"t":"\u00e9\/"}`},
	} {
		if got := strings.Join(transformed(t, test.q, []byte(test.item)), " "); got != test.want {
			t.Errorf("%+v of %s: %s, want %s", test.q, test.item, got, test.want)
		}
	}
}
