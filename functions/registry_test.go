package functions

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// registry is a registry of packages of one version on loopback.
type registry struct {
	*httptest.Server
	integrity map[string]string // by name
	// sent counts the archives that were sent.
	sent atomic.Int32
}

// openRegistry serves packages: their files, by name. A name has the scope @local, so
// that no other registry is asked, whatever the host's settings are.
func openRegistry(t testing.TB, packages map[string]map[string]string) *registry {
	t.Helper()
	r, answers := &registry{integrity: map[string]string{}}, map[string]http.HandlerFunc{}
	for name, files := range packages {
		_, short, _ := strings.Cut(name, "/")
		archive, content := "/"+name+"/-/"+short+"-1.0.0.tgz", packed(t, below("package", files))
		sum := sha512.Sum512([]byte(content))
		r.integrity[name] = "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
		answers[archive] = func(w http.ResponseWriter, _ *http.Request) {
			r.sent.Add(1)
			fmt.Fprint(w, content)
		}
		answers["/"+name] = func(w http.ResponseWriter, _ *http.Request) {
			version := map[string]any{}
			_ = json.Unmarshal([]byte(files["package.json"]), &version)
			version["dist"] = map[string]any{"integrity": r.integrity[name], "tarball": r.URL + archive}
			_ = json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]any{"latest": "1.0.0"}, "versions": map[string]any{"1.0.0": version}})
		}
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		answer := answers[q.URL.Path] // as it is decoded: npm writes the slash of a name as %2f
		if answer == nil {
			answer = http.NotFound
		}
		answer(w, q)
	}))
	t.Cleanup(r.Close)
	return r
}

// below are files in a directory.
func below(dir string, files map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[dir+"/"+name] = text
	}
	return all
}

// npmrc is what a program says of it.
func (r *registry) npmrc() string { return "@local:registry=" + r.URL + "/\nnoproxy=127.0.0.1\n" }

// scripted is a package whose install script leaves a file beside it.
var scripted = map[string]string{
	"package.json": `{"name":"@local/dep","version":"1.0.0","main":"index.js","scripts":{"install":"node install.js"}}`,
	"index.js":     `exports.ran = require("node:fs").existsSync(__dirname + "/ran");`,
	"install.js":   `require("node:fs").writeFileSync(__dirname + "/ran", ""); console.log("the script runs");`,
}

// scriptedProgram says whether the install script of its dependency has run.
const scriptedProgram = `import dep from "@local/dep"; define("one", async () => dep.ran);`

const scriptedManifest = `{"name":"p","version":"1.0.0","dependencies":{"@local/dep":"1.0.0"}}`
