package fetch_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/clock"
)

func TestAPageThatIsThereIsConvertedAsOneThatIsFetched(t *testing.T) {
	t.Parallel()
	s := open(t, fetch.Config{})
	url := serve(t, page("text/html; charset=utf-8", stool))
	for _, o := range []fetch.Options{
		{}, {Format: fetch.Markdown}, {Format: fetch.JSON, Schema: json.RawMessage(stoolSchema), Explain: true},
		{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema), OnlyMainContent: true},
	} {
		want := get(t, s, url, o)
		got, err := s.Convert(t.Context(), fetch.Page{URL: want.URL, HTML: stool}, o)
		if err != nil {
			t.Fatal(err)
		}
		want.ID, want.StatusCode, want.Headers = got.ID, 0, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: %s", o, diff)
		}
	}
	for field, c := range map[string]struct {
		page fetch.Page
		o    fetch.Options
	}{
		"url":    {fetch.Page{URL: "http://[::1"}, fetch.Options{}},
		"schema": {fetch.Page{}, fetch.Options{Format: fetch.JSON}},
		"format": {fetch.Page{}, fetch.Options{Format: "pdf"}},
	} {
		_, err := s.Convert(t.Context(), c.page, c.o)
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != field || fetch.ErrorID(err) == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestAConversionHasTheTimeOfItsCaller(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	s := open(t, fetch.Config{Clock: c, Extractor: func(ctx context.Context, q fetch.Question) (json.RawMessage, error) {
		c.Advance(time.Hour)
		return json.RawMessage(`{"/maker":"Ann"}`), ctx.Err()
	}})
	a, err := s.Convert(t.Context(), fetch.Page{HTML: stool}, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema)})
	if err != nil || a.Content != `{"name":"Stool","price":64,"weight":3.5,"maker":"Ann"}` {
		t.Errorf("%+v, %v", a, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	if _, err := s.Convert(ctx, fetch.Page{HTML: stool}, fetch.Options{Format: fetch.Markdown}); err == nil {
		t.Error("a caller that has gone gets a page")
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Convert(t.Context(), fetch.Page{}, fetch.Options{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("after the end: %v", err)
	}
}
