package actors

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records"
)

// plain are the files of an Actor that needs nothing.
var plain = map[string]string{"main.js": `console.log("started");`}

// schemed has what an Actor says of itself.
var schemed = map[string]string{
	"main.js":                  `console.log(require("lib"));`,
	"package.json":             `{"name":"a","version":"1.0.0","dependencies":{"lib":"file:lib"}}`,
	"lib/package.json":         `{"name":"lib","version":"1.0.0"}`,
	"lib/index.js":             `module.exports = "of the library";`,
	"README.md":                "Read me",
	".actor/actor.json":        `{"actorSpecification":1,"name":"a","version":"0.1","input":"./input.json"}`,
	".actor/input.json":        `{"title":"T","type":"object","schemaVersion":1,"properties":{}}`,
	".actor/Dockerfile":        "FROM apify/actor-node:20\nENV GREETING=hello\nRUN apt-get update\nCOPY . ./\nCMD node main.js\n",
	"node_modules/lib/from.js": "never",
}

func TestAnActorIsBuilt(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	a := w.newActor(t, "actor", schemed)
	b := must(w.Build(t.Context(), "~actor", CreateBuild{Version: "0.1", UseCache: true, Meta: BuildMeta{Origin: "CLI", ClientIP: "127.0.0.1", UserAgent: "me"}}))(t)
	if b.Status != Ready || b.Number != "0.1.1" || len(b.ID) != 17 || b.ActorID != a.ID || b.Meta != (BuildMeta{"CLI", "127.0.0.1", "me"}) || b.StartedAt.IsZero() || !b.FinishedAt.IsZero() {
		t.Errorf("%+v", b)
	}
	b = w.finished(t, b)
	log := w.log(t, b)
	if b.Status != Succeeded || b.InputSchema == "" || b.Readme != "Read me" || !strings.Contains(string(b.Definition), `"schemaVersion":1`) || b.Stats.Size == 0 || b.Stats.Duration == 0 {
		t.Fatalf("%+v\n%s", b, log)
	}
	if b.Options != (BuildOptions{Tag: "latest", UseCache: true, Memory: 2048, Timeout: 30 * time.Minute}) {
		t.Errorf("%+v", b.Options)
	}
	for _, words := range []string{
		"Building version 0.1 as 0.1.1", ".actor/Dockerfile, line 1: the image apify/actor-node:20 is not used",
		".actor/Dockerfile, line 3: not done here, for there are no containers: RUN apt-get update", "npm install --package-lock --no-audit --no-fund --ignore-scripts --omit=dev --omit=optional", "it starts with: node main.js",
	} {
		if !strings.Contains(log, words) {
			t.Errorf("no %q in\n%s", words, log)
		}
	}
	if got := w.starts(t, b); got != "of the library" {
		t.Error(got)
	}
	a = must(w.Actor(t.Context(), a.ID))(t)
	if got := a.Tags["latest"]; len(a.Tags) != 1 || got.BuildID != b.ID || got.Number != "0.1.1" || !got.FinishedAt.Equal(b.FinishedAt) {
		t.Errorf("%+v", a.Tags)
	}
	if got := must(w.DefaultBuild(t.Context(), a.ID))(t); got.ID != b.ID {
		t.Errorf("%+v", got)
	}
	w.tidy(t, 1)
}

// A program that is gone is made again as it was, also where npm chose the versions.
func TestAProgramIsMadeAgain(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	b := w.built(t, "actor", schemed)
	if err := os.RemoveAll(filepath.Join(w.place, "built", b.ID)); err != nil {
		t.Fatal(err)
	}
	if got := w.starts(t, b); got != "of the library" {
		t.Error(got)
	}
	if m := must(w.madeBy(t.Context(), b.ID))(t); m.Lock == nil || m.Env[0] != "GREETING=hello" {
		t.Errorf("%+v", m)
	}
	w.tidy(t, 1)
}

