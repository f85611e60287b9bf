package platform

import (
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// displayJSON is how a task that is public is to be shown.
type displayJSON struct {
	PublishedAt    *api.Time `json:"publishedAt"`
	SEOTitle       *string   `json:"seoTitle"`
	SEODescription *string   `json:"seoDescription"`
	Categorization *string   `json:"categorization"`
	Fields         []string  `json:"inputSchemaFields"`
	DatasetName    *string   `json:"datasetName"`
	DatasetView    *string   `json:"datasetView"`
}

func displayOut(d *actors.Display) *displayJSON {
	if d == nil {
		return nil
	}
	return &displayJSON{
		api.OptionalTime(d.PublishedAt), api.OrNull(d.SEOTitle), api.OrNull(d.SEODescription), api.OrNull(d.Categorization), d.Fields,
		api.OrNull(d.DatasetName), api.OrNull(d.DatasetView),
	}
}

// displayIn changes what is given of a display; null takes it away.
func displayIn(to **actors.Display) strictjson.Value {
	var d actors.Display
	if *to != nil {
		d = **to
	}
	var fields []string
	return strictjson.OrNull(strictjson.Then(strictjson.Open(strictjson.Fields{
		"seoTitle": textIn(&d.SEOTitle), "seoDescription": textIn(&d.SEODescription), "categorization": textIn(&d.Categorization),
		"datasetName": textIn(&d.DatasetName), "datasetView": textIn(&d.DatasetView),
		"inputSchemaFields": strictjson.OrNull(strictjson.Then(strictjson.Texts(&fields), func() { d.Fields = fields }), func() { d.Fields = nil }),
	}), func() { *to = &d }), func() { *to = nil })
}
