package sessions

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A session whose browser dies saves nothing, and says why.
func TestABrowserThatIsKilledSavesNothing(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	var temp string
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t, func(o *chrome.Options) { temp = o.TempDir })})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	for range rounds() {
		s, _ := w.visit(t, saving, site.URL+"/set/two")
		dir := w.find(s.ID).profile.path()
		all := browsers(t, temp)
		kill(t, all, isMain)
		w.ended(t, s.ID, Failed, CauseBrowser)
		if !w.says(t, s.ID, "the context was not saved, and is what it was before: ") {
			t.Errorf("%+v", must(w.Logs(t.Context(), s.ID))(t))
		}
		if _, err := os.Stat(filepath.Dir(dir)); !os.IsNotExist(err) {
			t.Errorf("the profile is left: %v", err)
		}
		for _, p := range all {
			p.waitGone(t)
		}
		if title, _ := w.once(t, saving, site.URL); title != remembers("one") {
			t.Errorf("%q", title)
		}
	}
}

// killedSaver starts a saver and kills it at once after one of its words, which
// it does not wait at.
func killedSaver(t *testing.T, dir, temp, id, url, word string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_TEMP="+temp, saverEnv+"="+id+" "+url, fmt.Sprintf("%s=%d", saverEnvAt, rand.Int64N(200_000)))
	cmd.Stderr = os.Stderr
	in, out := must(cmd.StdinPipe())(t), bufio.NewScanner(must(cmd.StdoutPipe())(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scanTo(t, out, "ready")
	left := browsers(t, temp) // now, since to look takes longer than to save
	fmt.Fprintln(in)
	scanTo(t, out, word)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for _, p := range left {
		p.waitGone(t)
	}
}

// scanTo reads what a saver says until it has said a word.
func scanTo(t *testing.T, out *bufio.Scanner, word string) {
	t.Helper()
	for out.Scan() {
		if out.Text() == word {
			return
		}
		if strings.HasPrefix(out.Text(), "failed") {
			t.Fatal(out.Text())
		}
	}
	t.Fatalf("it did not come to say %q: %v", word, out.Err())
}

// Whoever is killed while it saves a context leaves what it was before or what
// it was to be, and the context is free.
func TestAHostKilledWhileItSavesAContext(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	site, dir := rememberingSite(t), t.TempDir()
	temp := must(os.MkdirTemp("", "ds"))(t) // t.TempDir is too long for a browser's sockets
	t.Cleanup(func() { os.RemoveAll(temp) })
	w := start(t, setup{dir: dir, contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/0")
	now, saved := 0, 0
	for i := range rounds() {
		next := i + 1
		word := []string{"writing", "written", "saved", "writing"}[i%4]
		killedSaver(t, dir, temp, id, fmt.Sprintf("%s/set/%d", site.URL, next), word)
		title, s := w.once(t, saving, site.URL)
		switch {
		case title == remembers(fmt.Sprint(next)):
			now, saved = next, saved+1
		case title != remembers(fmt.Sprint(now)) || word == "saved":
			t.Fatalf("killed at %q the context has %q; it was %d and was to be %d", word, title, now, next)
		}
		if w.says(t, s.ID, "damaged") || !w.says(t, s.ID, "the context was saved") {
			t.Errorf("killed at %q: %+v", word, must(w.Logs(t.Context(), s.ID))(t))
		}
	}
	t.Logf("%d of %d were saved", saved, rounds())
	if rounds() >= 20 && (saved == 0 || saved == rounds()) {
		t.Error("every kill came at the same side of the end: the test shows less than it should")
	}
}
