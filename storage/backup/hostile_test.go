package backup

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
)

// refused wants neither a restore nor a verification to take the archive, and that
// nothing of it is left anywhere.
func refused(t *testing.T, name string, archive []byte, kind errtypes.Kind, words string, o ReadOptions) {
	t.Helper()
	parent, temp := t.TempDir(), t.TempDir()
	o.TempDir = temp
	_, err := Restore(t.Context(), bytes.NewReader(archive), filepath.Join(parent, "a", "data"), folders, o)
	_, verified := Verify(t.Context(), bytes.NewReader(archive), folders, o)
	for what, err := range map[string]error{"restore": err, "verify": verified} {
		if !errtypes.Is(err, kind) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s, %s: %v, want %v %q", name, what, err, kind, words)
		}
	}
	for _, dir := range []string{filepath.Join(parent, "a"), temp} {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s leaves %v", name, left)
		}
	}
	if beside, _ := os.ReadDir(parent); len(beside) > 1 {
		t.Errorf("%s writes beside: %v", name, beside)
	}
}

func TestNoBackups(t *testing.T) {
	t.Parallel()
	z, _ := zstd.NewWriter(nil)
	for name, text := range map[string]string{
		"nothing": "", "one byte": "x", "a text": "hello, this is no backup", "gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00", "a tar file": strings.Repeat("\x00", 1024),
	} {
		refused(t, name, []byte(text), errtypes.Invalid, "this is no backup of Drover", ReadOptions{})
	}
	for name, text := range map[string]string{"nothing in it": "", "a text in it": strings.Repeat("hello", 1000)} {
		refused(t, name, z.EncodeAll([]byte(text), nil), errtypes.Invalid, "the backup is damaged", ReadOptions{})
	}
}

func TestCutAndDamagedBackups(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{"plain": {}, "encrypted": {Passphrase: "correct horse battery"}} {
		archive := written(t, sourceWith(t, "one", strings.Repeat("two", 1000)), o)
		read := ReadOptions{Passphrase: o.Passphrase}
		rounds := testlevel.Of(12, 60)
		if name == "encrypted" {
			rounds = testlevel.Of(3, 12) // each derives a key
		}
		for i := range rounds {
			at := 9 + (len(archive)-10)*i/rounds
			refused(t, name+" cut", archive[:at], errtypes.Invalid, "", read)
			flipped := bytes.Clone(archive)
			flipped[at] ^= 0x10
			if _, err := Verify(t.Context(), bytes.NewReader(flipped), folders, read); !errtypes.Is(err, errtypes.Invalid) && !(err == nil && sameText(t, archive, flipped)) {
				t.Errorf("%s, bit flipped at %d of %d: %v", name, at, len(archive), err)
			}
		}
		refused(t, name+" without its last byte", archive[:len(archive)-1], errtypes.Invalid, "", read)
		refused(t, name+" with a byte behind it", append(bytes.Clone(archive), 'x'), errtypes.Invalid, "damaged", read)
	}
}

// sameText reports whether two archives are the same when they are unpacked: a few
// bits of a compressed text may be so or so.
func sameText(t *testing.T, one, other []byte) bool {
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(one, nil)
	otherText, otherErr := z.DecodeAll(other, nil)
	return err == nil && otherErr == nil && bytes.Equal(text, otherText)
}

