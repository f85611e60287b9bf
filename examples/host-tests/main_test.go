package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/storage/records"
)

// Everything is real but the shop, which is on loopback. No browser is needed.
func TestPrices(t *testing.T) {
	t.Parallel()
	site, d := drovertest.NewSite(t), drovertest.New(t, drover.Options{})
	h := prices(d.Drover, site.URL)
	for path, want := range map[string]string{
		"/prices/post-rack": `{"name":"Post rack","price":29.75}`,
		"/prices/nothing":   `the page does not say what the schema requires: /price`,
	} {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		if got := answer.Body.String(); got != want+"\n" {
			t.Errorf("%s: %d %s", path, answer.Code, got)
		}
	}
}

// A dataset without a name is deleted when nobody has used it for a week, which passes at
// once.
func TestWhatNobodyUsesGoes(t *testing.T) {
	t.Parallel()
	d := drovertest.New(t, drover.Options{RecordRetention: 7 * 24 * time.Hour})
	dataset, _, err := d.Records.Create(t.Context(), records.Dataset, records.New{})
	for err == nil {
		d.Clock.Advance(8 * 24 * time.Hour)
		_, err = d.Records.Get(t.Context(), records.Dataset, dataset.ID)
	}
}
