package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatPagesWriteIsRead(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(`[{"ref":1,"role":"button","name":"half \ud83d of \ud83d\ude00","scroll":[0,1,0,0],"view":[0,0,5,6],"states":["focused"],"Ref":7},{"role":"text","name":"b","left":3}]`)
	if err != nil {
		t.Fatal(err)
	}
	var got walkResult
	if err := json.Unmarshal([]byte(`{"items":`+string(raw)+`,"size":9}`), &got); err != nil {
		t.Fatal(err)
	}
	want := walkItems{
		{Ref: got.Items[0].Ref, Role: "button", Name: "half \uFFFD of 😀", Scroll: &scrollRoom{0, 1, 0, 0}, View: got.Items[0].View, States: []string{"focused"}},
		{Role: "text", Name: "b", Left: 3},
	}
	if diff := cmp.Diff(want, got.Items, cmp.AllowUnexported()); diff != "" || got.Items[0].View == nil {
		t.Error(diff)
	}
	for _, bad := range []string{`{"items":5}`, `{"items":"[}"}`} {
		if json.Unmarshal([]byte(bad), &got) == nil {
			t.Error(bad)
		}
	}
	if !strings.Contains(string(raw), "ud83d") {
		t.Error("the text has no half of a pair")
	}
}
