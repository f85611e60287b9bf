package conformance

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// TestStagehand4 has the next generation of that library drive sessions: by an
// extension of its own, which asks for the permission debugger and which the
// host has to allow.
func TestStagehand4(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "the library starts slowly")
	dir := npmtest.Dir(t, "npm-stagehand4")
	w, address := serveWhole(t, config{debugger: true})
	out := nodeOf(t, npmtest.Node(t, dir, 22), dir, "stagehand4.mjs",
		"BASE_URL=http://"+address, "API_KEY="+w.words["<key>"], "SITE="+clientSite(t), "MODEL_URL="+modelServer(t).URL)
	if !strings.Contains(out, "all 4 steps passed") {
		t.Error(out)
	}
	if left := must(w.Extensions.List(w.asDefault(t)))(t); len(left) > 0 {
		t.Errorf("it has left extensions: %+v", left)
	}
}
