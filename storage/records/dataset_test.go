package records

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage/storagetest"
)

func (w *world) push(t testing.TB, dataset, items string) {
	t.Helper()
	done(t, w.Push(t.Context(), dataset, []byte(items)))
}

// all returns the records that a query selects.
func (w *world) all(t testing.TB, dataset string, q ItemsQuery) (all []string) {
	t.Helper()
	for item, err := range must(w.Items(t.Context(), dataset, q))(t).All(t.Context()) {
		done(t, err)
		all = append(all, string(item))
	}
	return all
}

func TestItemsComeBackAsTheyWerePushed(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id := w.make(t, Dataset, "")
		large := `{"z":"` + strings.Repeat("x", inRow) + `"}`
		w.push(t, id, ` { "b" : 1.50 , "a" : "\u00e9" } `)
		w.push(t, id, `[]`)
		w.push(t, id, `[{"#h":1}, "{\"s\": 1}", {}, `+large+`, {"e":1e400}]`)
		w.push(t, id, "{\"bad\":\"\xff\"}")
		want := []string{`{"b":1.50,"a":"\u00e9"}`, `{"#h":1}`, `{"s":1}`, `{}`, large, `{"e":1e400}`, "{\"bad\":\"\ufffd\"}"}
		if got := w.all(t, id, ItemsQuery{}); !slices.Equal(got, want) {
			t.Errorf("%.300q", got)
		}
		st := w.get(t, Dataset, id)
		if st.Items != 7 || st.CleanItems != 5 || st.Stats.Writes != 7 || st.Stats.Bytes < inRow || w.files(t) != 1 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
		if want := []string{"#h", "a", "b", "bad", "e", "s", "z"}; !slices.Equal(st.Fields, want) {
			t.Errorf("%q", st.Fields)
		}
		if got := w.all(t, id, ItemsQuery{Clean: true}); len(got) != 5 {
			t.Errorf("%.300q", got)
		}
		done(t, w.Delete(t.Context(), Dataset, id))
		if w.rows(t, "dataset_chunks")+w.rows(t, "dataset_fields")+w.files(t) != 0 {
			t.Error("items of a deleted dataset are left")
		}
	})
}

func TestAPushOfSomethingWrongPushesNothing(t *testing.T) {
	each(t, Config{Limits: Limits{MaxPush: 4 * inRow}}, func(t *testing.T, w *world) {
		id := w.make(t, Dataset, "")
		large := `{"a":"` + strings.Repeat("x", inRow) + `"}`
		for items, typ := range map[string]errtypes.Type{
			"": errtypes.TypeInvalidInput, "1": errtypes.TypeInvalidInput, `"text"`: errtypes.TypeInvalidInput, `[{"a":1},2]`: errtypes.TypeInvalidInput,
			`[{"a":1},[]]`: errtypes.TypeInvalidInput, `{"a":1}{}`: errtypes.TypeInvalidInput, `[{"a":1},"[{}]"]`: errtypes.TypeInvalidInput,
			"[" + large + ",{]": errtypes.TypeInvalidInput, strings.Repeat(" ", 4*inRow+1): errtypes.TypeRequestTooLarge,
			`{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`: errtypes.TypeInvalidInput,
		} {
			fails(t, w.Push(t.Context(), id, []byte(items)), typ)
		}
		fails(t, w.Push(t.Context(), "none", []byte(large)), errtypes.TypeRecordNotFound)
		if st := w.get(t, Dataset, id); st.Items != 0 || w.rows(t, "dataset_chunks")+w.files(t) != 0 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
	})
}

// Pages are held against a slice, with chunks of all sizes.
func TestPagesOfADatasetInBothDirections(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id := w.make(t, Dataset, "")
		r := rand.New(rand.NewPCG(3, 4))
		var want []string
		for range 60 {
			var batch []string
			for range r.IntN(30) {
				batch = append(batch, fmt.Sprintf(`{"n":%d,"x":"%s"}`, len(want)+len(batch), strings.Repeat("y", r.IntN(3000))))
			}
			if r.IntN(20) == 0 {
				batch = append(batch, fmt.Sprintf(`{"n":%d,"x":"%s"}`, len(want)+len(batch), strings.Repeat("y", inRow)))
			}
			w.push(t, id, "["+strings.Join(batch, ",")+"]")
			want = append(want, batch...)
		}
		n := int64(len(want))
		for range testlevel.Of(40, 400) {
			q := ItemsQuery{Offset: r.Int64N(n + 5), Limit: r.Int64N(n), Desc: r.IntN(2) == 0}
			list := slices.Clone(want)
			if q.Desc {
				slices.Reverse(list)
			}
			list = list[min(q.Offset, n):]
			if q.Limit > 0 {
				list = list[:min(q.Limit, int64(len(list)))]
			}
			if got := w.all(t, id, q); !slices.Equal(got, list) {
				t.Fatalf("%+v: %d items, want %d", q, len(got), len(list))
			}
		}
	})
}

