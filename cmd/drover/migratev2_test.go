package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/docstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// crawlerFolder has a crawler as people write it, with a lock file.
const crawlerFolder = "../../runs/actors/platform/npm-cheerio"

// TestTheGuideFromTheJobPlatform follows docs/migrate-v2.md, with every public client that it
// names. The account that is left is another project of the service.
func TestTheGuideFromTheJobPlatform(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "an Actor is built with packages of npm, and run five times")
	chrometest.RequireChromium(t) // the page has the doctor look for it
	g := guide{path: docsFolder + "/migrate-v2.md", folders: append(npmFolders("npm", "npm-actors"), crawlerFolder)}
	blocks, site, data := docstest.Blocks(t, g.path), guideSite(t), filepath.Join(t.TempDir(), "data")
	s := g.served(t, blocks, data)
	old := v2Account{t, s.base, newProjectKey(t, data, "old")}
	old.fill(site)
	g.values = map[string]string{
		"DROVER_SERVER": s.base, "DROVER_API_KEY": guideKey, "PAGE_URL": site,
		"FROM_URL": s.base, "FROM_TOKEN": old.key, "FROM_USER": "old",
	}
	g.follow(t, blocks)
}

func newProjectKey(t *testing.T, data, project string) string {
	t.Helper()
	key, err := exec.Command("drover", "keys", "create", "--data", data, "--project", project).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(key))
}

// v2Account is a user of the job platform.
type v2Account struct {
	t         *testing.T
	base, key string
}

// send sends what is JSON, or text as it is, and returns the id of what was made.
func (a v2Account) send(method, path string, content any) (id string) {
	a.t.Helper()
	kind, body := "text/plain; charset=utf-8", ""
	if text, ok := content.(string); ok {
		body = text
	} else if raw, err := json.Marshal(content); err == nil {
		kind, body = "application/json", string(raw)
	}
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.base+"/v2/"+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.key)
	req.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		a.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, text, err)
	}
	var made struct{ Data struct{ ID string } }
	_ = json.Unmarshal(text, &made) // pushes and records have none
	return made.Data.ID
}

// fill gives the account one of each thing that the page moves.
func (a v2Account) fill(site string) {
	a.t.Helper()
	type object = map[string]any
	files := []object{
		{"name": ".actor/actor.json", "format": "TEXT", "content": `{"actorSpecification": 1, "name": "titles", "version": "0.1", "dockerfile": "./Dockerfile"}`},
		{"name": ".actor/Dockerfile", "format": "TEXT", "content": "FROM apify/actor-node:20\nCOPY package*.json ./\nRUN npm ci --omit=dev\nCOPY . ./\nCMD [\"node\", \"main.js\"]\n"},
	}
	for _, name := range []string{"package.json", "package-lock.json", "main.js"} {
		content, err := os.ReadFile(filepath.Join(crawlerFolder, name))
		if err != nil {
			a.t.Fatal(err)
		}
		files = append(files, object{"name": name, "format": "TEXT", "content": string(content)})
	}
	actor := a.send("POST", "acts", object{"name": "titles", "versions": []object{{"versionNumber": "0.1", "sourceType": "SOURCE_FILES", "buildTag": "latest", "sourceFiles": files}}})
	task := a.send("POST", "actor-tasks", object{"actId": actor, "name": "start-page", "input": object{"start": site}, "options": object{"memoryMbytes": 512}})
	a.send("POST", "schedules", object{"name": "each-morning", "cronExpression": "30 8 * * 1-5", "timezone": "Europe/Prague", "isEnabled": true, "actions": []object{
		{"type": "RUN_ACTOR_TASK", "actorTaskId": task},
		{"type": "RUN_ACTOR", "actorId": actor, "runInput": object{"body": `{"start": "` + site + `"}`, "contentType": "application/json"}},
	}})
	prices := a.send("POST", "datasets?name=prices", object{})
	a.send("POST", "datasets/"+prices+"/items", []object{{"name": "Lamp", "price": 20}, {"name": "Chair", "price": 50}})
	settings := a.send("POST", "key-value-stores?name=settings", object{})
	a.send("PUT", "key-value-stores/"+settings+"/records/currency", "EUR")
}
