package drover_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/browser"
)

// canarySite has a page that keeps a secret in every place that a browser has
// for pages, and one whose title says in which of them it is still there. The
// secret is never shown: whoever finds it has read what the browser keeps.
type canarySite struct {
	*httptest.Server
	secret string
}

// The page puts the secret together itself, so that its source is no trace.
const canaryScript = `<p id=p></p><script>
	const secret = ['%s', '%s'].join('');
	const db = () => new Promise((done, failed) => {
		const q = indexedDB.open('db');
		q.onupgradeneeded = () => q.result.createObjectStore('s');
		q.onsuccess = () => done(q.result); q.onerror = failed;
	});
	const made = async () => {
		document.cookie = 'brief=' + secret + '; path=/';
		document.cookie = 'lasting=' + secret + '; path=/; max-age=99999';
		localStorage.kept = secret;
		const d = await db();
		await new Promise(done => { const tx = d.transaction('s', 'readwrite', {durability: 'strict'}); tx.objectStore('s').put(secret, 'k'); tx.oncomplete = done });
		await (await caches.open('c')).put('/cached', new Response(secret));
		await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready;
		return 'all is made';
	};
	const found = async () => {
		const all = [];
		for (const name of ['brief', 'lasting']) if (document.cookie.includes(name + '=' + secret)) all.push(name);
		if (localStorage.kept === secret) all.push('local');
		const d = await db();
		if (d.objectStoreNames.contains('s')) await new Promise(done => {
			const q = d.transaction('s').objectStore('s').get('k');
			q.onsuccess = () => { if (q.result === secret) all.push('indexed'); done() };
		});
		const cached = await caches.match('/cached');
		if (cached && await cached.text() === secret) all.push('cached');
		if ((await navigator.serviceWorker.getRegistrations()).length) { await navigator.serviceWorker.ready; all.push(await (await fetch('/answer')).text()) }
		return 'found:' + [%s, ...all].filter(Boolean).join(' ') + '.';
	};
	%s().then(said => document.title = said, err => document.title = 'found: ' + err);
</script>`

// allFound is the title where everything is there.
const allFound = "found:http brief lasting local indexed cached worker."

func newCanarySite(t testing.TB) *canarySite {
	s := &canarySite{secret: "canary" + strings.ReplaceAll(ids.New(), "-", "")}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *canarySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	half := len(s.secret) / 2
	switch r.URL.Path {
	case "/make":
		http.SetCookie(w, &http.Cookie{Name: "http", Value: s.secret, Path: "/", HttpOnly: true})
		fmt.Fprintf(w, canaryScript, s.secret[:half], s.secret[half:], "''", "made")
	case "/look":
		known := "''"
		if c, err := r.Cookie("http"); err == nil && c.Value == s.secret {
			known = "'http'"
		}
		fmt.Fprintf(w, canaryScript, s.secret[:half], s.secret[half:], known, "found")
	case "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, `onfetch = e => { if (e.request.url.endsWith('/answer')) e.respondWith(new Response('worker')) }`)
	default:
		io.WriteString(w, "nobody")
	}
}

// said opens a page and returns what it comes to say as its title.
func said(ctx context.Context, s browser.Session, url string) (string, error) {
	page, err := s.Navigate(ctx, url)
	for err == nil && !strings.HasPrefix(page.Title, "all is made") && !strings.HasPrefix(page.Title, "found:") {
		page, err = s.Page(ctx)
	}
	return page.Title, err
}
