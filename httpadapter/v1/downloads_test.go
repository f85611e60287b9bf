package v1

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// shelf is a handler with downloads.
type shelf struct {
	http.Handler
	downloads.Service
	blobs blob.Store
	ctx   context.Context // of the project of the key
	key   string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	db := storagetest.Open(t)
	s, key := openOn(t, db)
	sh := &shelf{blobs: blob.NewMemory(nil), key: key}
	var err error
	if sh.Service, err = downloads.Open(downloads.Config{DB: db, Callers: s.Projects, Blobs: sh.blobs}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sh.Close(context.Background()) })
	p, err := s.Projects.Authenticate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	sh.ctx = projects.With(t.Context(), p)
	s.Downloads = sh.Service
	sh.Handler = New(s, options())
	return sh
}

func (s *shelf) store(t *testing.T, name, content string) downloads.Download {
	t.Helper()
	d, err := s.Store(s.ctx, downloads.New{SessionID: "s", Filename: name, Content: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// request asks for the content of a download, or for an archive.
func (s *shelf) request(path string, headers ...string) *http.Request {
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("X-Key", s.key)
	r.Header.Set("Accept", "application/octet-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func TestSeveralRangesComeInParts(t *testing.T) {
	s := newShelf(t)
	d := s.store(t, "x", "0123456789")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, s.request("/v1/downloads/"+d.ID, "Range", "bytes=0-1, 4-5, -1"))
	kind, params, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if w.Code != 206 || kind != "multipart/byteranges" || err != nil {
		t.Fatalf("%d %s %v", w.Code, kind, err)
	}
	var got []string
	for parts := multipart.NewReader(w.Body, params["boundary"]); ; {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(p)
		got = append(got, p.Header.Get("Content-Range")+" "+p.Header.Get("Content-Type")+" "+string(content))
	}
	want := []string{"bytes 0-1/10 application/octet-stream 01", "bytes 4-5/10 application/octet-stream 45", "bytes 9-9/10 application/octet-stream 9"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", w.Header())
	}
}

// Who has read a part asks for the rest if it is still the same.
func TestInterruptedReadingGoesOn(t *testing.T) {
	s := newShelf(t)
	d := s.store(t, "x", "0123456789")
	for etag, want := range map[string]string{`"` + d.Checksum() + `"`: "456789", `"other"`: "0123456789"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, s.request("/v1/downloads/"+d.ID, "Range", "bytes=4-", "If-Range", etag))
		if w.Body.String() != want {
			t.Errorf("%s: %d %s", etag, w.Code, w.Body)
		}
	}
}

// An answer that takes long has a new deadline for each piece of it, and gives
// it back in the end.
func TestContentMovesItsDeadlineOn(t *testing.T) {
	s := newShelf(t)
	const timedPiece = 1 << 20 // of package api
	d := s.store(t, "x", strings.Repeat("x", 3*timedPiece))
	for _, path := range []string{"/v1/downloads/" + d.ID, "/v1/sessions/s/downloads"} {
		w := &deadlines{ResponseWriter: httptest.NewRecorder()}
		s.ServeHTTP(w, s.request(path))
		last := len(w.set) - 1
		if last < 3 || last > 5 || !w.set[last].IsZero() {
			t.Fatalf("%s: deadlines %v", path, w.set)
		}
		for i, at := range w.set[:last] {
			if time.Until(at) > time.Minute || i > 0 && at.Before(w.set[i-1]) {
				t.Errorf("%s: deadlines %v", path, w.set)
			}
		}
	}
}

// lossy loses the blobs once an archive has begun.
type lossy struct {
	*httptest.ResponseRecorder
	lose func()
}

func (l lossy) WriteHeader(status int) {
	l.lose()
	l.ResponseRecorder.WriteHeader(status)
}

func (l lossy) Write(p []byte) (int, error) {
	l.lose()
	return l.ResponseRecorder.Write(p)
}

func TestArchiveThatCannotBeWholeIsBrokenOff(t *testing.T) {
	s := newShelf(t)
	s.store(t, "x", "0123456789")
	w := lossy{httptest.NewRecorder(), func() {
		for e := range s.blobs.All(t.Context()) {
			s.blobs.Delete(t.Context(), e.Key)
		}
	}}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("it ended with %v", p)
		}
	}()
	s.ServeHTTP(w, s.request("/v1/sessions/s/downloads"))
	t.Errorf("it came to its end: %d bytes of %s", w.Body.Len(), w.Header().Get("Content-Length"))
}

