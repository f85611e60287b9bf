package runs

import (
	"testing"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestQueriesNeitherScanNorSort(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	queries := map[string]string{"messages": messagesQuery, "first end": firstEndQuery, "ended": endedQuery, "get": `SELECT ` + columns + ` FROM agent_runs WHERE id = $1 AND project_id = $2`}
	for name, f := range map[string]Filter{
		"list": {}, "list by status": {Status: Failed}, "list by agent": {AgentID: "a"}, "list by both": {Status: Failed, AgentID: "a"},
	} {
		queries[name], _ = listQuery("p", f, keyset.Window{})
	}
	for name, query := range queries {
		storagetest.SearchesOnly(t, db, name, query)
	}
}