func TestItemsTellTheirPage(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		id := w.make(t, Dataset, "")
		w.push(t, id, `[{"a":1},{},{},{"a":2}]`)
		for _, test := range []struct {
			q                    ItemsQuery
			offset, limit, count int64
		}{
			{ItemsQuery{}, 0, NoLimit, 4},
			{ItemsQuery{Offset: 1, Limit: 2, Clean: true}, 1, 2, 2},
			{ItemsQuery{Offset: 9, Desc: true}, 9, NoLimit, 0},
		} {
			it := must(w.Items(t.Context(), id, test.q))(t)
			if it.Total != 4 || it.Offset != test.offset || it.Limit != test.limit || it.Count != test.count || it.Desc != test.q.Desc {
				t.Errorf("%+v: %+v", test.q, it)
			}
		}
		it := must(w.Items(t.Context(), id, ItemsQuery{}))(t)
		w.push(t, id, `{"later":1}`)
		n := 0
		for range it.All(t.Context()) {
			n++
		}
		if n != 4 {
			t.Errorf("%d items, with one that was pushed later", n)
		}
		done(t, w.Delete(t.Context(), Dataset, id))
		for _, err := range it.All(t.Context()) {
			fails(t, err, errtypes.TypeRecordNotFound)
		}
		for _, q := range []ItemsQuery{
			{Offset: -1}, {Limit: -1}, {OutputFields: []string{"a"}}, {Fields: []string{"a", "b"}, OutputFields: []string{"a"}}, {Omit: make([]string, maxNames+1)},
		} {
			_, err := w.Items(t.Context(), w.make(t, Dataset, ""), q)
			fails(t, err, "")
		}
	})
}

func TestDocumentsOfADataset(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		st, _, err := w.Create(t.Context(), Dataset, New{Name: "shop", Schema: []byte(
			`{"views":{"overview":{"transformation":{"fields":["name","o.x"],"flatten":["o"],"limit":1,"desc":true}}}}`)})
		done(t, err)
		w.push(t, st.ID, `[{"name":"a","o":{"x":1}},{"name":"b","o":{"x":2},"#h":3}]`)
		text := func(q ItemsQuery, o Output) string {
			var b bytes.Buffer
			done(t, must(w.Items(t.Context(), st.ID, q))(t).Write(t.Context(), &b, o))
			return b.String()
		}
		off := false
		for want, got := range map[string]string{
			"[{\"name\":\"a\",\"o\":{\"x\":1}},\n{\"name\":\"b\",\"o\":{\"x\":2},\"#h\":3}]": text(ItemsQuery{}, Output{}),
			"\ufeffname,o/x\na,1\nb,2\n":           text(ItemsQuery{SkipHidden: true}, Output{Format: CSV}),
			"#h\tname\to/x\n\ta\t1\n3\tb\t2\n":     text(ItemsQuery{}, Output{Format: CSV, Delimiter: "\t", BOM: &off}),
			"{\"name\":\"b\",\"o.x\":2}\n":         text(ItemsQuery{View: "overview"}, Output{Format: JSONL}),
			"{\"name\":\"b\"}\n{\"name\":\"a\"}\n": text(ItemsQuery{View: "overview", Fields: []string{"name"}, Limit: 5}, Output{Format: JSONL}),
			"{\"x\":1}\n{\"#h\":3,\"x\":2}\n":      text(ItemsQuery{Unwind: []string{"o"}, Omit: []string{"name"}}, Output{Format: JSONL}),
			"{}\n{}\n":                             text(ItemsQuery{Simplified: true}, Output{Format: JSONL}),
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<r>\n<i><n>a</n></i>\n</r>\n": text(ItemsQuery{Fields: []string{"name"}, OutputFields: []string{"n"}, Limit: 1}, Output{Format: XML, XMLRoot: "r", XMLRow: "i"}),
		} {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if rss := text(ItemsQuery{}, Output{Format: RSS}); !strings.Contains(rss, "<title>Dataset shop</title>\n<description>Items in dataset with id &quot;"+st.ID+"&quot;.</description>") {
			t.Error(rss)
		}
		it := must(w.Items(t.Context(), st.ID, ItemsQuery{}))(t)
		for _, o := range []Output{{Format: "pdf"}, {Format: CSV, Delimiter: "ab"}, {Format: CSV, Delimiter: `"`}} {
			fails(t, it.Write(t.Context(), &bytes.Buffer{}, o), "")
		}
		fails(t, must(w.Items(t.Context(), st.ID, ItemsQuery{Offset: 5}))(t).Write(t.Context(), &bytes.Buffer{}, Output{Format: CSV}), errtypes.TypeNoColumnsInExportedDataset)
		_, err = w.Items(t.Context(), st.ID, ItemsQuery{View: "none"})
		fails(t, err, errtypes.TypeRequestedDatasetViewDoesNotExist)
		if CSV.MediaType() != "text/csv" || Format("x").MediaType() != "" {
			t.Error("media types")
		}
	})
}

