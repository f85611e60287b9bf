package secrets_test

import (
	"testing"

	"github.com/drover-go/drover/runs/internal/secrets"
)

func TestWhatIsLearnedIsTakenOutToo(t *testing.T) {
	v := secrets.New(map[string]string{"key": "value-of-key"})
	before := v.Redact("value-of-key and typed-by-hand")
	v.Learn("typed_1", "typed-by-hand")
	if before != "%key% and typed-by-hand" {
		t.Error(before)
	}
	if got := v.Redact("value-of-key and typed-by-hand"); got != "%key% and %typed_1%" {
		t.Error(got)
	}
	if got := string(v.RedactJSON([]byte(`{"a":"typed-by-hand"}`))); got != `{"a":"%typed_1%"}` {
		t.Error(got)
	}
	if _, _, err := v.Resolve("%typed_1%"); err == nil {
		t.Error("what was learned resolves")
	}
	empty := secrets.New(nil)
	if !empty.Empty() {
		t.Error("a vault of nothing is not empty")
	}
	empty.Learn("typed_1", "typed-by-hand")
	if got := empty.Redact("typed-by-hand"); got != "%typed_1%" || !empty.Empty() {
		t.Error(got)
	}
}
