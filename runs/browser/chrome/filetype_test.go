package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// tinyPDF is what a viewer would show as an empty page.
const tinyPDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n"

// typedSite has files that are answered as what they are, and others.
func typedSite(t *testing.T) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			io.WriteString(w, `<title>Papers</title><a href=/paper.pdf>Paper</a><a href=/paper.pdf target=_blank>Aside</a>`)
		case "/paper.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, tinyPDF)
		case "/picture":
			w.Header().Set("Content-Disposition", "attachment; filename=picture.bin")
			io.WriteString(w, "\x89PNG\x0D\x0A\x1A\x0A")
		case "/data.json":
			w.Header().Set("Content-Disposition", "attachment")
			io.WriteString(w, "{}")
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestAPDFIsAFile(t *testing.T) {
	t.Parallel()
	srv := typedSite(t)
	p := sharedProvider(t)
	k := newKept()
	s := openWith(t, p, browser.Options{Downloads: k.take})
	page, err := s.Navigate(t.Context(), srv.URL+"/paper.pdf")
	if err != nil || !cmp.Equal(page.Downloads, []browser.Started{{Filename: "paper.pdf"}}) {
		t.Errorf("navigating: %+v, %v", page, err)
	}
	<-k.more
	for _, name := range []string{"Paper", "Aside"} {
		navigate(t, s, srv.URL+"/")
		click(t, s, name)
		soon(t, name, func() { <-k.more })
		if page, err := s.Page(t.Context()); err != nil || page.Title != "Papers" || len(s.Tabs()) != 1 {
			t.Errorf("%s: %+v, %v, %v", name, page, s.Tabs(), err)
		}
	}
	for _, f := range k.sorted() {
		if f != "paper.pdf paper.pdf application/pdf 183 %PDF-1.4" {
			t.Error(f)
		}
	}
	refusing := openWith(t, p, browser.Options{})
	page, err = refusing.Navigate(t.Context(), srv.URL+"/paper.pdf")
	if err != nil && !errtypes.Is(err, errtypes.BadGateway) || err == nil && (len(page.Downloads) != 1 || page.Downloads[0].Refused == "") {
		t.Errorf("where no downloads are kept: %+v, %v", page, err)
	}
}

// Files of the pages of clients' own contexts have the type that the server
// gives them.
func TestFilesOfClientsHaveATypeEach(t *testing.T) {
	t.Parallel()
	srv := typedSite(t)
	k := newKept()
	s := openWith(t, sharedProvider(t), browser.Options{Downloads: k.take})
	c := connect(t, s)
	guest, _ := c.guestPage()
	for _, path := range []string{"/paper.pdf", "/picture", "/data.json"} {
		c.start(guest, "Page.navigate", map[string]any{"url": srv.URL + path})
		<-k.more
	}
	c.save(guest, "text", k)
	want := []string{
		"data.json data.json text/plain 2 {}", "paper.pdf paper.pdf application/pdf 183 %PDF-1.4",
		"picture picture.bin image/png 8 \x89PNG\r\n\x1a\n", "plain text.txt text/plain 4 text",
	}
	if diff := cmp.Diff(want, k.sorted()); diff != "" {
		t.Error(diff)
	}
}
