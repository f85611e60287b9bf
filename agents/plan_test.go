package agents

import (
	"testing"

	"github.com/drover-go/drover/storage/storagetest"
)

func TestQueriesNeitherScanNorSort(t *testing.T) {
	db := storagetest.Open(t)
	storagetest.SearchesOnly(t, db, "list", listQuery)
	storagetest.SearchesOnly(t, db, "get", `SELECT `+columns+` FROM agents WHERE id = $1 AND project_id = $2`)
}
