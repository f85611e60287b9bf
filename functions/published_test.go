package functions

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
)

// archive packs files as publishers do.
func archive(t testing.TB, files map[string]string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// packed is an archive as a text.
func packed(t testing.TB, files map[string]string) string {
	t.Helper()
	all, err := io.ReadAll(archive(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// runtimeFile is what test programs import as ./runtime.mjs.
func runtimeFile(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/runtime.mjs")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files are those of a program of index.ts and the runtime, and more.
func files(t testing.TB, index string, more map[string]string) map[string]string {
	t.Helper()
	all := map[string]string{"index.ts": `import { define } from "./runtime.mjs";` + "\n" + index, "runtime.mjs": runtimeFile(t)}
	maps.Copy(all, more)
	return all
}

// publishing is a service to which programs can be published.
func publishing(t testing.TB, o setup) *working {
	t.Helper()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	if o.programs == nil {
		o.programs = &ProgramOptions{}
	}
	if o.work == "" {
		o.work = t.TempDir()
	}
	return start(t, o)
}

// build publishes files, with the entry point index.ts, and waits for the end.
func (w *working) build(t testing.TB, files map[string]string) builds.Build {
	t.Helper()
	b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = w.builds.Wait(t.Context(), builds.Function, b.ID); err != nil {
		t.Fatal(err)
	}
	if (b.Status == builds.Succeeded) != (b.Cause == nil) {
		t.Errorf("%+v", b)
	}
	return b
}

func (w *working) buildLog(t testing.TB, b builds.Build) string {
	t.Helper()
	entries, err := w.builds.Logs(t.Context(), builds.Function, b.ID)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		all.WriteString(e.Message + "\n")
	}
	return all.String()
}

// program publishes a program of index.ts and the runtime; it has to succeed.
func (w *working) program(t testing.TB, index string) builds.Build {
	t.Helper()
	b := w.build(t, map[string]string{"index.ts": `import { define } from "./runtime.mjs";` + "\n" + index, "runtime.mjs": runtimeFile(t)})
	if b.Status != builds.Succeeded {
		t.Fatalf("%+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
	}
	return b
}

func (w *working) log(t testing.TB, inv Invocation) string {
	t.Helper()
	entries, err := w.Logs(t.Context(), inv.ID)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		all.WriteString(e.Message + "\n")
	}
	return all.String()
}

func TestAProgramIsPublishedAndInvoked(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b := w.program(t, `
		enum Greeting { Hello = "Hello" }
		define("greet", async (context, { name, mark }) => {
			console.log("greeting " + name);
			console.error("again");
			return { text: Greeting.Hello + ", " + name + mark, session: context.session.id, invocation: context.invocation.id };
		}, { parametersSchema: { type: "object", properties: { name: { type: "string" }, mark: { type: "string", default: "!" } }, required: ["name", "mark"], additionalProperties: false } });
		define("other", async () => undefined);`)
	all, err := BuiltBy(b)
	if err != nil || len(all) != 2 || all[0].Function.Name != "greet" || all[1].Function.Name != "other" || all[0].Version.BuildID != b.ID || all[0].Version.Number != 1 {
		t.Errorf("%+v %v", all, err)
	}
	inv := w.do(t, "greet", Invoke{Params: []byte(`{"name":"Ada"}`)})
	want := `{"text":"Hello, Ada!","session":"` + inv.SessionID + `","invocation":"` + inv.ID + `"}`
	if inv.Status != Completed || string(inv.Result) != want || string(inv.Params) != `{"name":"Ada"}` {
		t.Errorf("%+v %s\n%s", inv, inv.Result, w.log(t, inv))
	}
	if got := w.log(t, inv); got != "greeting Ada\nagain\n" && got != "again\ngreeting Ada\n" {
		t.Errorf("%q", got)
	}
	if inv := w.do(t, "other", Invoke{}); inv.Status != Completed || inv.Result != nil {
		t.Errorf("%+v", inv)
	}
	if _, err := w.Invoke(t.Context(), "greet", Invoke{Params: []byte(`{"name":1}`)}); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "name") {
		t.Error(err)
	}
}
