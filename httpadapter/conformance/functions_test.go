package conformance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage/projects"
)

// saying is a program that says what it has, and no more.
const saying = `import { mkdirSync, writeFileSync } from "node:fs";
const at = ".browserbase/functions/manifests";
mkdirSync(at, { recursive: true });
writeFileSync(at + "/hello.json", JSON.stringify({ name: "hello", config: {
  sessionConfig: { timeout: 90, browserSettings: { viewport: { width: 800 } } },
  parametersSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
} }));
console.log("said");
`

// withFunctions is a world with two Go functions, and programs to publish.
func withFunctions(t *testing.T) *world {
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	type greeting struct {
		Name string `json:"name"`
	}
	greet := functions.Typed("greet", func(_ context.Context, inv *functions.Invocation, in greeting) (map[string]string, error) {
		inv.Logger().Info("greeting", "name", in.Name)
		return map[string]string{"text": "Hello, " + in.Name}, nil
	}, functions.FuncOptions{})
	stuck := functions.Func("stuck", func(ctx context.Context, inv *functions.Invocation) (any, error) {
		inv.Logger().Info("here")
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}, functions.FuncOptions{})
	w := build(t, config{realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) {
		o.Functions = []functions.Definition{greet, stuck}
	}})
	ctx := must(w.Projects.In(t.Context(), projects.Default))(t)
	w.words["<none>"] = "00000000-0000-7000-8000-000000000000"
	for _, name := range []string{"greet", "stuck"} {
		f := must(w.Functions.Get(ctx, name))(t)
		w.words["<project>"] = f.ProjectID
		v := must(w.Functions.Version(ctx, f.CurrentVersionID))(t)
		w.words["<"+name+">"], w.words["<"+name+"-version>"], w.words["<"+name+"-build>"] = f.ID, v.ID, v.BuildID
	}
	w.words["<program>"] = tarOf(t, map[string]string{"index.mjs": saying})
	w.words["<endless>"] = tarOf(t, map[string]string{"index.mjs": `console.log("waiting"); setInterval(() => {}, 1000); await new Promise(() => {});`})
	w.words["<broken>"] = tarOf(t, map[string]string{"index.mjs": "import './nowhere.mjs';"})
	return w
}

// waitForLine waits until an invocation has logged something.
func (w *world) waitForLine(ctx context.Context, t *testing.T, id string) {
	t.Helper()
	for _, err := range w.Functions.Follow(ctx, id) {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
}

// waitForBuildLine waits until a build has logged that it asks its program.
func (w *world) waitForBuildLine(ctx context.Context, t *testing.T, id string) {
	t.Helper()
	for e, err := range w.Builds.Follow(ctx, builds.Function, id) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(e.Message, "which functions it has") {
			return
		}
	}
	t.Fatal("the build ended before it asked")
}

// tarOf packs files as programs are published.
func tarOf(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for name, text := range files {
		must(0, w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))}))(t)
		must(w.Write([]byte(text)))(t)
	}
	must(0, w.Close())(t)
	must(0, zipped.Close())(t)
	return b.String()
}

// lastBuildLog is the log of the newest build.
func (w *world) lastBuildLog(t *testing.T) string {
	t.Helper()
	ctx := w.asDefault(t)
	l := must(w.Builds.List(ctx, builds.Filter{Kind: builds.Function, Limit: 1}))(t)
	if len(l.Builds) == 0 {
		return "there is no build"
	}
	var all strings.Builder
	for _, e := range must(w.Builds.Logs(ctx, builds.Function, l.Builds[0].ID))(t) {
		all.WriteString(e.Message + "\n")
	}
	return all.String()
}
