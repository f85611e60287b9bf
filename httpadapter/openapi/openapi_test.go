package openapi

import (
	"bytes"
	"encoding/json"
	"testing"
)

// The prefix stands where the server does, and nowhere else.
func TestThePrefixIsThatOfTheServer(t *testing.T) {
	t.Parallel()
	if !bytes.Equal(V1(""), v1) {
		t.Error("without a prefix it is another document")
	}
	for _, prefix := range []string{"/browser", "/a%20b", `/"<`} {
		var with, without map[string]any
		if err := json.Unmarshal(V1(prefix), &with); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v1, &without); err != nil {
			t.Fatal(err)
		}
		server := with["servers"].([]any)[0].(map[string]any)
		if server["url"] != prefix {
			t.Errorf("%v", server)
		}
		server["url"] = "/"
		a, _ := json.Marshal(with)
		if b, _ := json.Marshal(without); !bytes.Equal(a, b) {
			t.Errorf("%s changes more than the server", prefix)
		}
	}
}
