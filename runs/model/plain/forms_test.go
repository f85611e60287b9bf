package plain

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFormsSayValuesInJSON(t *testing.T) {
	t.Parallel()
	values := 0
	for verb, all := range forms() {
		for _, f := range all {
			for _, part := range f.parts {
				if _, value, says := strings.Cut(part, "="); says && f.verb != "-" {
					if values++; !json.Valid([]byte(value)) {
						t.Errorf("%s: %s", verb, part)
					}
				}
			}
		}
	}
	if values < 10 {
		t.Errorf("the forms say only %d values", values)
	}
}
