package platform

import (
	"github.com/drover-go/drover/internal/wire/request"
)

// pageJSON is a page of a list (wire-v2, 1 and 3).
type pageJSON[T any] struct {
	Total  int  `json:"total"`
	Offset int  `json:"offset"`
	Limit  int  `json:"limit"`
	Desc   bool `json:"desc"`
	Count  int  `json:"count"`
	Items  []T  `json:"items"`
}

// most bounds numbers of queries for which a domain has no bounds, or clamps.
const most = 1 << 53

// pageIn are the parameters that all lists have.
func pageIn(q *request.Query) (offset, limit int, desc bool) {
	return q.Int("offset", 0, most), q.Int("limit", 0, most), q.Flag("desc")
}
