package access

import "testing"

func TestRecordTravelsInTheContext(t *testing.T) {
	r := &Record{RequestID: "a"}
	ctx := With(t.Context(), r)
	From(ctx).Route = "/x"
	if From(ctx) != r || r.Route != "/x" {
		t.Errorf("%+v", From(ctx))
	}
	From(t.Context()).Route = "lost" // must not panic
	if From(t.Context()).Route != "" {
		t.Error("records of different requests are one")
	}
}
