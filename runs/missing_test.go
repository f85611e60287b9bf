package runs

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPointersHaveNamesThatProvidersTake(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("é-long/", 40)
	pointers := []string{"/a/b", "/a_b", "/a~1b", "/", "", "/é", "/1", long, long + "2"}
	names := namesFor(pointers)
	properties := map[string]json.RawMessage{}
	for i, p := range pointers {
		properties[p] = json.RawMessage{'0' + byte(i)}
		if !regexp.MustCompile(`^[a-zA-Z0-9_]{1,64}$`).MatchString(names.names[p]) {
			t.Errorf("%q is called %q", p, names.names[p])
		}
	}
	whole, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	renamed, err := names.rename(whole)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct{ Properties json.RawMessage }
	if err := json.Unmarshal(renamed, &schema); err != nil {
		t.Fatal(err)
	}
	back, err := names.back(schema.Properties)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(back, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(properties, got); diff != "" {
		t.Error(diff)
	}
}
