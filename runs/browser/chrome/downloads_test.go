package chrome_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// openWith opens a session that is closed when the test ends.
func openWith(t testing.TB, p *chrome.Provider, o browser.Options) browser.Session {
	t.Helper()
	s, err := p.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// kept collects the files of a session.
type kept struct {
	mu    sync.Mutex
	files []string
	more  chan struct{}
}

func newKept() *kept { return &kept{more: make(chan struct{}, 100)} }

func (k *kept) take(_ context.Context, d browser.Download) error {
	content, err := io.ReadAll(d.Content)
	if err != nil || int64(len(content)) != d.Size {
		return fmt.Errorf("%d bytes of %d: %w", len(content), d.Size, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	path := d.URL[strings.LastIndex(d.URL, "/")+1:]
	k.files = append(k.files, fmt.Sprintf("%s %s %s %d %.8s", path, d.Filename, d.MIMEType, d.Size, content))
	k.more <- struct{}{}
	return nil
}

func (k *kept) sorted() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(slices.Values(k.files))
}

// fileSite has a page of links to files: /slow never ends, /endless never says
// how long it is.
func fileSite(t testing.TB) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			io.WriteString(w, `<title>Files</title><a href=/a.csv>Get</a><a href="data:text/plain,hello" download="../x y.txt">Data</a>
<a href=/slow>Slow</a><a href=/endless>Endless</a><a href=/b.csv target=_blank>Tab</a>
<button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['blobby'])); a.download = 'b.bin'; a.click()">Blob</button>
<button onclick="document.querySelector('iframe').src = '/c.csv'">Frame</button><iframe></iframe>`)
			return
		case "/slow", "/endless":
			w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
			chunk := make([]byte, 1<<16)
			for {
				if _, err := w.Write(chunk); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				if r.URL.Path == "/slow" {
					<-r.Context().Done()
					return
				}
			}
		}
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Disposition", "attachment; filename="+r.URL.Path[1:])
		io.WriteString(w, "a,b\n1,2\n")
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestDownloadsAreHandedOver(t *testing.T) {
	t.Parallel()
	srv := fileSite(t)
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	mine, others := newKept(), newKept()
	s := openWith(t, p, browser.Options{Downloads: mine.take})
	openWith(t, p, browser.Options{}) // refusing, and keeping, changes nothing for the first
	other := openWith(t, p, browser.Options{Downloads: others.take})

	page, err := s.Navigate(t.Context(), srv.URL+"/nav.csv")
	if err != nil || page.URL != "about:blank" || !cmp.Equal(page.Downloads, []browser.Started{{Filename: "nav.csv"}}) {
		t.Errorf("navigating to a file: %+v, %v", page, err)
	}
	<-mine.more
	for _, name := range []string{"Get", "Data", "Blob", "Frame", "Tab"} {
		navigate(t, s, srv.URL+"/")
		before := click(t, s, name)
		<-mine.more
		after, err := s.Page(t.Context())
		notes := append(before.Downloads, after.Downloads...)
		if err != nil || len(notes) != 1 || notes[0].Refused != "" || after.Title != "Files" {
			t.Errorf("%s: %+v, then %+v, %v", name, before, after, err)
		}
	}
	navigate(t, other, srv.URL+"/other.csv")
	<-others.more
	// The answer to a new tab comes before the tab is listened to.
	want := []string{"a.csv a.csv text/csv 8 a,b\n1,2\n", "b.csv b.csv text/csv 8 a,b\n1,2\n", "c.csv c.csv text/csv 8 a,b\n1,2\n", "nav.csv nav.csv text/csv 8 a,b\n1,2\n"}
	for i, f := range mine.files {
		mine.files[i] = strings.Replace(f, "b.csv b.csv  8", "b.csv b.csv text/csv 8", 1)
	}
	got := slices.DeleteFunc(mine.sorted(), func(f string) bool { return !strings.HasSuffix(f, "a,b\n1,2\n") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all := strings.Join(mine.sorted(), "\n"); !strings.Contains(all, "5 hello") || !strings.Contains(all, "6 blobby") || strings.Contains(all, "..") {
		t.Errorf("those of the page's own: %s", all)
	}
	if diff := cmp.Diff([]string{"other.csv other.csv text/csv 8 a,b\n1,2\n"}, others.sorted()); diff != "" {
		t.Error("the other session:", diff)
	}
	s.Close()
	other.Close()
	if found := filesWith(t, dir, "session-"); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
	p.Close()
}

func TestDownloadsAreLimited(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many downloads")
	srv := fileSite(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits.DownloadBytes, o.Limits.Downloads = 1<<20, 2 })
	k := newKept()
	ended := make(chan string, 100)
	s := openWith(t, p, browser.Options{Downloads: k.take, Observe: func(e browser.Event) {
		if e.Method == "Browser.downloadProgress" {
			ended <- string(e.Params)
		}
	}})
	navigate(t, s, srv.URL+"/")
	click(t, s, "Endless")
	if e := <-ended; !strings.Contains(e, `"canceled"`) || !strings.Contains(e, "larger than 1048576 bytes") {
		t.Errorf("a file without end: %s", e)
	}
	for range 2 {
		click(t, s, "Slow")
	}
	if p := click(t, s, "Get"); len(p.Downloads) != 1 || !strings.Contains(p.Downloads[0].Refused, "2 downloads are under way") {
		t.Errorf("a third: %+v", p)
	}
	<-ended
	soon(t, "closing", func() { s.Close() })
	if files := k.sorted(); len(files) > 0 {
		t.Errorf("handed over: %v", files)
	}
}

func TestClosingWaitsForDownloads(t *testing.T) {
	t.Parallel()
	srv := fileSite(t)
	p := sharedProvider(t)
	begun, free := make(chan struct{}), make(chan struct{})
	var taken error = errors.New("not at all")
	s := openWith(t, p, browser.Options{Downloads: func(ctx context.Context, d browser.Download) error {
		close(begun)
		<-free
		_, taken = io.ReadAll(d.Content)
		return ctx.Err()
	}})
	navigate(t, s, srv.URL+"/a.csv")
	<-begun
	closed := make(chan struct{})
	go func() { s.Close(); close(closed) }()
	<-s.Done()
	select {
	case <-closed:
		t.Error("closed while a file was being taken")
	default:
	}
	close(free)
	<-closed
	if taken != nil {
		t.Errorf("the file: %v", taken)
	}
}

func TestADownloadDuringTheDeathOfTheBrowser(t *testing.T) {
	t.Parallel()
	srv := fileSite(t)
	p := chrometest.Provider(t)
	k := newKept()
	s := openWith(t, p, browser.Options{Downloads: k.take})
	navigate(t, s, srv.URL+"/")
	click(t, s, "Slow")
	syscall.Kill(chrome.BrowserPID(p), syscall.SIGKILL)
	<-s.Done()
	soon(t, "closing", func() { s.Close() })
	if s.Err() == nil || len(k.sorted()) > 0 {
		t.Errorf("%v, handed over: %v", s.Err(), k.sorted())
	}
}
