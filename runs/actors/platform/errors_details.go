package platform

import (
	"errors"
	"strconv"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/records"
)

// invalidItemsJSON says which items of a push do not match the schema.
type invalidItemsJSON struct {
	Items []invalidItemJSON `json:"invalidItems"`
}

type invalidItemJSON struct {
	Position int             `json:"itemPosition"`
	Errors   []itemErrorJSON `json:"validationErrors"`
}

type itemErrorJSON struct {
	InstancePath string         `json:"instancePath"`
	SchemaPath   string         `json:"schemaPath"`
	Keyword      string         `json:"keyword"`
	Params       map[string]any `json:"params"`
	Message      string         `json:"message"`
}

// detailsOf is what an error says for programs; nil for nothing.
func detailsOf(err error) any {
	var invalid *records.InvalidItems
	if !errors.As(err, &invalid) {
		return nil
	}
	return invalidItemsJSON{api.Each(invalid.Items, func(i records.InvalidItem) invalidItemJSON {
		of := "/" + strconv.Itoa(i.Position) // the schema is of the array of all items
		return invalidItemJSON{i.Position, api.Each(i.Errors, func(e records.ItemError) itemErrorJSON {
			return itemErrorJSON{of + e.InstancePath, e.SchemaPath, e.Keyword, e.Params, e.Message}
		})}
	})}
}
