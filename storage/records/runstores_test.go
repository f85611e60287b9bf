package records

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestTheStoresOfARunAreMadeWithIt(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, Config{DB: db})
		project := must(w.conf.Projects.Current(t.Context()))(t)
		run := NewRun{ProjectID: project.ID, ActID: ids.NewShort(), RunID: ids.NewShort()}
		for _, input := range []string{"{}", strings.Repeat("x", 100_000)} {
			run.Input = &NewRecord{Key: "INPUT", ContentType: "text/plain", Content: strings.NewReader(input)}
			r := must(w.ForRun(t.Context(), run))(t)
			done(t, db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error { return r.Make(ctx, tx) }))
			content, rec, err := w.OpenRecord(t.Context(), r.KeyValueStore, "INPUT")
			done(t, err)
			if got := string(must(io.ReadAll(content))(t)); got != input || rec.ContentType != "text/plain" {
				t.Errorf("%+v of %d bytes", rec, len(got))
			}
			done(t, content.Close())
			st := must(w.Get(t.Context(), KeyValueStore, r.KeyValueStore))(t)
			if st.ActID != run.ActID || st.ActRunID != run.RunID || st.Items != 1 || st.Stats.Bytes != int64(len(input)) {
				t.Errorf("%+v", st)
			}
			must(w.Get(t.Context(), Dataset, r.Dataset))(t)
			must(w.Get(t.Context(), RequestQueue, r.RequestQueue))(t)
		}
	})
}

func TestNothingRemainsOfARunThatWasNotMade(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.Open(t)})
	r := must(w.ForRun(t.Context(), NewRun{Input: &NewRecord{Key: "INPUT", Content: strings.NewReader(strings.Repeat("x", 100_000))}}))(t)
	r.Drop(t.Context())
	for key, err := range w.conf.Blobs.All(t.Context()) {
		t.Errorf("%v remains: %v", key, err)
	}
	_, err := w.Get(t.Context(), KeyValueStore, r.KeyValueStore)
	if !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if _, err := w.ForRun(t.Context(), NewRun{Input: &NewRecord{Key: "a/b"}}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}
