package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/storagetest"
)

// put keeps a record of text and returns it.
func (w *world) put(t testing.TB, store, key, text string) Record {
	t.Helper()
	return must(w.PutRecord(t.Context(), store, NewRecord{Key: key, ContentType: "text/plain; charset=utf-8", Content: strings.NewReader(text)}))(t)
}

func (w *world) read(t testing.TB, store, key string, codings ...string) (string, Record) {
	t.Helper()
	r, rec, err := w.OpenRecord(t.Context(), store, key, codings...)
	done(t, err)
	defer r.Close()
	data := must(io.ReadAll(r))(t)
	if int64(len(data)) != rec.Length() {
		t.Errorf("%s has %d bytes, not the %d it says", key, len(data), rec.Length())
	}
	return string(data), rec
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestARecordComesBackAsItWasPut(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		store := w.make(t, KeyValueStore, "")
		var total int64
		for i, size := range []int{0, 1, inRow, inRow + 1, 1 << 20} {
			key, text := fmt.Sprintf("a!-_.'()%d", i), strings.Repeat("x", size)
			w.put(t, store, key, text)
			total += int64(size)
			got, rec := w.read(t, store, key)
			if got != text || rec.ContentType != "text/plain; charset=utf-8" || rec.Coding != "" || !rec.ModifiedAt.Equal(noon) {
				t.Errorf("%+v, %d bytes", rec, len(got))
			}
			if head := must(w.HeadRecord(t.Context(), store, key))(t); head != rec {
				t.Errorf("%+v, want %+v", head, rec)
			}
		}
		if st := w.get(t, KeyValueStore, store); st.Items != 5 || st.Stats != (Stats{Reads: 10, Writes: 5, Bytes: total}) {
			t.Errorf("%+v", st)
		}
		if w.files(t) != 2 {
			t.Errorf("%d blobs, want those of the two large ones", w.files(t))
		}
		rec := must(w.PutRecord(t.Context(), store, NewRecord{Key: "none"}))(t)
		if rec.ContentType != "application/octet-stream" || rec.Size != 0 {
			t.Errorf("%+v", rec)
		}
	})
}

func TestAReplacedOrDeletedRecordLeavesNothing(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		store := w.make(t, KeyValueStore, "store")
		large := strings.Repeat("x", inRow+1)
		for _, text := range []string{large, large, "small", large} {
			w.put(t, store, "K", text)
			if got, _ := w.read(t, "~store", "K"); got != text {
				t.Error("another content")
			}
		}
		if st := w.get(t, KeyValueStore, store); st.Items != 1 || st.Stats.Bytes != inRow+1 || w.files(t) != 1 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
		for range 2 {
			done(t, w.DeleteRecord(t.Context(), store, "K"))
		}
		if st := w.get(t, KeyValueStore, store); st.Items != 0 || st.Stats.Bytes != 0 || st.Stats.Deletes != 2 || w.files(t) != 0 {
			t.Errorf("%+v, %d blobs", st, w.files(t))
		}
		_, _, err := w.OpenRecord(t.Context(), store, "K")
		fails(t, err, errtypes.TypeRecordNotFound)
		w.put(t, store, "K", large)
		done(t, w.Delete(t.Context(), KeyValueStore, store))
		if w.files(t) != 0 || w.rows(t, "record_values") != 0 {
			t.Error("records of a deleted store are left")
		}
	})
}

func TestARecordKeepsItsCodingForWhoAcceptsIt(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		store := w.make(t, KeyValueStore, "")
		for _, size := range []int{10, 10 * inRow} {
			text := strings.Repeat("0123456789", size/10)
			coded := zipped(text)
			put := NewRecord{Key: "K", Coding: "GZIP", Content: strings.NewReader(coded)}
			rec := must(w.PutRecord(t.Context(), store, put))(t)
			if rec.Coding != "gzip" || rec.Size != int64(size) || rec.Stored != int64(len(coded)) {
				t.Errorf("%+v", rec)
			}
			if got, rec := w.read(t, store, "K", "br", "gzip"); got != coded || rec.Coding != "gzip" {
				t.Errorf("%+v", rec)
			}
			if got, rec := w.read(t, store, "K", "br"); got != text || rec.Coding != "" {
				t.Errorf("%+v: %d bytes", rec, len(got))
			}
		}
		var b bytes.Buffer
		z := brotli.NewWriter(&b)
		io.WriteString(z, "text")
		z.Close()
		must(w.PutRecord(t.Context(), store, NewRecord{Key: "B", Coding: "br", Content: &b}))(t)
		if got, _ := w.read(t, store, "B"); got != "text" {
			t.Errorf("%q", got)
		}
		for _, coding := range []string{"identity", "gzip"} {
			if rec := must(w.PutRecord(t.Context(), store, NewRecord{Key: "E", Coding: coding}))(t); rec.Coding != "" || rec.Size != 0 {
				t.Errorf("%+v", rec)
			}
		}
	})
}

