package drover_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/contexts"
)

// titled is a function of the host's that returns the title of a page.
func titled(url string) functions.Definition {
	return functions.Func("visit", func(ctx context.Context, inv *functions.Invocation) (any, error) {
		session, err := inv.Browser(ctx)
		if err != nil {
			return nil, err
		}
		page, err := session.Navigate(ctx, url)
		return page.Title, err
	}, functions.FuncOptions{})
}

// connecting is a program that returns what its browser says of itself.
const connecting = `import { define } from "./runtime.mjs";
define("connect", async ({ session }) => {
	const answer = await fetch(session.connectUrl.replace("ws:", "http:") + "/json/version");
	if (!answer.ok) throw new Error("no browser: " + await answer.text());
	return (await answer.json()).Browser.split("/")[0];
});`

// publish publishes a program, which has to succeed.
func publish(t *testing.T, d *drover.Drover, index string) {
	t.Helper()
	runtime, err := os.ReadFile("functions/testdata/runtime.mjs")
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	w := tar.NewWriter(zipped)
	for name, text := range map[string]string{"index.mjs": index, "runtime.mjs": string(runtime)} {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	zipped.Close()
	b, err := d.Functions.Publish(t.Context(), functions.Publish{Entrypoint: "index.mjs", Archive: &archive})
	if err == nil {
		b, err = d.Builds.Wait(t.Context(), builds.Function, b.ID)
	}
	if err != nil || b.Status != builds.Succeeded {
		t.Fatalf("%+v %v", b.Cause, err)
	}
}

// A context that another session will save cannot be had to save it, too: the
// invocation has failed, and says so; without persist it reads what was saved last.
func TestInvocationsWithAContextThatIsInUse(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	chrometest.RequireChromium(t)
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	dir := t.TempDir()
	if err := osusertest.Open(dir); err != nil {
		t.Fatal(err)
	}
	o := hostOptions(dir, nil)
	o.Functions = []functions.Definition{titled(countingSite(t).URL + "/page")}
	d, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	publish(t, d, connecting)
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(function, persist string) (functions.Invocation, string) {
		t.Helper()
		inv, err := d.Functions.Invoke(t.Context(), function, functions.Invoke{Session: []byte(`{"browserSettings":{"context":{"id":"` + c.ID + `","persist":` + persist + `}}}`)})
		if err == nil {
			inv, err = d.Functions.Wait(t.Context(), inv.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		logs, err := d.Functions.Logs(t.Context(), inv.ID)
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		for _, e := range logs {
			log.WriteString(e.Message + "\n")
		}
		return inv, log.String()
	}
	answers := func(function, persist, want string) {
		t.Helper()
		if inv, log := ask(function, persist); inv.Status != functions.Completed || string(inv.Result) != want {
			t.Errorf("%s %s %+v, want %s\n%s", inv.Status, inv.Result, inv.Cause, want, log)
		}
	}
	answers("visit", "true", `"visit 1"`)
	held := session(t, d, c.ID, true)
	for _, function := range []string{"visit", "connect"} {
		inv, log := ask(function, "true")
		why := `context "` + c.ID + `" is in use by session ` + held.ID() + `, which will save it`
		if inv.Status != functions.Failed || inv.Cause.Code != functions.CauseInternal || !strings.HasPrefix(inv.Cause.Message, "the browser of the invocation could not be opened: CONTEXT_IN_USE: "+why) {
			t.Errorf("%s: %s %+v", function, inv.Status, inv.Cause)
		}
		if !strings.Contains(log, why) {
			t.Errorf("%s: %s", function, log)
		}
		if s, err := d.Sessions.Get(t.Context(), inv.SessionID); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%s: there is a session: %+v %v", function, s, err)
		}
	}
	answers("visit", "false", `"visit 2"`)
	answers("connect", "false", `"Chrome"`)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	answers("connect", "true", `"Chrome"`)
	answers("visit", "true", `"visit 2"`)
}
