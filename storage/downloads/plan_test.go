package downloads

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/storage/storagetest"
)

func TestQueriesNeitherScanNorSort(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	size := new(int64)
	for filters := range 1 << 6 {
		q := Query{SessionID: "s"}
		if filters&1 != 0 {
			q.Filename = "x"
		}
		if filters&2 != 0 {
			q.MIMEType = "x"
		}
		if filters&4 != 0 {
			q.MinSize = size
		}
		if filters&8 != 0 {
			q.MaxSize = size
		}
		if filters&16 != 0 {
			q.CreatedAfter = time.Unix(1, 0)
		}
		if filters&32 != 0 {
			q.CreatedBefore = time.Unix(1, 0)
		}
		storagetest.SearchesOnly(t, db, fmt.Sprintf("list with filters %06b", filters), pageStatement("p", q).text)
		storagetest.SearchesOnly(t, db, fmt.Sprintf("total with filters %06b", filters), totalStatement("p", q).text)
	}
	for name, query := range map[string]string{
		"get": findQuery, "all": ofSessionQuery, "named": blobColumns.NamedQuery(), "oldest": oldestQuery, "usage": usageQuery, "delete": deleteOne,
		"delete old ones": deleteOldQuery, "delete those of a session": deleteOfQuery,
	} {
		storagetest.SearchesOnly(t, db, name, query)
	}
}

// The plan of a list names the index that was made for it.
func TestFiltersHaveAnIndexOfTheirOwn(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	for index, q := range map[string]Query{
		"downloads_newest": {CreatedAfter: time.Unix(1, 0)}, "downloads_by_filename": {Filename: "x"}, "downloads_by_mime_type": {MIMEType: "x"},
	} {
		if plan := storagetest.QueryPlan(t, db, pageStatement("p", q).text); !strings.Contains(plan, index) {
			t.Errorf("%s:\n%s", index, plan)
		}
	}
}
