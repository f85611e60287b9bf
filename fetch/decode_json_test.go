package fetch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
)

type stoolForSale struct {
	Name   string  `json:"name"`
	Price  float64 `json:"price"`
	Weight float64 `json:"weight"`
	Maker  string  `json:"maker"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	s, url := open(t, fetch.Config{}), serve(t, page("text/html", stool))
	whole := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(strings.Replace(stoolSchema, `"name","maker","year"`, `"name"`, 1))})
	want := stoolForSale{Name: "Stool", Price: 64, Weight: 3.5}
	if got, err := fetch.Decode[stoolForSale](whole); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := fetch.Decode[map[string]any](whole); err != nil || got["price"] != 64.0 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := fetch.Decode[[]stoolForSale](whole); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "[]fetch_test.stoolForSale") {
		t.Errorf("another type: %v", err)
	}
	part := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema)})
	if got, err := fetch.Decode[stoolForSale](part); !errtypes.Is(err, errtypes.Conflict) || !strings.HasSuffix(err.Error(), ": /maker, /year") || got != want {
		t.Errorf("a page that leaves something out: %+v, %v", got, err)
	}
	for _, format := range []fetch.Format{fetch.Raw, fetch.Markdown} {
		_, err := fetch.Decode[stoolForSale](get(t, s, url, fetch.Options{Format: format}))
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), string(format)) {
			t.Errorf("%s: %v", format, err)
		}
	}
}