const shopSchema = `{"fields":{"type":"object","properties":{"f":{"type":"string"},"n":{"type":["number","null"]}},"required":["f"],"additionalProperties":true}}`

func TestItemsAreValidatedWithTheSchemaOfAnUnnamedDataset(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		st, _, err := w.Create(t.Context(), Dataset, New{Schema: []byte(shopSchema)})
		done(t, err)
		err = w.Push(t.Context(), st.ID, []byte(`[{"f":"x"},{"f":1},{"n":"y"}]`))
		fails(t, err, errtypes.TypeSchemaValidationError)
		bad, ok := errors.AsType[*InvalidItems](err)
		if !ok || len(bad.Items) != 2 || bad.Items[0].Position != 1 || len(bad.Items[1].Errors) != 2 {
			t.Fatalf("%+v", bad)
		}
		if e := bad.Items[0].Errors[0]; e.InstancePath != "/f" || e.SchemaPath != "/items/properties/f/type" || e.Keyword != "type" || e.Message == "" {
			t.Errorf("%+v", e)
		}
		if e := bad.Items[1].Errors[0]; e.SchemaPath != "/items/required" || e.Params["missingProperty"] != "f" {
			t.Errorf("%+v", e)
		}
		w.push(t, st.ID, `[{"f":"été","n":3,"l":[1,2]},{"f":"","n":-1.5},{"f":"x","n":null,"l":[]}]`)
		w.push(t, st.ID, `{"f":"xxxx","n":7}`)
		stats := must(w.Statistics(t.Context(), st.ID))(t)
		text := must(json.Marshal(stats))(t)
		want := `{"f":{"Min":0,"Max":4,"Nulls":0,"Empties":1},"l":{"Min":0,"Max":2,"Nulls":0,"Empties":1},"n":{"Min":-1.5,"Max":7,"Nulls":1,"Empties":0}}`
		if string(text) != want {
			t.Errorf("%s, want %s", text, want)
		}
		named, _, err := w.Create(t.Context(), Dataset, New{Name: "named", Schema: []byte(shopSchema)})
		done(t, err)
		w.push(t, named.ID, `{"f":1}`)
		if stats := must(w.Statistics(t.Context(), w.make(t, Dataset, "")))(t); stats == nil || len(stats) != 0 {
			t.Errorf("%+v", stats)
		}
		_, _, err = w.Create(t.Context(), Dataset, New{Schema: []byte(`{"fields":{"type":"nothing"}}`)})
		fails(t, err, errtypes.TypeDatasetSchemaInvalid)
	})
}

func TestSixtyFourWritersOfItemsLeaveNoGaps(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	id := w.make(t, Dataset, "")
	second := open(t, Config{DB: w.conf.DB})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			s := []*world{w, second}[i%2]
			for j := range 6 {
				if err := s.Push(t.Context(), id, fmt.Appendf(nil, `[{"w":%d,"n":%d},{"w":%d,"n":%d,"x":"%s"}]`, i, 2*j, i, 2*j+1, strings.Repeat("x", 100*j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	next := map[int]int{}
	for _, text := range w.all(t, id, ItemsQuery{}) {
		var item struct{ W, N int }
		done(t, json.Unmarshal([]byte(text), &item))
		if item.N != next[item.W] {
			t.Fatalf("writer %d: item %d, want %d", item.W, item.N, next[item.W])
		}
		next[item.W]++
	}
	if len(next) != 64 || next[63] != 12 {
		t.Errorf("%v", next)
	}
}

func TestFieldsAreToldUpToALimit(t *testing.T) {
	t.Parallel()
	w := open(t, Config{})
	id := w.make(t, Dataset, "")
	for i := range 3 {
		var item strings.Builder
		for j := range 1500 {
			fmt.Fprintf(&item, `,"f%d.%d":1`, i, j)
		}
		w.push(t, id, `{"a":1,"`+strings.Repeat("l", maxFieldName+1)+`":1`+item.String()+`}`)
	}
	if st := w.get(t, Dataset, id); len(st.Fields) != maxFields || st.Fields[0] != "a" {
		t.Errorf("%d fields", len(st.Fields))
	}
}

func TestItemsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	w := open(t, Config{})
	id := w.make(t, Dataset, "")
	w.push(t, id, `[{"a":1},{"a":2}]`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range must(w.Items(ctx, id, ItemsQuery{}))(t).All(ctx) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("%v", last)
	}
}

func TestChunksAreFoundByTheirPlace(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	for name, query := range map[string]string{"up": chunksUp, "down": chunksDown} {
		storagetest.SearchesOnly(t, db, name, query)
	}
}