func TestWhatIsNoRecordLeavesNothing(t *testing.T) {
	each(t, Config{Limits: Limits{MaxRecord: 2 * inRow}}, func(t *testing.T, w *world) {
		store := w.make(t, KeyValueStore, "")
		broken := errors.New("broken")
		put := func(n NewRecord) error {
			_, err := w.PutRecord(t.Context(), store, n)
			return err
		}
		for _, key := range []string{"", "a/b", "ä", "a b", "a\n", strings.Repeat("x", 257)} {
			fails(t, put(NewRecord{Key: key}), errtypes.TypeInvalidRecordKey)
			_, _, err := w.OpenRecord(t.Context(), store, key)
			fails(t, err, errtypes.TypeInvalidRecordKey)
			fails(t, w.DeleteRecord(t.Context(), store, key), errtypes.TypeInvalidRecordKey)
		}
		large := strings.Repeat("x", 2*inRow+1)
		fails(t, put(NewRecord{Key: "K", Content: strings.NewReader(large)}), errtypes.TypeRecordTooLarge)
		fails(t, put(NewRecord{Key: "K", Coding: "gzip", Content: strings.NewReader(zipped(large))}), errtypes.TypeRecordTooLarge)
		fails(t, put(NewRecord{Key: "K", Coding: "gzip", Content: strings.NewReader("no gzip")}), "")
		fails(t, put(NewRecord{Key: "K", Coding: "gzip", Content: strings.NewReader(large[:inRow+5])}), "")
		fails(t, put(NewRecord{Key: "K", Coding: "bla"}), errtypes.TypeUnsupportedContentEncoding)
		if err := put(NewRecord{Key: "K", Content: io.MultiReader(strings.NewReader(large[:inRow+5]), iotest.ErrReader(broken))}); !errors.Is(err, broken) {
			t.Error(err)
		}
		_, err := w.PutRecord(t.Context(), "none", NewRecord{Key: "K", Content: iotest.ErrReader(broken)})
		fails(t, err, errtypes.TypeRecordNotFound)
		if w.files(t) != 0 || w.rows(t, "record_values") != 0 {
			t.Error("something is left")
		}
		done(t, w.Close(t.Context()))
		if err := put(NewRecord{Key: "K"}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Error(err)
		}
	})
}

func TestKeysArePagedInByteOrder(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		st, _, err := w.Create(t.Context(), KeyValueStore, New{
			Schema: []byte(`{"collections":{"screens":{"keyPrefix":"b.","contentTypes":["text/plain"]},"one":{"key":"b.2"}}}`),
		})
		done(t, err)
		for _, key := range []string{"b.2", "a", "B", "b.10", "b", "c", "_"} {
			w.put(t, st.ID, key, key)
		}
		for want, q := range map[string]KeysQuery{
			"B _ a b b.10 b.2 c >": {}, "B _ >_": {Limit: 2}, "a b >b": {Limit: 2, After: "_"}, "b.10 b.2 >": {Prefix: "b."}, "b.2 >": {Prefix: "b.", After: "b.10"},
			"b.2 c >": {After: "b.1x"}, ">": {After: "d"}, " >": {Prefix: "ä"}, "b b.10 >b.10": {Prefix: "b", Limit: 2},
			"b.10 b.2  >": {Collection: "screens"}, "b.2  >": {Collection: "one"}, "b.10  >": {Collection: "screens", Prefix: "b.1"},
		} {
			page := must(w.Keys(t.Context(), st.ID, q))(t)
			got := ""
			for _, r := range page.Records {
				if got += r.Key + " "; r.Size != int64(len(r.Key)) {
					t.Errorf("%+v", r)
				}
			}
			if got += ">" + page.Next; got != strings.TrimLeft(strings.ReplaceAll(want, "  ", " "), " ") {
				t.Errorf("%+v: %q, want %q", q, got, want)
			}
		}
		_, err = w.Keys(t.Context(), st.ID, KeysQuery{Collection: "none"})
		fails(t, err, errtypes.TypeInvalidCollection)
		_, err = w.Keys(t.Context(), st.ID, KeysQuery{Limit: -1})
		fails(t, err, "")
		_, err = w.PutRecord(t.Context(), st.ID, NewRecord{Key: "b.3", ContentType: "image/png"})
		fails(t, err, errtypes.TypeSchemaValidationError)
		if page := must(w.Keys(t.Context(), st.ID, KeysQuery{Limit: 9999}))(t); page.Limit != 1000 {
			t.Errorf("%d", page.Limit)
		}
	})
}

