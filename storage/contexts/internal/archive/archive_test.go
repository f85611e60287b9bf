package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
)

// pair is the key of a test's context; making one takes a while.
var pair = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

var roomy = Limits{MaxBytes: 1 << 30, MaxFiles: 1000}

// folder writes files, by their names, into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files reads a folder; the names of folders end with a slash.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			all[name+"/"] = ""
			return nil
		}
		content, err := os.ReadFile(path)
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func pack(t *testing.T, dir string) []byte {
	t.Helper()
	var packed bytes.Buffer
	if _, err := Pack(t.Context(), &packed, dir, &pair().PublicKey, "c1", roomy); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func unpack(t *testing.T, packed []byte, contextID string) (map[string]string, error) {
	t.Helper()
	dir := t.TempDir()
	_, err := Unpack(t.Context(), bytes.NewReader(packed), int64(len(packed)), dir, pair(), contextID, roomy)
	return files(t, dir), err
}

func random(n int) string {
	p := make([]byte, n)
	rand.Read(p)
	return string(p)
}

func TestFolderComesBack(t *testing.T) {
	for name, content := range map[string]map[string]string{
		"empty":        {},
		"small":        {"Default/Cookies": "secret canary", "Local State": "{}"},
		"an empty one": {"Default/Empty": ""},
		"names":        {"Default/https_example.com_0.indexeddb.leveldb/ü ñ.log": "x", strings.Repeat("d/", 60) + strings.Repeat("n", 200): "y"},
		"large":        {"a": random(3*chunk + 5), "b": strings.Repeat("x", 5<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, content)
			packed := pack(t, dir)
			if bytes.Contains(packed, []byte("canary")) || bytes.Contains(packed, []byte("Cookies")) {
				t.Error("a plain text is in the archive")
			}
			got, err := unpack(t, packed, "c1")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(files(t, dir), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNoFilesButThoseOfTheFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a": "x"})
	for name, to := range map[string]string{"SingletonLock": "host-123", "link": "/etc/passwd"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := unpack(t, pack(t, dir), "c1")
	if diff := cmp.Diff(map[string]string{"a": "x"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// Whatever is changed, nothing of it is written to disk.
func TestEveryByteIsAuthenticated(t *testing.T) {
	packed := pack(t, folder(t, map[string]string{"a": random(1000), "b": "hello"}))
	check := func(what string, i int, changed []byte) {
		t.Helper()
		if got, err := unpack(t, changed, "c1"); !errors.Is(err, ErrDamaged) || len(got) > 0 {
			t.Errorf("%s %d of %d: %v, %v", what, i, len(packed), err, got)
		}
	}
	every := testlevel.Of(5, 1)
	for i := range packed {
		if i%every != 0 && i < len(packed)-40 {
			continue
		}
		changed := bytes.Clone(packed)
		changed[i] ^= 0x40
		check("changed byte", i, changed)
		if i%(7*every) == 0 || i > len(packed)-40 {
			check("cut at", i, packed[:i])
		}
	}
	check("with more behind it", 0, append(bytes.Clone(packed), make([]byte, 32)...))
	if _, err := unpack(t, packed, "c2"); !errors.Is(err, ErrDamaged) {
		t.Errorf("as another context's: %v", err)
	}
}

func TestAnotherKeyOpensNothing(t *testing.T) {
	packed := pack(t, folder(t, map[string]string{"a": "x"}))
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack(t.Context(), bytes.NewReader(packed), int64(len(packed)), t.TempDir(), other, "c1", roomy); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

func TestTwoArchivesOfAFolderHaveNothingInCommon(t *testing.T) {
	dir := folder(t, map[string]string{"a": strings.Repeat("x", 1000)})
	one, two := pack(t, dir), pack(t, dir)
	for i := 10; i+16 < len(one); i++ {
		if bytes.Contains(two, one[i:i+16]) {
			t.Fatalf("16 bytes from %d on are the same", i)
		}
	}
}

func TestLimits(t *testing.T) {
	dir := folder(t, map[string]string{"a": "123", "b": "456", "c/d": "7"})
	for name, l := range map[string]Limits{"bytes": {MaxBytes: 6, MaxFiles: 100}, "files": {MaxBytes: 100, MaxFiles: 3}} {
		_, err := Pack(t.Context(), &bytes.Buffer{}, dir, &pair().PublicKey, "c1", l)
		if !errtypes.Is(err, errtypes.TooLarge) {
			t.Errorf("%s, packing: %v", name, err)
		}
		packed := pack(t, dir)
		_, err = Unpack(t.Context(), bytes.NewReader(packed), int64(len(packed)), t.TempDir(), pair(), "c1", l)
		if !errtypes.Is(err, errtypes.TooLarge) {
			t.Errorf("%s, unpacking: %v", name, err)
		}
	}
}

// A folder counts though nothing in the tar file says more of it than that
// something is in it, and once.
func TestFoldersWithoutAnEntryCount(t *testing.T) {
	unpack := func(most int, names ...string) (Stats, error) {
		var made bytes.Buffer
		w := tar.NewWriter(&made)
		for _, name := range names {
			if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg}); err != nil {
				t.Fatal(err)
			}
		}
		return UnpackPlain(t.Context(), tar.NewReader(&made), t.TempDir(), Limits{MaxBytes: 1, MaxFiles: most})
	}
	if s, err := unpack(6, "a/b/c/1", "a/b/c/2", "./a/3"); err != nil || s.Files != 6 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, names := range [][]string{{"a/b/c/1", "a/b/c/2", "a/3"}, {strings.Repeat("x/", 1000) + "x"}} {
		if _, err := unpack(5, names...); !errtypes.Is(err, errtypes.TooLarge) {
			t.Errorf("%.20q: %v", names, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if _, err := Pack(ctx, &bytes.Buffer{}, folder(t, map[string]string{"a": "x"}), &pair().PublicKey, "c1", roomy); !errors.Is(err, over) {
		t.Error(err)
	}
}

// full is a disk with no room left after some bytes.
type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestAFullDiskIsTold(t *testing.T) {
	dir := folder(t, map[string]string{"a": random(4 * chunk)})
	for _, room := range []int{0, 100, 2 * chunk, 4 * chunk} {
		if _, err := Pack(t.Context(), &full{room}, dir, &pair().PublicKey, "c1", roomy); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

// A tar file that people bring from elsewhere may say anything.
func TestHostileTarFiles(t *testing.T) {
	for name, h := range map[string]tar.Header{
		"above":         {Name: "../x", Typeflag: tar.TypeReg},
		"above, hidden": {Name: "a/../../x", Typeflag: tar.TypeReg},
		"absolute":      {Name: "/tmp/x", Typeflag: tar.TypeReg},
		"itself":        {Name: ".", Typeflag: tar.TypeReg},
		"a link":        {Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
		"a hard link":   {Name: "x", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"},
		"a device":      {Name: "x", Typeflag: tar.TypeChar},
		"too large":     {Name: "x", Typeflag: tar.TypeReg, Size: 2 << 30},
	} {
		t.Run(name, func(t *testing.T) {
			var made bytes.Buffer
			if err := tar.NewWriter(&made).WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := UnpackPlain(t.Context(), tar.NewReader(&made), dir, roomy); err == nil {
				t.Error("it was taken")
			}
			if got := files(t, dir); len(got) > 0 {
				t.Errorf("it wrote %v", got)
			}
		})
	}
}

func FuzzUnpack(f *testing.F) {
	var packed bytes.Buffer
	dir := f.TempDir()
	os.WriteFile(filepath.Join(dir, "a"), []byte("hello"), 0o600)
	if _, err := Pack(f.Context(), &packed, dir, &pair().PublicKey, "c1", roomy); err != nil {
		f.Fatal(err)
	}
	f.Add(packed.Bytes())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, p []byte) {
		got, err := unpack(t, p, "c1")
		if err == nil && !bytes.Equal(p, packed.Bytes()) {
			t.Errorf("what nobody packed was unpacked: %v", got)
		}
	})
}
