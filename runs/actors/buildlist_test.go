package actors

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
)

// Pages that are read while builds come are those of one list, to which the new ones
// are added at its end.
func TestBuildsAreListedWhileOthersStart(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{idle: true})
	actors := []Actor{w.newActor(t, "one", plain), w.newActor(t, "two", plain)}
	begun := make(chan error, 40)
	for i := range cap(begun) {
		go func() {
			_, err := w.Build(t.Context(), actors[i%2].ID, CreateBuild{Version: "0.1"})
			begun <- err
		}()
	}
	var read []Build
	for range cap(begun) {
		if err := <-begun; err != nil {
			t.Error(err)
		}
		l := must(w.ListBuilds(t.Context(), "", Filter{Offset: len(read), Limit: 3}))(t)
		read = append(read, l.Items...)
	}
	all := must(w.ListBuilds(t.Context(), "", Filter{}))(t)
	if all.Total != 40 || !slices.EqualFunc(read, all.Items, func(a, b Build) bool { return a.ID == b.ID }) {
		t.Fatalf("%d builds, %d read", all.Total, len(read))
	}
	if !slices.IsSortedFunc(all.Items, func(a, b Build) int { return a.StartedAt.Compare(b.StartedAt) }) {
		t.Error("not in the order of their starts")
	}
	newest := must(w.ListBuilds(t.Context(), "", Filter{Desc: true, Offset: 1, Limit: 2}))(t)
	if newest.Items[0].ID != all.Items[38].ID || newest.Items[1].ID != all.Items[37].ID {
		t.Errorf("%+v", newest)
	}
	for _, a := range actors {
		l := must(w.ListBuilds(t.Context(), a.ID, Filter{}))(t)
		if l.Total != 20 || slices.ContainsFunc(l.Items, func(b Build) bool { return b.ActorID != a.ID }) || l.Items[19].Number != "0.1.20" {
			t.Errorf("%+v", l)
		}
	}
	for _, f := range []Filter{{Offset: -1}, {Limit: -1}, {Limit: 1001}} {
		_, err := w.ListBuilds(t.Context(), "", f)
		fails(t, err, errtypes.Invalid, "", "")
	}
	if l := must(w.ListBuilds(t.Context(), "", Filter{Offset: 100}))(t); l.Total != 40 || len(l.Items) != 0 {
		t.Errorf("%+v", l)
	}
}

// The clock that goes back puts nothing before what was there.
func TestBuildsStayInTheirOrderWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{idle: true})
	a := w.newActor(t, "actor", plain)
	first := w.begin(t, a)
	ahead := storage.Millis(time.Now().Add(time.Hour))
	if err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE builds SET created_at = $1`, ahead)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	second := w.begin(t, a)
	if storage.Millis(second.StartedAt) != ahead {
		t.Errorf("%v", second.StartedAt)
	}
	if l := must(w.ListBuilds(t.Context(), "", Filter{}))(t); l.Items[0].ID != first.ID || l.Items[1].ID != second.ID {
		t.Errorf("%+v", l)
	}
}

// manyBuilds fills a project with ended builds of two Actors.
func manyBuilds(t testing.TB, w *building, n int) Actor {
	t.Helper()
	a, b := w.newActor(t, "one", plain), w.newActor(t, "two", plain)
	for from := 0; from < n; from += 5000 {
		err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			for i := from; i < min(from+5000, n); i++ {
				owner := a.ID
				if i%2 == 1 {
					owner = b.ID
				}
				if _, err := tx.Exec(ctx, `INSERT INTO builds (id, project_id, kind, owner_id, status, request, source_blob, result, created_at, updated_at, expires_at, started_at, ended_at, number, meta, place)
					VALUES ($1, $2, 'actor', $3, 'SUCCEEDED', $4, '', '{}', $5, $5, $5, $5, $5, $6, $7, $8)`,
					fmt.Sprintf("b%016d", i), a.ProjectID, owner, `{"Version":"0.1","Tag":"latest"}`, 1_700_000_000_000+int64(i)*1000, 100_001+i,
					`{"Origin":"API","ClientIP":"127.0.0.1","UserAgent":"`+strings.Repeat("a", 60)+`"}`, i+1); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// BenchmarkList100000Builds reads pages of 1000 at any place of a list of 100,000.
func BenchmarkList100000Builds(b *testing.B) {
	w := yarded(b, yard{dir: b.TempDir(), idle: true})
	a := manyBuilds(b, w, 100_000)
	for _, c := range []struct {
		name, actor string
		desc        bool
		limit       int
	}{{"project/1000", "", false, 1000}, {"project/1000/desc", "", true, 1000}, {"actor/1000", a.ID, false, 1000}, {"project/20", "", false, 20}} {
		b.Run(c.name, func(b *testing.B) {
			total := 100_000
			if c.actor != "" {
				total = 50_000
			}
			var slowest time.Duration
			for b.Loop() {
				begun := time.Now()
				l := must(w.ListBuilds(b.Context(), c.actor, Filter{Offset: rand.IntN(total - c.limit), Limit: c.limit, Desc: c.desc}))(b)
				slowest = max(slowest, time.Since(begun))
				if l.Total != total || len(l.Items) != c.limit {
					b.Fatalf("%d of %d", len(l.Items), l.Total)
				}
			}
			b.ReportMetric(float64(slowest)/1e6, "slowest-ms")
		})
	}
}

// Any page is right, wherever it is, also after some builds are gone.
func TestEveryPageOfALongList(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a long list is made")
	w := yarded(t, yard{idle: true})
	manyBuilds(t, w, 5000)
	if err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM builds WHERE place % 7 = 0 OR place BETWEEN 600 AND 1300`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 5000 {
		if place := i + 1; place%7 != 0 && (place < 600 || place > 1300) {
			want = append(want, fmt.Sprintf("b%016d", i))
		}
	}
	for _, desc := range []bool{false, true} {
		for offset := 0; offset < len(want)+100; offset += 97 {
			l := must(w.ListBuilds(t.Context(), "", Filter{Offset: offset, Limit: 100, Desc: desc}))(t)
			rest := want[min(offset, len(want)):]
			rest = rest[:min(100, len(rest))]
			if l.Total != len(want) || len(l.Items) != len(rest) {
				t.Fatalf("%d: %d of %d", offset, len(l.Items), l.Total)
			}
			for i, b := range l.Items {
				if b.ID != rest[i] {
					t.Fatalf("%d: %s, not %s", offset+i, b.ID, rest[i])
				}
			}
		}
		slices.Reverse(want)
	}
}

// BenchmarkBuild builds an Actor that needs no package.
func BenchmarkBuild(b *testing.B) {
	w := yarded(b, yard{dir: b.TempDir()})
	a := w.newActor(b, "actor", plain)
	w.finished(b, w.begin(b, a)) // what is asked of Node.js once
	for b.Loop() {
		w.finished(b, w.begin(b, a))
	}
}