func TestPassphrases(t *testing.T) {
	t.Parallel()
	s := sourceWith(t, "canary in a blob")
	s.MasterKey = func() ([]byte, error) { return []byte("the master key"), nil }
	archive := written(t, s, Options{Passphrase: "correct horse battery", MasterKey: true})
	refused(t, "without", archive, errtypes.Invalid, "Passphrase is missing", ReadOptions{})
	refused(t, "another", archive, errtypes.Invalid, "Passphrase does not open", ReadOptions{Passphrase: "wrong horse battery"})
	refused(t, "of a plain one", written(t, sourceWith(t), Options{}), errtypes.Invalid, "the backup is not encrypted", ReadOptions{Passphrase: "correct horse battery"})
	dir := filepath.Join(t.TempDir(), "data")
	r, err := Restore(t.Context(), bytes.NewReader(archive), dir, folders, ReadOptions{Passphrase: "correct horse battery"})
	if err != nil || !r.Encrypted || !r.MasterKey || r.Files != 1 || r.Bytes != int64(len(archive)) {
		t.Fatalf("%+v, %v", r, err)
	}
	info, err := os.Stat(filepath.Join(dir, "master.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// What is changed has right hashes: nothing but Drover's own checks finds it.
func TestHostileBackups(t *testing.T) {
	t.Parallel()
	all := parts(t, written(t, sourceWith(t, "one", "two"), Options{}))
	if len(all) != 5 { // head, database, two blobs, end
		t.Fatal(len(all))
	}
	if _, err := Verify(t.Context(), bytes.NewReader(join(t, all)), folders, ReadOptions{}); err != nil {
		t.Fatal("unchanged:", err)
	}
	named := func(i int, name string) []part { return changed(all, i, func(p *part) { p.Name = name }) }
	link := func(kind byte, to string) []part {
		return changed(all, 2, func(p *part) { p.Typeflag, p.Linkname = kind, to })
	}
	key := strings.Repeat("a", 26)
	for name, one := range map[string]struct {
		parts []part
		words string
	}{
		"path upwards":        {named(2, "../../"+key), "lacks a file"},
		"path of the root":    {named(2, "/etc/"+key), "lacks a file"},
		"path in the folder":  {named(2, "downloads/aa/../../../"+key), "lacks a file"},
		"key upwards":         {named(2, "downloads/../"+"..aaaaaaaaaaaaaaaaaaaaaaaa"), "lacks a file"},
		"another folder":      {named(2, strings.Replace(all[2].Name, "downloads", "records", 1)), "lacks a file"},
		"another key":         {named(2, "downloads/aa/"+key), "lacks a file"},
		"symbolic link":       {link(tar.TypeSymlink, "/etc/passwd"), "something that Drover does not write"},
		"hard link":           {link(tar.TypeLink, "drover.db"), "something that Drover does not write"},
		"directory":           {link(tar.TypeDir, ""), "something that Drover does not write"},
		"device":              {link(tar.TypeChar, ""), "something that Drover does not write"},
		"further record":      {changed(all, 2, func(p *part) { p.PAXRecords["SCHILY.xattr.user.x"] = "1" }), "something that Drover does not write"},
		"wrong hash":          {changed(all, 2, func(p *part) { p.content, p.asIs = "eno", true }), "is not what was saved"},
		"a blob is missing":   {slices.Delete(slices.Clone(all), 2, 3), "lacks a file"},
		"the last is missing": {slices.Delete(slices.Clone(all), 3, 4), "lacks a file"},
		"one more blob":       {slices.Insert(slices.Clone(all), 4, changed(all, 3, func(p *part) { p.Name = "downloads/zz/" + strings.Repeat("z", 26) })[3]), "drover-backup-end.json is not where"},
		"twice":               {slices.Insert(slices.Clone(all), 3, all[2]), "lacks a file"},
		"other order":         {[]part{all[0], all[1], all[3], all[2], all[4]}, "lacks a file"},
		"no end":              {all[:4], "ends too early"},
		"another end":         {changed(all, 4, func(p *part) { p.asIs = true; p.content = strings.Repeat(" ", len(p.content)-2) + "{}" }), ""},
		"more behind the end": {append(slices.Clone(all), all[4]), "something follows its end"},
		"no head":             {all[1:], "drover-backup.json is not where"},
		"head of no JSON":     {changed(all, 0, func(p *part) { p.content = "hello" }), "is not what Drover writes"},
		"large head":          {changed(all, 0, func(p *part) { p.content = strings.Repeat(" ", 2<<20) }), "or too large"},
		"larger blob":         {changed(all, 2, func(p *part) { p.content = strings.Repeat("x", 100) }), "more than it says"},
		"smaller blob":        {changed(all, 2, func(p *part) { p.content = "" }), "less than it says"},
		"no database":         {changed(all, 1, func(p *part) { p.content = strings.Repeat("x", len(p.content)) }), "not a database"},
		"other database size": {headed(t, all, func(h *head) { h.Database += 4096 }), "of another database"},
		"smaller database":    {headed(t, all, func(h *head) { h.Database -= 4096 }), "or too large"},
		"foreign folder":      {headed(t, all, func(h *head) { h.Stores[0].Folder = "../x" }), "names a folder"},
		"SQL for a column":    {headed(t, all, func(h *head) { h.Stores[0].Columns[0] = "x WHERE 1; DROP TABLE x; --" }), "names columns"},
		"unknown column":      {headed(t, all, func(h *head) { h.Stores[0].Columns[0] = "job_logs.nothing" }), "its rows do not say"},
		"no columns":          {headed(t, all, func(h *head) { h.Stores[0].Columns = nil }), "names columns"},
		"folder twice":        {headed(t, all, func(h *head) { h.Stores = append(h.Stores, h.Stores[0]) }), "out of their order"},
		"fewer files":         {headed(t, all, func(h *head) { h.Files-- }), "more than it says"},
		"negative":            {headed(t, all, func(h *head) { h.Bytes = -1 }), "a number that cannot be"},
		"overflow":            {headed(t, all, func(h *head) { h.Bytes, h.Database = 1<<62, 1<<62 }), "a number that cannot be"},
		"other schema":        {headed(t, all, func(h *head) { h.Schema-- }), "of another database"},
		"format 0":            {headed(t, all, func(h *head) { h.Format = 0 }), "is not what Drover writes"},
	} {
		kind := errtypes.Invalid
		if name == "no database" {
			kind = errtypes.Conflict
		}
		refused(t, name, join(t, one.parts), kind, one.words, ReadOptions{})
	}
	refused(t, "newer format", join(t, headed(t, all, func(h *head) { h.Format = 2 })), errtypes.Conflict, "newer version of Drover: its format is 2", ReadOptions{})
	refused(t, "newer schema", join(t, headed(t, all, func(h *head) { h.Schema = storage.SchemaVersion() + 1 })), errtypes.Conflict, "newer version of Drover: its schema is", ReadOptions{})
	refused(t, "allowed size", join(t, all), errtypes.TooLarge, "at most 1000 are allowed", ReadOptions{MaxBytes: 1000})
}

// A small file that says it comes to more than the disk holds is refused before
// any of it is written.
func TestBombs(t *testing.T) {
	t.Parallel()
	all := headed(t, parts(t, written(t, sourceWith(t, "one"), Options{})), func(h *head) { h.Database, h.Bytes = 1<<59, 1<<59 })
	archive := join(t, all)
	refused(t, "allowed size", archive, errtypes.TooLarge, "comes to", ReadOptions{MaxBytes: 1 << 40})
	_, err := Restore(t.Context(), bytes.NewReader(archive), filepath.Join(t.TempDir(), "data"), folders, ReadOptions{})
	if !errtypes.Is(err, errtypes.Unavailable) && !errtypes.Is(err, errtypes.Invalid) { // where the room cannot be told
		t.Error(err)
	}
	var to bytes.Buffer
	z, err := zstd.NewWriter(&to, zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	z.Write(make([]byte, 128<<20))
	z.Close()
	refused(t, "large window", to.Bytes(), errtypes.Invalid, "the backup is damaged", ReadOptions{})
}
