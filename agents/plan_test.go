package agents

import (
	"context"
	"strings"
	"testing"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestQueriesNeitherScanNorSort(t *testing.T) {
	db := storagetest.Open(t)
	for name, query := range map[string]string{
		"list": listQuery,
		"get":  `SELECT ` + columns + ` FROM agents WHERE id = $1 AND project_id = $2`,
	} {
		plan := queryPlan(t, db, query)
		if !strings.Contains(plan, "SEARCH") || strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", name, plan)
		}
	}
}

func queryPlan(t *testing.T, db *storage.DB, query string) string {
	t.Helper()
	args := make([]any, strings.Count(query, "$"))
	scan := func(s storage.Scanner) (detail string, err error) {
		var id, parent, unused int
		return detail, s.Scan(&id, &parent, &unused, &detail)
	}
	var lines []string
	err := db.Read(t.Context(), func(ctx context.Context, q storage.Querier) (err error) {
		lines, err = storage.Collect(ctx, q, scan, `EXPLAIN QUERY PLAN `+query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
