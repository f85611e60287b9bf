package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// victimEnv makes the test binary a process that writes into the directory it
// names, and says what it has written, until it is killed.
const victimEnv = "DROVER_RECORDS_TEST_VICTIM"

func victimMain(dir string) error {
	ctx := context.Background()
	s, err := openVictim(ctx, dir)
	if err != nil {
		return err
	}
	var made []error
	for _, kind := range kinds {
		_, _, err := s.Create(ctx, kind, New{Name: "store"})
		made = append(made, err)
	}
	err = errors.Join(made...)
	for i := 0; err == nil; i++ {
		err = writeOne(ctx, s, i)
		fmt.Println(i)
	}
	return err
}

func openVictim(ctx context.Context, dir string) (Service, error) {
	db, err := storage.Open(ctx, storage.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	p, err := projects.New(ctx, db, projects.Options{})
	if err != nil {
		return nil, err
	}
	blobs, err := blob.NewDir(filepath.Join(dir, "records"), blob.DirOptions{})
	if err != nil {
		return nil, err
	}
	return Open(ctx, Config{DB: db, Projects: p, Blobs: blobs})
}

// writeOne writes an item, a record and a request; each third is large, and the
// record takes the place of the one before.
func writeOne(ctx context.Context, s Service, i int) error {
	padding := strings.Repeat("x", map[bool]int{true: inRow}[i%3 == 0])
	_, put := s.PutRecord(ctx, "~store", NewRecord{Key: "K", Content: strings.NewReader(fmt.Sprint(i, " ", padding))})
	_, added := s.AddRequest(ctx, "~store", fmt.Appendf(nil, `{"url":"u%d","p":%q}`, i, padding), false, alice)
	return errors.Join(put, added, s.Push(ctx, "~store", fmt.Appendf(nil, `[{"n":%d},{"p":%q}]`, i, padding)))
}

// killAfter kills a process that writes when it has written so many times, and
// returns how many it has said it had.
func killAfter(t *testing.T, dir string, n int) (said int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out := must(cmd.StdoutPipe())(t)
	done(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if said++; said == n {
			done(t, cmd.Process.Kill())
		}
	}
	cmd.Wait()
	if said < n {
		t.Fatalf("it ended after %d", said)
	}
	return said
}

func TestAKilledProcessLosesNothingThatItHasSaid(t *testing.T) {
	t.Parallel()
	for round := range testlevel.Rounds(2, 6) {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			dir := t.TempDir()
			said := killAfter(t, dir, 5+7*round)
			w := open(t, Config{DB: storagetest.OpenWith(t, storage.Options{Dir: dir})})
			for name, items := range map[string]int64{
				"items": w.get(t, Dataset, "~store").Items / 2, "requests": w.get(t, RequestQueue, "~store").Items,
			} {
				if items < int64(said) || items > int64(said)+1 {
					t.Errorf("%d %s, but %d were said to be written", items, name, said)
				}
			}
			for i, item := range w.all(t, "~store", ItemsQuery{Fields: []string{"n"}, SkipEmpty: true}) {
				if item != fmt.Sprintf(`{"n":%d}`, i) {
					t.Errorf("item %d is %s", i, item)
				}
			}
			text, _ := w.read(t, "~store", "K")
			var last int
			if fmt.Sscan(text, &last); last < said-1 || last > said {
				t.Errorf("the record is %d, but %d were said to be written", last, said)
			}
			if page := must(w.Requests(t.Context(), "~store", RequestsQuery{}))(t); len(page.Requests) < said {
				t.Errorf("%d requests", len(page.Requests))
			}
			w.sweeps(t)
		})
	}
}