func TestRecordsMatchTheSchemaOfTheirCollection(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		st, _, err := w.Create(t.Context(), KeyValueStore, New{Schema: []byte(`{"collections":{"all":{"keyPrefix":"p","jsonSchema":{"type":"object","required":["a"]}}}}`)})
		done(t, err)
		put := func(key, coding, text string) error {
			_, err := w.PutRecord(t.Context(), st.ID, NewRecord{Key: key, Coding: coding, Content: strings.NewReader(text)})
			return err
		}
		large := strings.Repeat(" ", inRow)
		done(t, errors.Join(put("p1", "", `{"a":1}`), put("p2", "gzip", zipped(`{"a":1}`+large)), put("q", "", `x`)))
		for _, text := range []string{`{}`, `x`, ``, large, large + `{"a"}`} {
			fails(t, put("p1", "", text), errtypes.TypeSchemaValidationError)
			fails(t, put("p1", "gzip", zipped(text)), errtypes.TypeSchemaValidationError)
		}
		if got, _ := w.read(t, st.ID, "p1"); got != `{"a":1}` || w.files(t) != 0 {
			t.Errorf("%q, %d blobs", got, w.files(t))
		}
	})
}

func TestARecordIsReadWhileItIsReplaced(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	store := w.make(t, KeyValueStore, "")
	w.put(t, store, "K", strings.Repeat("a", inRow+1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 20 {
				w.PutRecord(ctx, store, NewRecord{Key: "K", Content: strings.NewReader(strings.Repeat(string(rune('a'+i)), inRow+1+i))})
			}
		})
		wg.Go(func() {
			for range 20 {
				r, rec, err := w.OpenRecord(ctx, store, "K")
				if err != nil {
					t.Error(err)
					return
				}
				data, err := io.ReadAll(r)
				if r.Close(); err != nil || int64(len(data)) != rec.Size || strings.Trim(string(data), string(data[:1])) != "" {
					t.Errorf("%d bytes of %d, %v", len(data), rec.Size, err)
				}
			}
		})
	}
	wg.Wait()
	if st := w.get(t, KeyValueStore, store); st.Items != 1 || w.files(t) != 1 {
		t.Errorf("%+v, %d blobs", st, w.files(t))
	}
}

func TestSixtyFourWritersOfRecords(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	store := w.make(t, KeyValueStore, "")
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for j := range 5 {
				if _, err := w.PutRecord(t.Context(), store, NewRecord{Key: fmt.Sprintf("%d.%d", i, j), Content: strings.NewReader("x")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if st := w.get(t, KeyValueStore, store); st.Items != 320 || st.Stats.Bytes != 320 {
		t.Errorf("%+v", st)
	}
}

func TestRecordsAreFoundByTheirIndexes(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	for name, query := range map[string]string{"one": findValueQuery, "keys": listValuesQuery} {
		storagetest.SearchesOnly(t, db, name, query)
	}
	plan := storagetest.QueryPlan(t, db, blobColumns.NamedQuery())
	for _, index := range []string{"record_values_blobs", "dataset_chunks_blobs", "queue_requests_blobs"} {
		if !strings.Contains(plan, index) {
			t.Errorf("%s is not used:\n%s", index, plan)
		}
	}
}
