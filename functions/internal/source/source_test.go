package source

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// entry is one of an archive; a text that ends in a slash is a directory.
type entry struct {
	name, text string
	kind       byte
}

func pack(t testing.TB, all ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range all {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), Typeflag: e.kind}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag != tar.TypeReg {
			h.Size, h.Linkname = 0, e.text
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			io.WriteString(w, e.text)
		}
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

// tree is what stands below a directory.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		if err != nil || d.IsDir() {
			return err
		}
		text, _ := os.ReadFile(p)
		all = append(all, rel+"="+string(text))
		return nil
	})
	return strings.Join(all, " ")
}

func TestAnArchiveIsUnpacked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left, err := Unpack(t.Context(), bytes.NewReader(pack(t,
		entry{name: "./", kind: tar.TypeDir}, entry{name: "./index.ts", text: "a"}, entry{name: "lib/", kind: tar.TypeDir}, entry{name: "lib/deep/b.ts", text: "b"},
		entry{name: ".browserbase/functions/manifests/old.json", text: "{}"}, entry{name: "lib/link", text: "/etc/passwd", kind: tar.TypeSymlink},
		entry{name: "hard", text: "index.ts", kind: tar.TypeLink}, entry{name: "pipe", kind: tar.TypeFifo},
	)), dir, Options{Skip: []string{".browserbase"}})
	if err != nil || strings.Join(left, " ") != "lib/link hard pipe" {
		t.Errorf("%q %v", left, err)
	}
	if got := tree(t, dir); got != "index.ts=a lib/deep/b.ts=b" {
		t.Errorf("%s", got)
	}
}

func TestArchivesThatAreRefused(t *testing.T) {
	t.Parallel()
	whole := pack(t, entry{name: "a", text: strings.Repeat("x", 5000)})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"up":                              {pack(t, entry{name: "../a", text: "x"}), `the path "../a", which is not below its root`},
		"up and down":                     {pack(t, entry{name: "a/../../b", text: "x"}), "not below its root"},
		"absolute":                        {pack(t, entry{name: "/etc/cron.d/a", text: "x"}), "not below its root"},
		"backslash":                       {pack(t, entry{name: `..\a`, text: "x"}), "not below its root"},
		"twice":                           {pack(t, entry{name: "a", text: "x"}, entry{name: "./a", text: "y"}), `has the path "a" twice`},
		"a file, then a directory":        {pack(t, entry{name: "a", text: "x"}, entry{name: "a/", kind: tar.TypeDir}), `has the path "a" twice`},
		"a file, then something below it": {pack(t, entry{name: "a", text: "x"}, entry{name: "a/b/c", text: "x"}), `has "a" as a file, and files below it`},
		"a file, then directories below":  {pack(t, entry{name: "d/a", text: "x"}, entry{name: "d/a/b/", kind: tar.TypeDir}), `has "d/a" as a file, and files below it`},
		"a directory, then a file":        {pack(t, entry{name: "a/", kind: tar.TypeDir}, entry{name: "a", text: "x"}), `has the path "a" twice`},
		"a long name":                     {pack(t, entry{name: "a/" + strings.Repeat("x", 300), text: "x"}), "a name of more than 255 bytes"},
		"deep":                            {pack(t, entry{name: strings.Repeat("a/", 50) + "b", text: "x"}), "more than 40 parts"},
		"long":                            {pack(t, entry{name: strings.Repeat("a", 500), text: "x"}), "more than 400 bytes"},
		"too large":                       {pack(t, entry{name: "a", text: strings.Repeat("x", 20_000)}), "have more than 10000 bytes"},
		"too many":                        {pack(t, entry{name: "a"}, entry{name: "b"}, entry{name: "c"}, entry{name: "d"}, entry{name: "e"}, entry{name: "f"}), "more than 5 files"},
		"cut":                             {whole[:len(whole)-20], "not whole"},
		"no gzip":                         {[]byte("hello"), "no tar file in gzip"},
		"empty":                           {nil, "no tar file in gzip"},
		"gzip of text":                    {zipped(t, strings.Repeat("hello", 200)), "not whole"},
	} {
		dir := t.TempDir()
		_, err := Unpack(t.Context(), bytes.NewReader(c.data), dir, Options{Limits: Limits{MaxUnpacked: 10_000, MaxFiles: 5}})
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

// A file that becomes a directory, or a link on the way, leads nowhere else.
func TestALinkOnTheWayIsNone(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	_, err := Unpack(t.Context(), bytes.NewReader(pack(t, entry{name: "way", text: outside, kind: tar.TypeSymlink}, entry{name: "way/file", text: "x"})), dir, Options{})
	if err != nil || tree(t, outside) != "" || tree(t, dir) != "way/file=x" {
		t.Errorf("%v; outside %s; inside %s", err, tree(t, outside), tree(t, dir))
	}
}

func TestUnpackingIsBrokenOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := Unpack(ctx, bytes.NewReader(pack(t, entry{name: "a"})), t.TempDir(), Options{}); !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack(f, entry{name: "a/b", text: "x"}, entry{name: "a", kind: tar.TypeDir}))
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, data []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "in")
		os.Mkdir(dir, 0o755)
		Unpack(t.Context(), bytes.NewReader(data), dir, Options{Limits: Limits{MaxUnpacked: 1 << 20, MaxFiles: 50}})
		if all, _ := os.ReadDir(parent); len(all) != 1 {
			t.Errorf("%v", all)
		}
	})
}

// Directories count whether or not they have entries of their own, once each.
func TestDirectoriesCount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data []byte
		ok   bool
	}{
		"implied by a file":      {pack(t, entry{name: "a/b/c/d/file"}), true},
		"one more":               {pack(t, entry{name: "a/b/c/d/file"}, entry{name: "e"}), false},
		"implied by a directory": {pack(t, entry{name: "a/b/c/d/e/f/", kind: tar.TypeDir}), false},
		"files of one":           {pack(t, entry{name: "a/b"}, entry{name: "a/c"}, entry{name: "a/d"}, entry{name: "a/e"}), true},
		"with their own entries": {pack(t, entry{name: "a/", kind: tar.TypeDir}, entry{name: "a/b/", kind: tar.TypeDir}, entry{name: "a/b/c"}, entry{name: "a/b/d"}), true},
		"the same again":         {pack(t, entry{name: "a/", kind: tar.TypeDir}, entry{name: "a/", kind: tar.TypeDir}, entry{name: "b/c"}), true},
	} {
		dir := t.TempDir()
		_, err := Unpack(t.Context(), bytes.NewReader(c.data), dir, Options{Limits: Limits{MaxFiles: 5}})
		if (err == nil) != c.ok || err != nil && !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
		made := -1
		filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { made++; return nil })
		if made > 5 {
			t.Errorf("%s: %d were made", name, made)
		}
	}
}
