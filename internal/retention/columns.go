package retention

import (
	"context"
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Columns are where rows name the blobs of a store: each a table and a column of
// keys, such as "downloads.blob". They say which blobs belong to nothing, and
// which ones a backup of the rows needs.
type Columns []string

var columnForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,63}$`)

// Validate refuses what is no name of a column, for a list that comes from
// outside. Error kind Invalid.
func (c Columns) Validate() error {
	for _, one := range c {
		if !columnForm.MatchString(one) {
			return errtypes.Field("columns", "must be a table and a column, as in downloads.blob")
		}
	}
	return nil
}

// Named reports whether a row names a blob.
func (c Columns) Named(ctx context.Context, q storage.Querier, key string) (bool, error) {
	return storage.Column[bool](q.QueryRow(ctx, c.NamedQuery(), key))
}

// NamedQuery asks whether a row names the blob $1.
func (c Columns) NamedQuery() string {
	return "SELECT " + c.each(" OR ", func(table, column string) string {
		return "EXISTS (SELECT 1 FROM " + table + " WHERE " + column + " = $1)"
	})
}

// AllQuery asks for the keys of all blobs that rows name, each once, in the order
// of their bytes.
func (c Columns) AllQuery() string {
	return c.each(" UNION ", func(table, column string) string {
		return "SELECT " + column + " FROM " + table + " WHERE " + column + " IS NOT NULL AND " + column + " <> ''"
	}) + " ORDER BY 1"
}

func (c Columns) each(between string, query func(table, column string) string) string {
	var all []string
	for _, one := range c {
		table, column, _ := strings.Cut(one, ".")
		all = append(all, query(table, column))
	}
	return strings.Join(all, between)
}
