package sessions

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/contexts"
)

// fillingScript keeps so many random megabytes, half of them as cached answers
// and half in IndexedDB, or looks at what is there. Its title is what it found:
// how many there are, and a digest of them all.
const fillingScript = `<script>
	const mega = 1 << 20, from = location.pathname.split('/');
	const random = () => { const b = new Uint8Array(mega); for (let i = 0; i < mega; i += 65536) crypto.getRandomValues(b.subarray(i, i + 65536)); return b };
	const asked = q => new Promise((done, failed) => { q.onsuccess = () => done(q.result); q.onerror = () => failed(q.error) });
	const open = () => { const q = indexedDB.open('large'); q.onupgradeneeded = () => q.result.createObjectStore('s'); return asked(q) };
	const fill = async (cache, db, n) => {
		for (let i = 0; i < n; i++) {
			if (i % 2) { await cache.put('/kept/' + i, new Response(random())); continue }
			const tx = db.transaction('s', 'readwrite', {durability: 'strict'});
			await asked(tx.objectStore('s').put(new Blob([random()]), i));
		}
	};
	const look = async (cache, db) => {
		const all = [];
		for (const q of await cache.keys()) all.push(await (await cache.match(q)).arrayBuffer());
		for (const b of await asked(db.transaction('s').objectStore('s').getAll())) all.push(await b.arrayBuffer());
		let sum = new Uint8Array(32);
		for (const one of all) {
			if (one.byteLength !== mega) throw 'one of ' + one.byteLength + ' bytes';
			const next = new Uint8Array(await crypto.subtle.digest('SHA-256', one));
			sum = sum.map((b, i) => b ^ next[i]);
		}
		return all.length + ' ' + sum.toHex();
	};
	(async () => {
		const cache = await caches.open('large'), db = await open();
		if (from[1] === 'fill') await fill(cache, db, +from[2]);
		return await look(cache, db);
	})().then(said => document.title = 'kept ' + said, err => document.title = 'failed ' + err);
</script>`

func fillingSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, fillingScript)
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// filled has one session visit the site until it says what is kept.
func (w *world) filled(t *testing.T, use *ContextRef, url string) (string, Session) {
	t.Helper()
	s, title := w.visit(t, use, url)
	for !strings.HasPrefix(title, "kept ") {
		if strings.HasPrefix(title, "failed ") || t.Context().Err() != nil {
			t.Fatal(title)
		}
		title = must(w.find(s.ID).browser.Page(t.Context()))(t).Title
	}
	return title, must(w.Release(t.Context(), s.ID))(t)
}

// A profile of 200 MB with DROVER_TORTURE, of 8 MB without, is what it was in
// the next sessions. A limit below its size leaves what was there.
func TestALargeProfileComesBack(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a large profile")
	megabytes := 8
	if testlevel.Torture() {
		megabytes = 200
	}
	site := fillingSite(t)
	w := start(t, setup{dir: t.TempDir(), contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	saving, reading := &ContextRef{ID: id, Persist: true}, &ContextRef{ID: id}
	made, s := w.filled(t, saving, fmt.Sprintf("%s/fill/%d", site, megabytes))
	if !strings.HasPrefix(made, fmt.Sprintf("kept %d ", megabytes)) || !w.says(t, s.ID, "the context was saved: ") {
		t.Fatalf("%q, %+v", made, must(w.Logs(t.Context(), s.ID))(t))
	}
	size := int64(0)
	for _, file := range filesIn(t, w.archives) {
		size += must(os.Stat(file))(t).Size()
	}
	if least := int64(megabytes) << 20; size < least || size > least+least/4+16<<20 {
		t.Errorf("%d MB of random bytes are stored in %d bytes", megabytes, size)
	}
	for _, use := range []*ContextRef{reading, saving, reading} {
		if title, _ := w.filled(t, use, site+"/look"); title != made {
			t.Errorf("%+v: %q, want %q", use, title, made)
		}
	}
}

func TestAProfileThatIsTooLargeIsNotSaved(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a large profile")
	site := fillingSite(t)
	w := start(t, setup{dir: t.TempDir(), contexts: true, limit: contexts.Limits{MaxBytes: 8 << 20}, browser: chrometest.Provider(t)})
	saving := &ContextRef{ID: w.newContext(t), Persist: true}
	made, _ := w.filled(t, saving, site+"/fill/1")
	if _, s := w.filled(t, saving, site+"/fill/9"); s.Status != Completed || !w.says(t, s.ID, "was not saved, and is what it was before: ") || !w.says(t, s.ID, "8388608") {
		t.Errorf("%s, %+v", s.Status, must(w.Logs(t.Context(), s.ID))(t))
	}
	if title, _ := w.filled(t, saving, site+"/look"); title != made {
		t.Errorf("%q, want %q", title, made)
	}
}