// A build script has the dependencies of a developer, which the program has not, and
// the environment of the version where that says so; secrets do not reach the log.
func TestABuildScript(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	files := map[string]string{
		"package.json":      `{"name":"a","version":"1.0.0","scripts":{"build":"node build.mjs","start":"node dist/main.js"},"devDependencies":{"tool":"file:tool"}}`,
		"tool/package.json": `{"name":"tool","version":"1.0.0"}`, "tool/index.js": `module.exports = "tooled";`,
		"build.mjs": `import fs from "node:fs"; import tool from "tool"; console.log("key " + process.env.KEY + " " + process.env.HTTPS_PROXY);
			fs.mkdirSync("dist"); fs.writeFileSync("dist/main.js", "console.log(" + JSON.stringify(tool + process.env.PLAIN) + ")");`,
	}
	a := must(w.CreateActor(t.Context(), CreateActor{Name: "actor", Versions: []Version{{
		Number: "0.1", Files: filesOf(files), EnvVarsAtBuild: true, EnvVars: []EnvVar{{Name: "KEY", Value: "top-secret", Secret: true}, {Name: "PLAIN", Value: "-plain"}},
	}}}))(t)
	b := w.finished(t, w.begin(t, a))
	log := w.log(t, b)
	if b.Status != Succeeded || strings.Contains(log, "top-secret") || !strings.Contains(log, "key {KEY} undefined") {
		t.Fatalf("%+v\n%s", b, log)
	}
	if got := w.starts(t, b); got != "tooled-plain" {
		t.Error(got)
	}
	if _, err := os.Lstat(filepath.Join(w.place, "built", b.ID, "node_modules", "tool")); !os.IsNotExist(err) {
		t.Errorf("the tool is still there: %v", err)
	}
}

func TestBuildsThatFail(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	for name, c := range map[string]struct {
		files   map[string]string
		message string
	}{
		"no-program": {map[string]string{"README.md": ""}, "there is nothing to start: "},
		"bad-schema": {map[string]string{"main.js": "", "INPUT_SCHEMA.json": `{"title":"T","type":"object","schemaVersion":2}`}, "Input schema is not valid (Field schema.schemaVersion must be equal"},
		"no-pattern": {map[string]string{"main.js": "", "INPUT_SCHEMA.json": `{"title":"T","type":"object","schemaVersion":1,"properties":{"q":{"title":"Q","type":"string","description":"d","editor":"textfield","pattern":"("}}}`}, "Input schema is not valid (inputSchema at /properties/q/pattern: "},
		"bad-json":   {map[string]string{"package.json": "{"}, "package.json is not a valid JSON object"},
		"python":     {map[string]string{"requirements.txt": ""}, "the source is in Python"},
		"no-package": {map[string]string{"main.js": "", "package.json": `{"dependencies":{"lib":"file:nowhere.tgz"}}`}, "installing: "},
		"bad-script": {scripted(`throw new TypeError("it broke")`), "npm run build: TypeError: it broke"},
		"exit":       {scripted(`process.exit(3)`), "npm run build: "},
		"no-workdir": {map[string]string{"main.js": "", "Dockerfile": "FROM x\nWORKDIR sub\nCMD node main.js\n"}, "the WORKDIR sub of the Dockerfile is no directory"},
		"a-link":     {scripted(`import fs from "node:fs"; fs.symlinkSync("/etc", "sub")`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a-link" {
				c.files["Dockerfile"] = "FROM x\nRUN npm run build\nWORKDIR sub\nCMD node main.js\n"
				c.message = "the WORKDIR sub of the Dockerfile is no directory"
			}
			b := w.built(t, name, c.files)
			log := w.log(t, b)
			if b.Status != Failed || !strings.Contains(b.Message, c.message) || !strings.HasSuffix(log, "The build has failed: "+b.Message+"\n") || strings.Contains(log, w.place) {
				t.Errorf("%+v\n%s", b, log)
			}
			if a := must(w.Actor(t.Context(), b.ActorID))(t); len(a.Tags) != 0 {
				t.Errorf("%+v", a.Tags)
			}
			_, err := w.DefaultBuild(t.Context(), b.ActorID)
			fails(t, err, errtypes.Forbidden, errtypes.TypeUnknownBuildTag, "")
		})
	}
	w.tidy(t, 0)
}

