package sessions

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A session whose browser dies saves nothing, and says why.
func TestACrashedBrowserSavesNothing(t *testing.T) {
	site := rememberingSite(t)
	w := start(t, setup{contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	for range rounds(t) {
		s, _ := w.visit(t, saving, site.URL+"/set/two")
		dir := w.find(s.ID).profile.path()
		all := browsers(t, dir)
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

// killedSaver starts a saver and kills it after one of its words, which it does
// not wait at. It returns the word.
func killedSaver(t *testing.T, dir, temp, id, url string) string {
	t.Helper()
	word := []string{"writing", "writing", "written", "saved"}[rand.IntN(4)]
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_TEMP="+temp, saverEnv+"="+id+" "+url, fmt.Sprintf("%s=%d", saverEnvAt, rand.Int64N(200_000)))
	cmd.Stderr = os.Stderr
	out := bufio.NewScanner(must(cmd.StdoutPipe())(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reached := false
	for !reached && out.Scan() {
		if strings.HasPrefix(out.Text(), "failed") {
			t.Fatal(out.Text())
		}
		reached = out.Text() == word
	}
	left := browsers(t, temp)
	if err := errors.Join(out.Err(), cmd.Process.Kill()); err != nil || !reached {
		t.Fatalf("it did not come to say %q: %v", word, err)
	}
	cmd.Wait()
	for _, p := range left {
		p.waitGone(t)
	}
	return word
}

// Whoever is killed while it saves a context leaves what it was before or what
// it was to be, and the context is free.
func TestAHostKilledWhileItSavesAContext(t *testing.T) {
	site, dir := rememberingSite(t), t.TempDir()
	temp := must(os.MkdirTemp("", "ds"))(t) // t.TempDir is too long for a browser's sockets
	t.Cleanup(func() { os.RemoveAll(temp) })
	w := start(t, setup{dir: dir, contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/0")
	now, saved := 0, 0
	for i := range rounds(t) {
		next := i + 1
		word := killedSaver(t, dir, temp, id, fmt.Sprintf("%s/set/%d", site.URL, next))
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
	t.Logf("%d of %d were saved", saved, rounds(t))
}
