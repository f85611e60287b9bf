package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func zipOf(t testing.TB, all ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range all {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(0o644)
		if e.kind == tar.TypeSymlink {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, e.text)
	}
	w.Close()
	return b.Bytes()
}

// The same files come of a zip file, a tar file and one in gzip; only who takes any
// archive takes the first two.
func TestArchivesAreToldApart(t *testing.T) {
	t.Parallel()
	files := []entry{{name: "a/b.txt", text: "b"}, {name: "link", text: "/etc/passwd", kind: tar.TypeSymlink}, {name: "skip/x", text: "x"}}
	packed := pack(t, files...)
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	tarred, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	for name, archive := range map[string][]byte{"zip": zipOf(t, files...), "tar": tarred, "gzip": packed} {
		dir := t.TempDir()
		left, err := Unpack(t.Context(), bytes.NewReader(archive), dir, Options{Any: true, Skip: []string{"skip"}})
		if got := tree(t, dir); err != nil || got != "a/b.txt=b" || strings.Join(left, ",") != "link" {
			t.Errorf("%s: %q, left out %v, %v", name, got, left, err)
		}
		if _, err := Unpack(t.Context(), bytes.NewReader(archive), t.TempDir(), Options{}); (err == nil) != (name == "gzip") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A zip file is bounded and refused as others are.
func TestHostileZipFiles(t *testing.T) {
	t.Parallel()
	o := Options{Any: true, Limits: Limits{MaxUnpacked: 1 << 20, MaxFiles: 10}}
	many := make([]entry, 11)
	for i := range many {
		many[i] = entry{name: strings.Repeat("x", i+1)}
	}
	whole := zipOf(t, entry{name: "a", text: strings.Repeat("text", 100)})
	damaged := bytes.Clone(whole)
	damaged[40] ^= 0xff
	for words, archive := range map[string][]byte{
		"not below its root":   zipOf(t, entry{name: "../a"}),
		`"/etc/passwd"`:        zipOf(t, entry{name: "/etc/passwd"}),
		`path "a\\..\\b"`:      zipOf(t, entry{name: `a\..\b`}),
		"twice":                zipOf(t, entry{name: "a"}, entry{name: "a"}),
		"as a file":            zipOf(t, entry{name: "a"}, entry{name: "a/b/c"}),
		"more than 1048576":    zipOf(t, entry{name: "a", text: strings.Repeat("\x00", 2<<20)}),
		"more than 10 files":   zipOf(t, many...),
		"the archive is not w": whole[:len(whole)-10],
		"is not whole":         damaged,
	} {
		dir := t.TempDir()
		_, err := Unpack(t.Context(), bytes.NewReader(archive), dir, o)
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", words, err)
		}
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Error(err)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, entry{name: "a/b", text: "b"}, entry{name: "link", text: "a", kind: tar.TypeSymlink}))
	f.Fuzz(func(t *testing.T, archive []byte) {
		dir := t.TempDir()
		_, err := Unpack(t.Context(), bytes.NewReader(archive), dir, Options{Any: true, Limits: Limits{MaxUnpacked: 1 << 20, MaxFiles: 20}})
		if err != nil && !errtypes.Is(err, errtypes.Invalid) {
			t.Error(err)
		}
	})
}