// zipped are files as a client packs them.
func zipped(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		f := must(z.Create(name))(t)
		io.WriteString(f, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fetched makes an Actor of an archive at an address, and builds it.
func (w *building) fetched(t testing.TB, name, address string) Build {
	t.Helper()
	a := must(w.CreateActor(t.Context(), CreateActor{Name: name, Versions: []Version{{Number: "0.1", SourceType: Tarball, TarballURL: address}}}))(t)
	return w.finished(t, w.begin(t, a))
}

func TestArchivesAreFetched(t *testing.T) {
	t.Parallel()
	w, packed := yarded(t, yard{builds: builds.Limits{MaxSource: 1 << 20}}), zipped(t, map[string]string{"top/main.js": plain["main.js"]})
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/a.zip":
			rw.Write(packed)
		case "/moved":
			http.Redirect(rw, r, "/a.zip", http.StatusFound)
		case "/loop":
			http.Redirect(rw, r, "/loop", http.StatusFound)
		case "/large":
			rw.Write(make([]byte, 2<<20))
		case "/cut":
			rw.Header().Set("Content-Length", "1000")
			rw.Write(packed[:10])
		case "/text":
			io.WriteString(rw, "no archive")
		case "/inside":
			http.Redirect(rw, r, "http://10.0.0.1/a.zip", http.StatusFound)
		default:
			http.NotFound(rw, r)
		}
	}))
	defer server.Close()
	for path, message := range map[string]string{
		"/a.zip?key=top-secret": "", "/moved": "", "/none": "the server answered with status 404", "/loop": "too many redirects", "/large": "the archive of the source: ",
		"/cut": "the connection was lost", "/text": "unpacking: the archive is not whole", "/inside": "could not be fetched: ",
	} {
		b := w.fetched(t, "actor-"+strings.Trim(strings.NewReplacer(".", "", "?", "", "=", "").Replace(path), "/"), server.URL+path)
		log := w.log(t, b)
		if (b.Status == Succeeded) != (message == "") || !strings.Contains(b.Message, message) || strings.Contains(log, "top-secret") || !strings.Contains(log, "Fetching the archive of the source from 127.0.0.1") {
			t.Errorf("%s: %+v\n%s", path, b, log)
		}
		if message == "" && w.starts(t, b) != "started" {
			t.Error(path)
		}
	}
}

// What clients put into a store is read there; the address need not lead anywhere.
func TestTheArchiveOfAStore(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{closed: true})
	store, _, err := w.records.Create(t.Context(), records.KeyValueStore, records.New{Name: "actor-source"})
	if err != nil {
		t.Fatal(err)
	}
	const key = "version-0.1.zip"
	if _, err := w.records.PutRecord(t.Context(), store.ID, records.NewRecord{Key: key, ContentType: "application/zip", Content: bytes.NewReader(zipped(t, plain))}); err != nil {
		t.Fatal(err)
	}
	address := "http://127.0.0.1:1/v2/key-value-stores/" + store.ID + "/records/" + key + "?disableRedirect=true&signature="
	b := w.fetched(t, "signed", address+records.SignRecord(store.SigningSecret, key))
	if b.Status != Succeeded || w.starts(t, b) != "started" {
		t.Errorf("%+v\n%s", b, w.log(t, b))
	}
	for name, address := range map[string]string{"forged": address + "x", "unsigned": address, "elsewhere": "http://localhost/a.zip"} {
		if b := w.fetched(t, name, address); b.Status != Failed || !strings.Contains(b.Message, "could not be fetched: ") {
			t.Errorf("%+v\n%s", b, w.log(t, b))
		}
	}
}

func TestADirectoryIsBuilt(t *testing.T) {
	t.Parallel()
	w, dir := yarded(t, yard{}), t.TempDir()
	for name, text := range map[string]string{"main.js": `console.log(require("node:fs").readdirSync(".").join())`, ".git/config": "x", "node_modules/x.js": "x", "sub/a.txt": "x"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := w.newActor(t, "actor", nil)
	b := w.finished(t, must(w.Build(t.Context(), a.ID, CreateBuild{Version: "0.1", Dir: dir}))(t))
	if b.Status != Succeeded || w.starts(t, b) != "main.js,sub" {
		t.Errorf("%+v\n%s", b, w.log(t, b))
	}
	_, err := w.Build(t.Context(), a.ID, CreateBuild{Version: "0.1", Dir: filepath.Join(dir, "main.js")})
	fails(t, err, errtypes.Invalid, "", "Dir must be a directory")
}
