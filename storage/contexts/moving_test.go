package contexts

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/drover-go/drover/errtypes"
)

// export is the tar file of what was saved last.
func (w *world) export(t *testing.T, id string) ([]byte, Restored) {
	t.Helper()
	var file bytes.Buffer
	got := must(w.Export(t.Context(), id, &file))(t)
	return file.Bytes(), got
}

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, w *world) {
		from, to := w.create(t, ""), w.create(t, "")
		_, err := w.Export(t.Context(), from.ID, &bytes.Buffer{})
		fails(t, err, errtypes.NotFound)
		w.save(t, from.ID, "hello")
		file, got := w.export(t, from.ID)
		if got.Files != 2 || got.Fault != nil {
			t.Errorf("%+v", got)
		}
		if err := w.Import(t.Context(), to.ID, bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		if content, _ := w.saved(t, to.ID); content != "hello" {
			t.Errorf("%q", content)
		}
		w.use(t, to.ID, "session", true)
		fails(t, w.Import(t.Context(), to.ID, bytes.NewReader(file)), errtypes.Conflict)
		if content, _ := w.saved(t, to.ID); content != "hello" {
			t.Errorf("%q", content)
		}
	})
}

// tarOf is a tar file of entries, each a name and its content.
func tarOf(t *testing.T, entries ...[2]string) string {
	t.Helper()
	var file bytes.Buffer
	w := tar.NewWriter(&file)
	for _, e := range entries {
		h := &tar.Header{Name: e[0], Typeflag: tar.TypeReg, Size: int64(len(e[1])), Mode: 0o600}
		if strings.HasSuffix(e[0], "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func TestWhatIsNoWholeProfileTakesThePlaceOfNone(t *testing.T) {
	t.Parallel()
	w := open(t, "", Config{})
	c := w.create(t, "")
	w.save(t, c.ID, "good")
	long := strings.Repeat("n", 200) // needs a header of its own before that of the file
	whole := tarOf(t, [2]string{"Default/", ""}, [2]string{cookies, "session=1"}, [2]string{"Default/Zeros", strings.Repeat("\x00", 2048)}, [2]string{"Default/" + long, "x"})
	for name, bad := range map[string]string{
		"empty":     "",
		"text":      strings.Repeat("no tar file ", 100),
		"above":     tarOf(t, [2]string{"../x", ""}),
		"twice":     tarOf(t, [2]string{"Default/", ""}, [2]string{cookies, "1"}, [2]string{cookies, "2"}),
		"below":     tarOf(t, [2]string{cookies, "1"}, [2]string{cookies + "/x", "2"}),
		"long":      tarOf(t, [2]string{"Default/" + strings.Repeat("x", 300), ""}),
		"no folder": tarOf(t, [2]string{"Cookies", "session=1"}),
		"a file":    tarOf(t, [2]string{"Default", "session=1"}),
		"nothing":   tarOf(t),
	} {
		err := w.Import(t.Context(), c.ID, strings.NewReader(bad))
		if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != "file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n := 0; n < len(whole)-512; n += 256 { // also between two entries
		err := w.Import(t.Context(), c.ID, iotest.OneByteReader(strings.NewReader(whole[:n])))
		if !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("cut after %d of %d bytes: %v", n, len(whole), err)
		}
	}
	if content, got := w.saved(t, c.ID); content != "good" || got.Fault != nil {
		t.Errorf("%q, %+v", content, got)
	}
	for _, good := range []string{whole, whole + strings.Repeat("\x00", 8192)} { // as tar pads
		if err := w.Import(t.Context(), c.ID, strings.NewReader(good)); err != nil {
			t.Fatal(err)
		}
	}
	if content, _ := w.saved(t, c.ID); content != "session=1" {
		t.Errorf("%q", content)
	}
}

func TestAnExportOfAnOlderVersionSaysSo(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), Config{})
	c := w.create(t, "")
	w.save(t, c.ID, "one")
	w.save(t, c.ID, "two")
	damage(t, w.file(t, w.row(t, c.ID).blob), func(p []byte) []byte { return p[:len(p)-16] })
	file, got := w.export(t, c.ID)
	if !bytes.Contains(file, []byte("one")) || got.Fault == nil || !strings.Contains(errtypes.Public(got.Fault).Message, "damaged") {
		t.Errorf("%+v", got)
	}
}

func TestAProfileInTheClearDoesNotOutliveItsProcess(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	left := filepath.Join(temp, tempPrefix+"of-the-dead")
	if err := errors.Join(os.MkdirAll(filepath.Join(left, "profile", "Default"), 0o700), os.WriteFile(filepath.Join(left, "owner.lock"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	w := open(t, "", Config{TempDir: temp, Limits: Limits{MaxBytes: 1 << 60}}) // which no memory holds
	w.keeper.Do(t.Context())
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is there still: %v", err)
	}
	// That of a living process stays, and goes with its work.
	c := w.create(t, "")
	r, feed := io.Pipe()
	done := make(chan error)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { done <- w.Import(ctx, c.ID, r) }()
	if _, err := io.WriteString(feed, tarOf(t, [2]string{cookies, "secret"})[:1024]); err != nil {
		t.Fatal(err)
	}
	if err := w.sweepTemp(t.Context()); err != nil {
		t.Error(err)
	}
	if n := inTheClear(t, temp); n != 1 {
		t.Errorf("%d folders while it works", n)
	}
	over := errors.New("over")
	cancel(over)
	feed.CloseWithError(over)
	if err := <-done; !errors.Is(err, over) || errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	if n := inTheClear(t, temp); n != 0 {
		t.Errorf("%d folders are left", n)
	}
}

// inTheClear counts the folders of imports and exports.
func inTheClear(t *testing.T, temp string) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(temp, tempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
