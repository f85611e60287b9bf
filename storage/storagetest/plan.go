package storagetest

import (
	"context"
	"strings"
	"testing"

	"github.com/drover-go/drover/storage"
)

// SearchesOnly fails the test if a query walks through a whole table or sorts:
// a page of a list must not cost more as the list grows.
func SearchesOnly(tb testing.TB, db *storage.DB, name, query string) {
	tb.Helper()
	plan := strings.ReplaceAll(QueryPlan(tb, db, query), "SCAN CONSTANT ROW", "CONSTANT ROW") // SELECT EXISTS (…)
	if !strings.Contains(plan, "SEARCH") || strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
		tb.Errorf("%s:\n%s", name, plan)
	}
}

// QueryPlan returns how the database would run a query, one step a line.
func QueryPlan(tb testing.TB, db *storage.DB, query string) string {
	tb.Helper()
	args := make([]any, strings.Count(query, "$"))
	scan := func(s storage.Scanner) (detail string, err error) {
		var id, parent, unused int
		err = s.Scan(&id, &parent, &unused, &detail)
		return detail, err
	}
	var lines []string
	err := db.Read(tb.Context(), func(ctx context.Context, q storage.Querier) (err error) {
		lines, err = storage.Collect(ctx, q, scan, `EXPLAIN QUERY PLAN `+query, args...)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
