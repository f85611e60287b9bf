package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

const uploadPage = `<title>Upload</title><script>
function told(input) { Promise.all([...input.files].map(async f => f.name + '=' + await f.text())).then(all => document.querySelector('output').value = input.id + ': ' + all.join(' ')) }
</script><output></output>
<label>One <input type=file id=one onchange=told(this)></label>
<input type=file id=many multiple aria-label=Many onchange=told(this)>
<input type=file id=dir webkitdirectory aria-label=Folder>
<input type=file id=hidden style="display:none" onchange=told(this)><button onclick="document.querySelector('#hidden').click()">Choose</button>
<button onclick="const i = document.createElement('input'); i.type = 'file'; i.id = 'made'; i.onchange = () => told(i); i.click()">Made</button>
<button onclick="document.querySelector('output').value = 'nothing'">Nothing</button><textarea aria-label=Text></textarea>`

func file(name, content string) browser.File {
	return browser.File{Name: name, Content: strings.NewReader(content)}
}

func TestUploads(t *testing.T) {
	t.Parallel()
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	srv := pages(t, map[string]string{"/": uploadPage, "/framed": `<iframe src="{other}/" style="width:900px;height:600px"></iframe>`})
	s := chrometest.Session(t, p)
	for _, url := range []string{srv.URL + "/", at(srv, "main.test", "/framed")} {
		for name, c := range map[string]struct {
			files []browser.File
			want  string
		}{
			"One":    {[]browser.File{file("../../a\x00b.txt", "alpha")}, "one: ab.txt=alpha"},
			"Many":   {[]browser.File{file("x", "1"), file("x", "2")}, "many: x=1 x=2"},
			"Choose": {[]browser.File{file(`C:\evil\c.csv`, "c")}, "hidden: c.csv=c"},
			"Made":   {[]browser.File{file("..", "d")}, "made: file=d"},
		} {
			navigate(t, s, url)
			if _, err := s.Upload(t.Context(), ref(t, s, name), c.files); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !says(t, s, c.want) {
				t.Errorf("%s: %s", name, lines(snapshot(t, s)))
			}
		}
	}
	s.Close()
	if found := filesWith(t, dir, "session-"); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
	p.Close()
}

func TestUploadsThatCannotBe(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of refusal")
	p := chrometest.Provider(t, func(o *chrome.Options) {
		o.Limits.UploadBytes, o.Limits.UploadedBytes, o.Limits.UploadFiles = 10, 15, 2
	})
	s := chrometest.Session(t, p)
	navigate(t, s, pages(t, map[string]string{"/": uploadPage}).URL+"/")
	for name, c := range map[string]struct {
		element string
		files   []browser.File
		text    string
	}{
		"a folder":        {"Folder", []browser.File{file("a", "b")}, "takes a directory"},
		"two for one":     {"One", []browser.File{file("a", "b"), file("b", "c")}, "takes one file"},
		"two for chooser": {"Choose", []browser.File{file("a", "b"), file("b", "c")}, "takes one file"},
		"no chooser":      {"Nothing", []browser.File{file("a", "b")}, "takes no files"},
		"none":            {"Many", nil, "between 1 and 2"},
		"too many":        {"Many", []browser.File{file("a", ""), file("a", ""), file("a", "")}, "between 1 and 2"},
		"too large":       {"Many", []browser.File{file("a", "123456"), file("b", "12345")}, "too large"},
		"no content":      {"Many", []browser.File{{Name: "a"}}, "contents"},
	} {
		if _, err := s.Upload(t.Context(), ref(t, s, c.element), c.files); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i, want := range []bool{true, false} {
		if _, err := s.Upload(t.Context(), ref(t, s, "Many"), []browser.File{file("a", "1234567890")}); (err == nil) != want {
			t.Errorf("%d within the session's limit: %v", i, err)
		}
	}
	var stale *browser.StaleError
	if _, err := s.Upload(t.Context(), "e99999", []browser.File{file("a", "b")}); !asError(err, &stale) {
		t.Errorf("a stale element: %v", err)
	}
}

func TestChoosersThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<title>Chooser</title><input type=file id=f style="display:none" oncancel="document.querySelector('output').value = 'cancelled'">
<output></output><button onclick="document.querySelector('#f').click()">Choose</button>
<button onclick="showOpenFilePicker().catch(e => document.querySelector('output').value = e.name)">Pick</button><button onclick="document.querySelector('output').value = 'alive'">Live</button>`)
	}))
	t.Cleanup(srv.Close)
	s := open(t)
	navigate(t, s, srv.URL)
	soon(t, "a chooser", func() { click(t, s, "Choose") })
	if !says(t, s, "cancelled") {
		t.Errorf("the page is not told: %s", lines(snapshot(t, s)))
	}
	soon(t, "a picker", func() { click(t, s, "Pick") })
	soon(t, "the page", func() { click(t, s, "Live") })
	if !says(t, s, "alive") {
		t.Errorf("the page hangs: %s", lines(snapshot(t, s)))
	}
}
