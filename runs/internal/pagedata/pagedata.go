// Package pagedata gives models the data that a page shows: its tables, lists,
// labelled values and headings.
package pagedata

import (
	"github.com/drover-go/drover/fetch/extract/shown"
	"github.com/drover-go/drover/internal/pagedata"
)

// What a page shows.
type (
	Data    = pagedata.Data
	Heading = pagedata.Heading
	Value   = pagedata.Value
	Part    = pagedata.Part
	Table   = pagedata.Table
	Cell    = pagedata.Cell
	Options = shown.Options
)

// The parts; the zero one is the page proper.
const (
	Footer     = pagedata.Footer
	Aside      = pagedata.Aside
	Navigation = pagedata.Navigation
	Related    = pagedata.Related
)

// Parse reads the data of a document.
func Parse(document string, o Options) (Data, error) { return shown.Data(document, o) }

// Text returns the visible text of a document, a line for each block.
func Text(document string) (string, error) { return shown.Text(document) }