// sweeps fails unless a sweep leaves the blobs alone that rows name.
func (w *world) sweeps(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(w.conf.DB.Dir(), "records"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			err = os.Chtimes(path, time.Time{}, noon.Add(-2*retention.OrphanSpared))
		}
		return err
	})
	done(t, err)
	w.keeper.Do(t.Context())
	named := must(storage.ReadOne(t.Context(), w.conf.DB, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT (SELECT count(blob) FROM record_values) + (SELECT count(blob) FROM dataset_chunks) + (SELECT count(blob) FROM queue_requests)`))
	}))(t)
	if w.files(t) != named {
		t.Errorf("%d blobs, of which rows name %d", w.files(t), named)
	}
}

func TestBlobsThatNoRowNamesAreSwept(t *testing.T) {
	t.Parallel()
	w := open(t, Config{DB: storagetest.OpenFile(t)})
	large := strings.Repeat("x", inRow+1)
	w.put(t, w.make(t, KeyValueStore, ""), "K", large)
	w.push(t, w.make(t, Dataset, ""), `{"a":"`+large+`"}`)
	must(w.AddRequest(t.Context(), w.make(t, RequestQueue, ""), []byte(`{"url":"u","a":"`+large+`"}`), false, alice))(t)
	must(w.blobs.Put(t.Context(), strings.NewReader("lost"), 0))(t)
	if w.files(t) != 4 {
		t.Fatalf("%d blobs", w.files(t))
	}
	w.sweeps(t)
}

func TestWhatIsLeftOfALargeStoreGoesLater(t *testing.T) {
	each(t, Config{}, func(t *testing.T, w *world) {
		queue := w.make(t, RequestQueue, "large")
		const rows = purgeBatch*purgedAtOnce + 100
		for i := 0; i < rows; i += MaxBatch {
			var urls []string
			for j := range MaxBatch {
				urls = append(urls, fmt.Sprint(i+j))
			}
			w.add(t, queue, false, urls...)
		}
		done(t, w.Delete(t.Context(), RequestQueue, queue))
		if left := w.rows(t, "queue_requests"); left != 100 {
			t.Errorf("%d rows are left at once", left)
		}
		if page := must(w.List(t.Context(), RequestQueue, Query{Unnamed: true}))(t); page.Total != 0 {
			t.Errorf("%+v", page)
		}
		w.make(t, RequestQueue, "large")
		w.clock.Advance(purgeRest)
		w.keeper.Do(t.Context())
		if w.rows(t, "queue_requests") != 0 || w.rows(t, "record_stores") != 1 {
			t.Error("something is left")
		}
	})
}

// Two processes on the same data are two handles here. No statement is refused
// because of one of the other, such as a write that began as a read. How long a
// writer waits its turn is another matter: SQLite is not fair, so the test has them
// wait for longer than by default.
func TestWritersOfTwoProcessesMeetNoBusyDatabase(t *testing.T) {
	t.Parallel()
	o := storage.Options{Dir: t.TempDir(), BusyTimeout: time.Minute}
	one, two := open(t, Config{DB: storagetest.OpenWith(t, o)}), open(t, Config{DB: storagetest.OpenWith(t, o)})
	for _, kind := range kinds {
		one.make(t, kind, "store")
	}
	failed := make(chan error, 64)
	for i := range 64 {
		go func() {
			w := []*world{one, two}[i%2]
			var all error
			for j := range 3 {
				_, put := w.PutRecord(t.Context(), "~store", NewRecord{Key: fmt.Sprintf("%d.%d", i, j)})
				_, added := w.AddRequest(t.Context(), "~store", NewRequest(fmt.Sprintf("%d.%d", i, j)), false, Client{Key: fmt.Sprint(i)})
				_, locked := w.LockHead(t.Context(), "~store", 1, time.Minute, Client{Key: fmt.Sprint(i)})
				all = errors.Join(all, put, added, locked, w.Push(t.Context(), "~store", []byte(`{"a":1}`)))
			}
			failed <- all
		}()
	}
	for range 64 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	for _, kind := range kinds {
		if st := two.get(t, kind, "~store"); st.Items != 192 {
			t.Errorf("%s: %+v", kind, st)
		}
	}
}
