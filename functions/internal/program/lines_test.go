package program

import (
	"encoding/json"
	"strings"
	"testing"
)

// A line without an end belongs to the invocation that printed it, too.
func TestALineWithoutAnEndBelongsToTheInvocation(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	for _, text := range []string{"one", "two\nthree", "four\n"} {
		var got lines
		params, _ := json.Marshal(map[string]string{"text": text})
		if _, err := p.Do(t.Context(), version(t, "a"), invocation("says", string(params)), got.log); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSuffix(text, "\n"); got.text() != want {
			t.Errorf("%q, want %q", got.text(), want)
		}
	}
}
