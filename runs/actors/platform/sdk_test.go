package platform_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// The public SDK, unmodified, works as a child process of a host that has no adapter. It
// is built as any other Actor is, from its lock file.
func TestActorsOfTheSDK(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build")
	dir := npmtest.Dir(t, "npm") // skips where npm cannot get them
	h := newHost(t)
	other := h.foreign(t, records.Dataset, "other-items")
	var files []actors.SourceFile
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "main.js"} {
		files = append(files, actors.SourceFile{Name: name, Content: string(must(os.ReadFile(filepath.Join(dir, name)))(t))})
	}
	files = append(files, actors.SourceFile{Name: "INPUT_SCHEMA.json", Content: `{"title":"Input","type":"object","schemaVersion":1,"properties":{
		"secret":{"title":"Secret","type":"string","description":"It lies sealed.","editor":"textfield","isSecret":true}}}`})
	a := h.builtOf(t, "sdk", "", files)
	must(h.Actors.UpdateActor(t.Context(), a.ID, actors.UpdateActor{Change: func(d *actors.Details) {
		d.Runs.MaxTotalCharge = 0.45
		d.Pricings = []actors.Pricing{{Model: actors.PayPerEvent, Events: map[string]actors.EventPrice{"item": {Title: "An item", USD: 0.1}}}}
	}}))(t)
	for times := range 2 {
		r := h.ran(t, a, `{"n":7,"secret":"s3cr3t-ü","foreign":"!`+other.ID+`"}`)
		if sealed, _ := h.record(t, r, "INPUT")["secret"].(string); !strings.HasPrefix(sealed, "ENCRYPTED_VALUE:") {
			t.Errorf("the secret lies in the store: %s", sealed)
		}
		h.saw(t, r, map[string]any{
			"input": 7.0, "secret": "s3cr3t-ü", "items": "1,2,3", "first": "http://site.example/1", "handled": 1.0, "times": float64(times + 1), "text": "ü",
			"message": "half way", "user": "default", "foreign": refused, "called": "SUCCEEDED", "result": "sdk",
			"charged": "3 false,2 true", // the SDK charges one more than it may, once
		})
		if !maps.Equal(r.Charged, map[string]int64{"item": 5}) {
			t.Errorf("charged: %v", r.Charged)
		}
		if r.StatusMessage != "all is done" || !r.MessageTerminal {
			t.Errorf("%+v", r)
		}
	}
}
