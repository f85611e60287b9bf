package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/docstest"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// clientDocs is the page on clients, whose blocks are programs.
const clientDocs = "../../docs/clients.md"

// TestTheBlocksOfTheDocs runs each program of the page on clients, as it stands
// there, against a whole service.
func TestTheBlocksOfTheDocs(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "eight clients, which are built and started")
	w, address := serveWhole(t, config{debugger: true})
	env := []string{"DROVER_URL=http://" + address, "DROVER_API_KEY=" + w.words["<key>"], "PAGE_URL=" + clientSite(t) + "/", "MODEL_URL=" + modelServer(t).URL}
	runs := map[string]struct {
		run  func(t *testing.T, b docstest.Block, env []string) string
		says []string
	}{
		"The SDK":                   {inNode("npm"), []string{"created RUNNING true", "watch it at http://" + address, "ended COMPLETED"}},
		"Playwright":                {inNode("npm"), []string{"title: Start"}},
		"Puppeteer":                 {inNode("npm"), []string{"title: Start"}},
		"Stagehand 3":               {inNode("npm-stagehand"), []string{"title: Start"}},
		"Stagehand 4":               {inNode("npm-stagehand4"), []string{"title: Start", "greeting: Hello Ada"}},
		"The job platform's client": {inNode("npm"), []string{`items: [{"name":"Lamp","price":20}]`, "for anybody: http://" + address + "/v2/datasets/"}},
		"chromedp":                  {inModule("../.."), []string{"title: Start"}},
		"rod":                       {inModule("goclients"), []string{"title: Start"}},
	}
	all := docstest.Blocks(t, clientDocs)
	if len(all) != len(runs) {
		t.Errorf("the page has %d blocks, want one for each of %d clients", len(all), len(runs))
	}
	t.Run("blocks", func(t *testing.T) {
		for _, b := range all {
			how, known := runs[b.Heading]
			if !known {
				t.Errorf("nobody runs the block below %q", b.Heading)
				continue
			}
			t.Run(b.Heading, func(t *testing.T) {
				t.Parallel()
				said := how.run(t, b, env)
				for _, want := range how.says {
					if !strings.Contains(said, want) {
						t.Errorf("it does not say %q:\n%s", want, said)
					}
				}
			})
		}
	})
}

// inNode runs a block with the packages of a folder.
func inNode(folder string) func(*testing.T, docstest.Block, []string) string {
	return func(t *testing.T, b docstest.Block, env []string) string {
		t.Helper()
		dir, work := npmtest.Dir(t, folder), t.TempDir()
		if err := os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(work, "node_modules")); err != nil {
			t.Fatal(err)
		}
		writeBlock(t, b, filepath.Join(work, "block.mjs"))
		return runIn(t, work, env, npmtest.Node(t, dir, 20), "block.mjs")
	}
}

// inModule runs a block with what a module requires.
func inModule(module string) func(*testing.T, docstest.Block, []string) string {
	return func(t *testing.T, b docstest.Block, env []string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "block.go")
		writeBlock(t, b, file)
		return runIn(t, module, env, "go", "run", file)
	}
}

// writeBlock puts a block into a file.
func writeBlock(t *testing.T, b docstest.Block, file string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(b.Source), 0o600); err != nil {
		t.Fatal(err)
	}
}
