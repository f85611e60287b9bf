package drover_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/backup"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
)

const backupPassphrase = "correct horse battery staple"

// filed is an Actor whose run leaves an item, a record in a row and one in a blob,
// all of which tell its input.
var filed = actors.Func("filed", func(ctx context.Context, a *actors.Run) error {
	var in struct{ Name string }
	if err := a.Input(&in); err != nil {
		return err
	}
	a.Logger().Info("files", "name", in.Name)
	return errors.Join(a.Push(ctx, map[string]string{"name": in.Name}), a.SetValue(ctx, "LARGE", strings.Repeat(in.Name, 40_000)), a.SetOutput(ctx, in.Name))
}, actors.FuncOptions{})

// long is a function whose result is a blob.
var long = functions.Func("long", func(context.Context, *functions.Invocation) (any, error) {
	return strings.Repeat("result ", 20_000), nil
}, functions.FuncOptions{})

func backupOptions(dir string) drover.Options {
	return drover.Options{
		Data: dir, Workers: drover.WorkersAlways, Actors: []actors.Definition{filed}, Functions: []functions.Definition{long},
		ActorLimits: actors.Limits{MaxUnfinished: 100_000}, Logger: slog.New(slog.DiscardHandler),
	}
}

func openForBackup(t testing.TB, dir string) *drover.Drover {
	t.Helper()
	d, err := drover.Open(context.Background(), backupOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// content is what d has been told to keep, by what it is asked for.
type content map[string]string

// fill has d keep something of each kind.
func fill(t testing.TB, d *drover.Drover) content {
	t.Helper()
	all := content{}
	for i := range 5 {
		all.download(t, d, fmt.Sprintf("download %d ", i))
		all.run(t, d, fmt.Sprintf("run %d ", i))
	}
	inv, err := d.Functions.Invoke(t.Context(), "long", functions.Invoke{})
	if err == nil {
		inv, err = d.Functions.Wait(t.Context(), inv.ID)
	}
	if err != nil || inv.Status != functions.Completed {
		t.Fatal(inv.Status, err)
	}
	all["invocation "+inv.ID] = strings.Repeat("result ", 20_000)
	if _, err := d.Secrets.Keypair(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := d.Secrets.Create(t.Context(), secrets.Create{Name: "PASSWORD", Value: secrets.Value{Plain: "horse"}})
	if err == nil {
		err = d.Secrets.Attach(t.Context(), "long", s.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (c content) download(t testing.TB, d *drover.Drover, text string) {
	t.Helper()
	text = strings.Repeat(text, 30_000)
	one, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "s", Filename: "x.txt", Content: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	c["download "+one.ID] = text
}

// run runs the Actor to its end.
func (c content) run(t testing.TB, d *drover.Drover, name string) {
	t.Helper()
	out, err := d.Actors.RunSync(context.Background(), "~filed", actors.Start{Input: &actors.Input{Body: fmt.Appendf(nil, `{"Name": %q}`, name), ContentType: "application/json"}}, "OUTPUT")
	if err != nil {
		t.Error(err)
		return
	}
	out.Close()
	c["run "+out.Run.ID] = name
}

// check compares what d has of the content.
func (c content) check(t testing.TB, d *drover.Drover) {
	t.Helper()
	for what, want := range c {
		kind, id, _ := strings.Cut(what, " ")
		got, err := readKept(t.Context(), d, kind, id)
		if err != nil || got != want {
			t.Errorf("%s: %d bytes of %d, %v", what, len(got), len(want), err)
		}
	}
}

func readKept(ctx context.Context, d *drover.Drover, kind, id string) (string, error) {
	switch kind {
	case "download":
		r, _, err := d.Downloads.Open(ctx, id)
		if err != nil {
			return "", err
		}
		defer r.Close()
		text, err := io.ReadAll(r)
		return string(text), err
	case "invocation":
		inv, err := d.Functions.Invocation(ctx, id)
		return strings.Trim(string(inv.Result), `"`), err
	default:
		return readRun(ctx, d, id)
	}
}

// readRun returns the name of a run of [filed], of which all has to be there.
func readRun(ctx context.Context, d *drover.Drover, id string) (string, error) {
	run, err := d.Actors.Run(ctx, id)
	if err != nil || run.Status != actors.Succeeded {
		return string(run.Status), err
	}
	var texts []string
	for _, key := range []string{"OUTPUT", "LARGE"} {
		r, _, err := d.Records.OpenRecord(ctx, run.KeyValueStoreID, key)
		if err != nil {
			return "", err
		}
		text, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return "", err
		}
		texts = append(texts, strings.Trim(string(text), `"`))
	}
	items, err := d.Records.Items(ctx, run.DatasetID, records.ItemsQuery{})
	if err != nil {
		return "", err
	}
	var listed strings.Builder
	for item, err := range items.All(ctx) {
		if err != nil {
			return "", err
		}
		listed.Write(item)
	}
	if name := texts[0]; texts[1] != strings.Repeat(name, 40_000) || !strings.Contains(listed.String(), fmt.Sprintf("%q", name)) {
		return "", fmt.Errorf("run %q is not whole: %d bytes, %s", name, len(texts[1]), listed.String())
	}
	return texts[0], nil
}

// backedUp returns a backup.
func backedUp(t testing.TB, d *drover.Drover, o backup.Options) ([]byte, backup.Info) {
	t.Helper()
	var to bytes.Buffer
	info, err := d.Backup(t.Context(), &to, o)
	if err != nil {
		t.Fatal(err)
	}
	if info.Bytes != int64(to.Len()) {
		t.Errorf("%d bytes, and it says %d", to.Len(), info.Bytes)
	}
	return to.Bytes(), info
}

func restored(t testing.TB, archive []byte, o backup.ReadOptions) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "restored")
	if _, err := drover.Restore(t.Context(), bytes.NewReader(archive), dir, o); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tables returns the rows of all tables of a database, each as text, but instances.
func tables(t testing.TB, dir string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "drover.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]string{}
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('instances', 'sqlite_sequence')`) {
		fields := column(t, db, `SELECT name FROM pragma_table_info('`+table+`')`)
		for i, f := range fields {
			fields[i] = `coalesce(quote("` + f + `"), '')`
		}
		all[table] = column(t, db, `SELECT `+strings.Join(fields, ` || '|' || `)+` FROM "`+table+`" ORDER BY 1`)
	}
	return all
}

func column(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// blobFiles returns the hashes of the blobs of a data directory, by their paths.
func blobFiles(t testing.TB, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || len(e.Name()) != 26 {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = sha256.Sum256(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRestoredDataAreEqualAndWork(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]backup.Options{"plain": {}, "encrypted with the key": {Passphrase: backupPassphrase, MasterKey: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := filepath.Join(t.TempDir(), "data")
			filled := openForBackup(t, from)
			kept := fill(t, filled)
			filled.Close()
			d := openIdle(t, from)
			archive, info := backedUp(t, d, o)
			dir := restored(t, archive, backup.ReadOptions{Passphrase: o.Passphrase})
			if diff := cmp.Diff(tables(t, from), tables(t, dir)); diff != "" {
				t.Errorf("rows differ (-data +restored):\n%s", diff)
			}
			want := blobFiles(t, from)
			if diff := cmp.Diff(want, blobFiles(t, dir)); diff != "" || int64(len(want)) != info.Files || len(want) < 11 {
				t.Errorf("%d files, %d in the backup:\n%s", len(want), info.Files, diff)
			}
			if bytes.Contains(archive, []byte("master key of this data")) {
				t.Error("the master key is in the clear")
			}
			if _, err := os.Stat(filepath.Join(dir, "master.key")); o.MasterKey != (err == nil) {
				t.Errorf("the master key: %v", err)
			}
			if !o.MasterKey {
				if _, err := drover.Open(t.Context(), backupOptions(dir)); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "the master key is lost") {
					t.Errorf("without its key: %v", err)
				}
				copyFile(t, filepath.Join(from, "master.key"), filepath.Join(dir, "master.key"))
			}
			again := openForBackup(t, dir)
			kept.check(t, again)
			f, err := again.Functions.Get(t.Context(), "long")
			if err != nil {
				t.Fatal(err)
			}
			if all, err := again.Secrets.Secrets(t.Context(), f.ProjectID, f.ID); err != nil || all["PASSWORD"] != "horse" {
				t.Errorf("what was sealed: %q, %v", all, err)
			}
			kept.run(t, again, "once more")
			kept.check(t, again)
		})
	}
}

// openIdle opens data for a process that does nothing by itself.
func openIdle(t testing.TB, dir string) *drover.Drover {
	t.Helper()
	o := backupOptions(dir)
	o.Workers = drover.WorkersNever
	d, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestBackupInMemory(t *testing.T) {
	t.Parallel()
	d := openForBackup(t, drover.InMemory)
	kept := fill(t, d)
	if _, err := d.Backup(t.Context(), io.Discard, backup.Options{MasterKey: true, Passphrase: backupPassphrase}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("its master key: %v", err)
	}
	archive, _ := backedUp(t, d, backup.Options{})
	o := backupOptions(restored(t, archive, backup.ReadOptions{}))
	o.AcceptLostMasterKey = true
	again, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	kept.check(t, again)
}

// Runs, records and downloads come and go, in this process and another opening of
// the data, while backups are made: of each all is there that was acknowledged
// before, and nothing that is there is half.
func TestBackupsBesideWrites(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "data")
	d, other := openForBackup(t, from), openIdle(t, from)
	kept := fill(t, d)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				content{}.run(t, d, fmt.Sprintf("writer %d run %d ", i, n))
				comeAndGo(t, other, fmt.Sprintf("temporary %d", i))
			}
		})
	}
	for i := range 3 {
		kept.run(t, d, fmt.Sprintf("before backup %d", i))
		kept.download(t, d, fmt.Sprintf("before backup %d", i))
		archive, _ := backedUp(t, d, backup.Options{})
		checkRestored(t, from, archive, kept)
	}
	close(stop)
	writers.Wait()
	if left, _ := filepath.Glob(filepath.Join(from, "*", "held", "*")); len(left) > 0 {
		t.Errorf("files that were held are left: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(from, backup.TempPrefix+"*")); len(left) > 0 {
		t.Errorf("copies of the database are left: %v", left)
	}
}

// comeAndGo stores a download in a blob and deletes it.
func comeAndGo(t *testing.T, d *drover.Drover, session string) {
	one, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: session, Content: strings.NewReader(session)})
	if err == nil {
		err = d.Downloads.Delete(t.Context(), one.ID)
	}
	if err != nil {
		t.Error(err)
	}
}

// checkRestored opens what is made of a backup: what was under way in it ends, and
// all that has SUCCEEDED is whole.
func checkRestored(t *testing.T, from string, archive []byte, kept content) {
	t.Helper()
	dir := restored(t, archive, backup.ReadOptions{})
	copyFile(t, filepath.Join(from, "master.key"), filepath.Join(dir, "master.key"))
	again := openForBackup(t, dir)
	defer again.Close()
	kept.check(t, again)
	page, err := again.Actors.Runs(t.Context(), actors.RunFilter{Filter: actors.Filter{Limit: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range page.Items {
		if run, err = again.Actors.Wait(t.Context(), run.ID, time.Minute); err != nil || !run.Status.Final() {
			t.Errorf("a run is %s, %v", run.Status, err)
		}
		if run.Status != actors.Succeeded {
			continue
		}
		if _, err := readRun(t.Context(), again, run.ID); err != nil {
			t.Error(err)
		}
	}
}

// What is deleted right after the database was copied is in the backup, whoever
// deletes it.
func TestWhatIsDeletedDuringABackupIsInIt(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "data")
	d, other := openForBackup(t, from), openIdle(t, from)
	kept := content{}
	for i := range 10 {
		kept.download(t, d, fmt.Sprint(i))
	}
	deleted := false
	archive, info := backedUp(t, d, backup.Options{Progress: func(p backup.Progress) {
		if p.Stage != "read database" || deleted {
			return
		}
		deleted = true
		if n, err := other.Downloads.DeleteOf(t.Context(), "s"); n != 10 || err != nil {
			t.Errorf("%d are deleted, %v", n, err)
		}
		if _, err := other.Backup(t.Context(), io.Discard, backup.Options{}); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("a second backup: %v", err)
		}
	}})
	if !deleted || info.Files != 10 {
		t.Errorf("%+v", info)
	}
	kept.check(t, openIdle(t, restored(t, archive, backup.ReadOptions{})))
	if left := blobFiles(t, from); len(left) > 0 {
		t.Errorf("deleted files are left: %v", left)
	}
}

func TestBackupOfDataThatHaveLostAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openIdle(t, dir)
	content{}.download(t, d, "x")
	for name := range blobFiles(t, dir) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var to bytes.Buffer
	_, err := d.Backup(t.Context(), &to, backup.Options{})
	if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "downloads/") || to.Len() > 0 {
		t.Errorf("%d bytes, %v", to.Len(), err)
	}
}

func TestBackupOptions(t *testing.T) {
	t.Parallel()
	d := openIdle(t, t.TempDir())
	for field, o := range map[string]backup.Options{
		"Passphrase": {Passphrase: "short"}, "MasterKey": {MasterKey: true}, "MaxRate": {MaxRate: 100},
	} {
		if _, err := d.Backup(t.Context(), io.Discard, o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, dir := range []string{"", drover.InMemory} {
		if _, err := drover.Restore(t.Context(), strings.NewReader(""), dir, backup.ReadOptions{}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", dir, err)
		}
	}
	var stages []string
	archive, _ := backedUp(t, d, backup.Options{MaxRate: 1 << 30, Progress: func(p backup.Progress) { stages = append(stages, p.Stage) }})
	if stages = slices.Compact(stages); !slices.Equal(stages, []string{"copy database", "read database"}) {
		t.Errorf("%q", stages)
	}
	if _, err := drover.VerifyBackup(t.Context(), bytes.NewReader(archive), backup.ReadOptions{}); err != nil {
		t.Error(err)
	}
	d.Close()
	if _, err := d.Backup(t.Context(), io.Discard, backup.Options{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("after Close: %v", err)
	}
}

// failing takes so many bytes.
type failing struct{ left int }

var errReceiver = errors.New("the receiver has gone")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errReceiver
	}
	return len(p), nil
}

func TestBackupIsBrokenOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openIdle(t, dir)
	for range 5 {
		content{}.download(t, d, "text")
	}
	if _, err := d.Backup(t.Context(), &failing{1000}, backup.Options{}); !errors.Is(err, errReceiver) {
		t.Error(err)
	}
	for _, stage := range []string{"copy database", "read database", "files"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := d.Backup(ctx, io.Discard, backup.Options{Progress: func(p backup.Progress) {
			if p.Stage == stage {
				cancel()
			}
		}})
		if !errtypes.Is(err, errtypes.Canceled) {
			t.Errorf("%s: %v", stage, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, backup.TempPrefix+"*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	backedUp(t, d, backup.Options{}) // nothing is held
}

func TestBackupAndRestoreOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := disktest.Small(t, 16)
	d := openIdle(t, filepath.Join(disk, "data"))
	content{}.download(t, d, "text")
	archive, _ := backedUp(t, d, backup.Options{TempDir: t.TempDir()})
	free := disktest.Fill(t, filepath.Join(disk, "filler"))
	if _, err := d.Backup(t.Context(), io.Discard, backup.Options{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("backup: %v", err)
	}
	to := filepath.Join(disk, "restored")
	if _, err := drover.Restore(t.Context(), bytes.NewReader(archive), to, backup.ReadOptions{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("restore: %v", err)
	}
	backedUp(t, d, backup.Options{TempDir: t.TempDir()})
	free()
	if left, _ := filepath.Glob(filepath.Join(disk, "*")); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if _, err := drover.Restore(t.Context(), bytes.NewReader(archive), to, backup.ReadOptions{}); err != nil {
		t.Error(err)
	}
}
