package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
)

func TestKeepReturnsTheSchemaWithoutWhiteSpace(t *testing.T) {
	got, err := schema.Keep(json.RawMessage(" {\n \"type\" : \"object\" }"), schema.Options{})
	if err != nil || string(got) != `{"type":"object"}` {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := schema.Keep(nil, schema.Options{}); got != nil || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestKeepRefusesWhatIsNoSchemaByField(t *testing.T) {
	for _, bad := range []string{"", " ", "true", "[]", `"x"`, "null", "{", `{"type":"what"}`, `{"$ref":"http://example.com/"}`} {
		_, err := schema.Keep(json.RawMessage(bad), schema.Options{Field: "resultSchema"})
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || !strings.HasPrefix(pub.Message, "resultSchema") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
