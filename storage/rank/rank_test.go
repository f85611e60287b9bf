package rank

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

const schema = `
CREATE TABLE things (list TEXT NOT NULL, number INTEGER NOT NULL, status TEXT NOT NULL, PRIMARY KEY (list, number)) STRICT;
CREATE INDEX things_by_status ON things (list, status, number);
CREATE TABLE thing_ranks (list TEXT NOT NULL, block INTEGER NOT NULL, class TEXT NOT NULL, items INTEGER NOT NULL, PRIMARY KEY (list, block, class)) STRICT, WITHOUT ROWID;
CREATE TRIGGER things_come AFTER INSERT ON things BEGIN
	INSERT INTO thing_ranks (list, block, class, items) VALUES (NEW.list, NEW.number >> 9, NEW.status, 1)
		ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
END;
CREATE TRIGGER things_go AFTER DELETE ON things BEGIN
	UPDATE thing_ranks SET items = items - 1 WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status;
	DELETE FROM thing_ranks WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status AND items = 0;
END;
CREATE TRIGGER things_change AFTER UPDATE OF status ON things WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO thing_ranks (list, block, class, items) VALUES (NEW.list, NEW.number >> 9, NEW.status, 1)
		ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
	UPDATE thing_ranks SET items = items - 1 WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status;
	DELETE FROM thing_ranks WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status AND items = 0;
END;`

const ranks Table = "thing_ranks"

func write(t testing.TB, db *storage.DB, query string, args ...any) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// page reads a page as domains do.
func page(t testing.TB, db *storage.DB, query Query) (numbers []int64, p Page) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) (err error) {
		if p, err = ranks.Find(ctx, q, query); err != nil || p.Limit == 0 {
			return err
		}
		order := ""
		if query.Desc {
			order = " DESC"
		}
		where, args := In("status", query.Classes, query.List, p.From, p.To, p.Limit, p.Skip)
		numbers, err = storage.Collect(ctx, q, storage.Column[int64],
			`SELECT number FROM things WHERE list = $1 AND number BETWEEN $2 AND $3`+where+` ORDER BY number`+order+` LIMIT $4 OFFSET $5`, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return numbers, p
}

// model is what a list is, by number.
type model map[int64]string

func (m model) page(q Query) (numbers []int64, total int) {
	for n, status := range m {
		if len(q.Classes) == 0 || slices.Contains(q.Classes, status) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	if q.Desc {
		slices.Reverse(numbers)
	}
	total = len(numbers)
	from := min(q.Offset, total)
	return numbers[from:min(from+q.Limit, total)], total
}

func TestPagesAreThoseOfAModel(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		r := rand.New(rand.NewPCG(1, 2))
		write(t, db, schema)
		statuses := []string{"READY", "RUNNING", "SUCCEEDED", "FAILED"}
		lists := map[string]model{"a": {}, "b": {}}
		err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			for range 6000 {
				list, status := []string{"a", "b"}[r.IntN(2)], statuses[r.IntN(4)]
				n, m := 1+r.Int64N(3000), lists[list]
				query := `INSERT INTO things (list, number, status) VALUES ($1, $2, $3)`
				switch _, there := m[n]; {
				case !there:
					m[n] = status
				case r.IntN(2) == 0:
					m[n], query = status, `UPDATE things SET status = $3 WHERE list = $1 AND number = $2`
				default:
					delete(m, n)
					query = `DELETE FROM things WHERE list = $1 AND number = $2 AND status <> $3`
					status = "none"
				}
				if _, err := tx.Exec(ctx, query, list, n, status); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			q := Query{List: []string{"a", "b", "none"}[r.IntN(3)], Offset: r.IntN(2200), Limit: 1 + r.IntN(1000), Desc: r.IntN(2) == 0}
			q.Classes = statuses[:r.IntN(3)]
			want, total := lists[q.List].page(q)
			got, p := page(t, db, q)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || p.Total != total || p.Limit != len(want) {
				t.Fatalf("%+v: %+v of %d\n%s", q, p, total, diff)
			}
			if p.Skip >= 512 {
				t.Errorf("%+v leaves out %d", q, p.Skip)
			}
		}
	})
}

func TestAListThatBecomesEmptyLeavesNothing(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	write(t, db, schema)
	fill(t, db, 1500)
	write(t, db, `DELETE FROM things`)
	left, err := storage.ReadOne(t.Context(), db, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM thing_ranks`))
	})
	if err != nil || left != 0 {
		t.Errorf("%d counts, %v", left, err)
	}
	if got, p := page(t, db, Query{List: "a", Limit: 10}); got != nil || p != (Page{}) {
		t.Errorf("%v %+v", got, p)
	}
}

// fill makes n things, of which every hundredth is READY.
func fill(t testing.TB, db *storage.DB, n int) {
	t.Helper()
	write(t, db, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO things (list, number, status) SELECT 'a', i, CASE i % 100 WHEN 0 THEN 'READY' ELSE 'SUCCEEDED' END FROM n`, n)
}

func TestPagesAreSearchedFor(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	write(t, db, schema)
	for _, order := range []string{"", " DESC"} {
		storagetest.SearchesOnly(t, db, "a page"+order, `SELECT number FROM things WHERE list = $1 AND number BETWEEN $2 AND $3 ORDER BY number`+order+` LIMIT $4 OFFSET $5`)
	}
	storagetest.SearchesOnly(t, db, "blocks", `SELECT block, sum(items) FROM thing_ranks WHERE list = $1 GROUP BY block ORDER BY block`)
}

func BenchmarkPage(b *testing.B) {
	db := storagetest.OpenFile(b)
	write(b, db, schema)
	fill(b, db, 100_000)
	for _, c := range []struct {
		classes []string
		offset  int
	}{
		{nil, 0}, {nil, 50_000}, {nil, 99_000},
		{[]string{"READY"}, 0}, {[]string{"READY"}, 900}, {[]string{"READY", "SUCCEEDED"}, 99_000},
	} {
		b.Run(fmt.Sprintf("%d of %v", c.offset, c.classes), func(b *testing.B) {
			for b.Loop() {
				page(b, db, Query{List: "a", Classes: c.classes, Offset: c.offset, Limit: 1000})
			}
		})
	}
}