func TestEmptyArchiveIsAsSmallAsTheyGet(t *testing.T) {
	s := newShelf(t)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, s.request("/v1/sessions/none/downloads"))
	if w.Body.Len() != 22 || w.Header().Get("Content-Length") != "22" || w.Header().Get("Content-Type") != "application/zip" {
		t.Errorf("%d bytes, %v", w.Body.Len(), w.Header())
	}
}

func TestArchiveHasTheLengthThatItSays(t *testing.T) {
	at := time.Date(2026, 1, 31, 23, 59, 58, 0, time.UTC)
	for _, sizes := range [][]int64{{}, {0}, {1, 2, 3}, {100_000, 0, 7}} {
		a := &archive{}
		for _, size := range sizes {
			a.all = append(a.all, downloads.Download{Filename: "é.txt", Size: size, CreatedAt: at})
		}
		var b bytes.Buffer
		err := a.write(&b, func(d downloads.Download) (io.ReadCloser, error) {
			return io.NopCloser(io.LimitReader(anything{}, d.Size)), nil
		})
		length, err2 := a.length()
		if err != nil || err2 != nil || length != int64(b.Len()) {
			t.Errorf("%v: %d bytes, said %d; %v %v", sizes, b.Len(), length, err, err2)
		}
		z, err := zip.NewReader(bytes.NewReader(b.Bytes()), length)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range z.File {
			if f.UncompressedSize64 != uint64(sizes[i]) || !f.Modified.Equal(at) || f.NonUTF8 {
				t.Errorf("%+v", f.FileHeader)
			}
		}
	}
}

func TestArchiveMayBeLargerThan4GiB(t *testing.T) {
	a := &archive{all: []downloads.Download{{Filename: "x", Size: 5 << 30}, {Filename: "y", Size: 1}}}
	var tail lastBytes
	err := a.write(&tail, func(d downloads.Download) (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(anything{}, d.Size)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(&tail, tail.size)
	if err != nil {
		t.Fatal(err)
	}
	if len(z.File) != 2 || z.File[0].UncompressedSize64 != 5<<30 {
		t.Errorf("%+v", z.File)
	}
	if n, err := z.File[1].DataOffset(); err != nil || n < 5<<30 {
		t.Errorf("the second begins at %d, %v", n, err)
	}
}

// lastBytes is a large file of which only the end can be read.
type lastBytes struct {
	size int64
	end  []byte
}

func (l *lastBytes) Write(p []byte) (int, error) {
	const most = 4 << 10
	l.size += int64(len(p))
	if len(p) > most {
		l.end = l.end[:0]
	}
	l.end = append(l.end, p[max(0, len(p)-most):]...)
	return len(p), nil
}

func (l *lastBytes) ReadAt(p []byte, at int64) (int, error) {
	from := at - (l.size - int64(len(l.end)))
	if from < 0 {
		return 0, fmt.Errorf("byte %d is not kept", at)
	}
	n := copy(p, l.end[min(from, int64(len(l.end))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func TestArchiveKeepsNamesApart(t *testing.T) {
	at := time.UnixMilli(1719265797164)
	var all []downloads.Download
	for _, name := range []string{"sample.pdf", "sample.pdf", "SAMPLE.pdf", "sample", "sample-1719265797164-2.pdf", "sample.pdf", strings.Repeat("x", 255)} {
		all = append(all, downloads.Download{Filename: name, CreatedAt: at})
	}
	all = append(all, downloads.Download{Filename: "sample.pdf", CreatedAt: at.Add(time.Millisecond)})
	want := []string{
		"sample-1719265797164.pdf", "sample-1719265797164-2.pdf", "SAMPLE-1719265797164-3.pdf", "sample-1719265797164",
		"sample-1719265797164-2-1719265797164.pdf", "sample-1719265797164-4.pdf", strings.Repeat("x", 241) + "-1719265797164", "sample-1719265797165.pdf",
	}
	if diff := cmp.Diff(want, archiveNames(all)); diff != "" {
		t.Error(diff)
	}
}

// Thousands of the same name must not take their square.
func TestArchiveNamesOfMany(t *testing.T) {
	all := make([]downloads.Download, 10_000)
	for i := range all {
		all[i].Filename = "x"
	}
	seen := map[string]bool{}
	for _, name := range archiveNames(all) {
		seen[name] = true
	}
	if len(seen) != len(all) {
		t.Errorf("%d names of %d files", len(seen), len(all))
	}
}
