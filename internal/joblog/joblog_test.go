package joblog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
)

// What is appended is read at once in the same process, and by others when it
// is written; it is the same before and after the end, and when it is sealed.
func TestALogIsTheSameInMemoryInRowsAndSealed(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"one row": 10, "a blob": 50_000} {
		t.Run(name, func(t *testing.T) {
			each(t, joblog.Config{}, func(t *testing.T, w *world) {
				l := w.log(t, "a", joblog.Options{})
				want := []string{"out", "err\nin two lines", "", "from above", `{"x":1}`, long(size), "ü"}
				for i, stream := range []joblog.Stream{joblog.Stdout, joblog.Stderr, joblog.Stdout, joblog.System, joblog.Event, joblog.Stdout, joblog.Stdout} {
					l.AppendAt(noon.Add(time.Duration(i)*time.Millisecond+time.Microsecond), stream, want[i])
				}
				l.Append(joblog.Stdout, long(size))
				want = append(want, long(size))
				before := w.entries(t, "a", 0)
				w.says(t, "a", want...)
				if w.parts(t) != 0 {
					t.Error("appending has waited for the database")
				}
				w.flushed(t, "a", 8)
				rows := w.entries(t, "a", 0)
				w.end(t, "a")
				ended := w.entries(t, "a", 0)
				w.sealed(t, "a")
				for state, all := range map[string][]joblog.Entry{"in rows": rows, "ended": ended, "sealed": w.entries(t, "a", 0)} {
					if !slices.Equal(all, before) {
						t.Errorf("%s: %.300v, want %.300v", state, all, before)
					}
				}
				if rest := w.entries(t, "a", 6); len(rest) != 2 || rest[0].Text != "ü" || rest[0].Time != noon.Add(6*time.Millisecond) || rest[0].Seq != 6 {
					t.Errorf("from 6: %.300v", rest)
				}
				if blobs, parts := w.blobsLeft(t), w.parts(t); size < 64<<10/2 && (blobs != 0 || parts != 1) || size > 64<<10/2 && (blobs != 1 || parts != 0) {
					t.Errorf("%d blobs, %d parts", blobs, parts)
				}
			})
		})
	}
}

// All that is written in one flush is in one transaction, and nothing is while
// nothing is appended.
func TestOneFlushWritesAllLogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, other := open(t, dir, joblog.Config{}), open(t, dir, joblog.Config{})
	a, b := w.log(t, "a", joblog.Options{}), w.log(t, "b", joblog.Options{})
	before := must(other.db.ForeignVersion(t.Context()))(t)
	a.Append(joblog.Stdout, "1")
	b.Append(joblog.Stdout, "2")
	w.clock.WaitForTimers(1)
	w.clock.Advance(flush - 1)
	if must(other.db.ForeignVersion(t.Context()))(t) != before {
		t.Error("written before its time")
	}
	w.clock.Advance(1)
	for _, err := range other.Follow(t.Context(), "test/b", 0) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	other.says(t, "a", "1")
	other.says(t, "b", "2")
}

// A log keeps its head and the newest of the rest, by whole flushes.
func TestWhatIsTrimmed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		o           joblog.Options
		first, last []string // of what is left
		most        int
	}{
		"lines":          {joblog.Options{MaxLines: 5}, []string{"15"}, []string{"19"}, 5},
		"bytes":          {joblog.Options{MaxBytes: 5 * 34}, []string{"15"}, []string{"19"}, 5},
		"head and bytes": {joblog.Options{MaxBytes: 5 * 34, Head: 2 * 34}, []string{"00", "01", "17"}, []string{"19"}, 5},
		"all":            {joblog.Options{}, []string{"00"}, []string{"19"}, 20},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, joblog.Config{}, func(t *testing.T, w *world) {
				l := w.log(t, "a", test.o)
				for i := range 20 {
					l.Append(joblog.Stdout, fmt.Sprintf("%02d", i))
					w.flushed(t, "a", int64(i+1))
				}
				all := w.texts(t, "a")
				if len(all) != test.most || !slices.Equal(all[:len(test.first)], test.first) || all[len(all)-1] != test.last[0] {
					t.Errorf("%q", all)
				}
				w.end(t, "a")
				w.sealed(t, "a")
				if sealed := w.texts(t, "a"); !slices.Equal(sealed, all) {
					t.Errorf("sealed: %q", sealed)
				}
			})
		})
	}
}

// What comes faster than it can be written is dropped, and the log says so.
func TestWhatIsDropped(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{MaxWaiting: 10_000}, func(t *testing.T, w *world) {
		a, b := w.log(t, "a", joblog.Options{MaxWaiting: 1000}), w.log(t, "b", joblog.Options{})
		w.write(t, func(context.Context, *storage.Tx) error { // nothing else is written meanwhile
			for range 4 {
				a.Append(joblog.Stdout, long(300))
			}
			for range 2 {
				b.Append(joblog.Stdout, long(6000)) // over what the process may have waiting
			}
			b.Append(joblog.Event, long(2<<20))
			return nil
		})
		w.flushed(t, "a", 4)
		w.flushed(t, "b", 2)
		w.says(t, "a", long(300), long(300), long(300), "1 entries of this log were dropped: they came faster than they could be written")
		w.says(t, "b", long(6000), "2 entries of this log were dropped: they came faster than they could be written")
		b.Append(joblog.Event, long(2<<20))
		w.end(t, "b")
		if all := w.texts(t, "b"); len(all) != 3 || !strings.HasPrefix(all[2], "1 entries of this log were dropped") {
			t.Errorf("%.200q", all)
		}
	})
}

// A text is redacted and cut before it is kept anywhere.
func TestWhatIsKeptOfAText(t *testing.T) {
	t.Parallel()
	w := open(t, "", joblog.Config{})
	l := w.log(t, "a", joblog.Options{MaxLine: 10, Redact: func(text string) string { return strings.ReplaceAll(text, "secret", "***") }})
	l.Append(joblog.Stdout, "a secret\n")
	l.Append(joblog.Stdout, "12345678üüü")
	l.Append(joblog.Stdout, "123456789ü")
	l.Append(joblog.Stdout, "a\xffb")
	w.says(t, "a", "a ***", "12345678ü… (14 bytes)", "123456789… (11 bytes)", "a\uFFFDb")
}

// What a transaction wrote that is rolled back is written by the next.
func TestAnEndThatIsRolledBack(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		l := w.log(t, "a", joblog.Options{})
		l.Append(joblog.Stdout, "1")
		boom := errors.New("boom")
		err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			return errors.Join(w.End(ctx, tx, "test/a"), boom)
		})
		if !errors.Is(err, boom) {
			t.Fatal(err)
		}
		l.Append(joblog.Stdout, "2")
		w.says(t, "a", "1", "2")
		w.end(t, "a")
		w.end(t, "a") // it has ended
		l.Append(joblog.Stdout, "too late")
		w.sealed(t, "a")
		w.says(t, "a", "1", "2")
	})
}

// A log that goes on has what it had, whether or not that was sealed; who had it
// before can say no more.
func TestALogThatGoesOn(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"one row": 10, "a blob": 70_000} {
		t.Run(name, func(t *testing.T) {
			each(t, joblog.Config{}, func(t *testing.T, w *world) {
				o := joblog.Options{MaxLine: 1 << 20}
				first := w.log(t, "a", o)
				first.Append(joblog.Stdout, long(size))
				w.end(t, "a")
				w.sealed(t, "a")
				second := w.log(t, "a", o)
				second.Append(joblog.Stdout, "2")
				w.flushed(t, "a", 2)
				third := w.log(t, "a", o)
				second.Append(joblog.Stdout, "of who was replaced")
				third.Append(joblog.Stdout, long(size))
				w.flushed(t, "a", 3)
				w.says(t, "a", long(size), "2", long(size))
				w.end(t, "a")
				w.sealed(t, "a")
				w.says(t, "a", long(size), "2", long(size))
				w.oneBlobLeft(t)
			})
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		for _, ref := range []string{"open", "sealed"} {
			w.log(t, ref, joblog.Options{MaxLine: 1 << 20}).Append(joblog.Stdout, long(70_000))
		}
		w.end(t, "sealed")
		w.sealed(t, "sealed")
		w.write(t, func(ctx context.Context, tx *storage.Tx) error {
			return w.Delete(ctx, tx, "test/open", "test/none", "test/sealed")
		})
		for _, ref := range []string{"open", "sealed", "none"} {
			for _, err := range w.Entries(t.Context(), "test/"+ref, 0) {
				if !errtypes.Is(err, errtypes.NotFound) {
					t.Errorf("%s: %v", ref, err)
				}
			}
		}
		if w.blobsLeft(t) != 0 || w.parts(t) != 0 {
			t.Errorf("%d blobs and %d parts are left", w.blobsLeft(t), w.parts(t))
		}
	})
}

// Who follows is told of what is written, here and in other processes, until the
// end.
func TestFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, other := open(t, dir, joblog.Config{}), open(t, dir, joblog.Config{})
	w.write(t, func(ctx context.Context, tx *storage.Tx) error { return w.Create(ctx, tx, w.owner("a")) })
	var group sync.WaitGroup
	seen := make(chan int64, 100)
	for _, follower := range []*world{w, other} {
		group.Go(func() {
			n := int64(3)
			for e, err := range follower.Follow(t.Context(), "test/a", n) {
				if err != nil || e.Seq != n || e.Text != fmt.Sprint(n) {
					t.Errorf("%+v, %v, want %d", e, err, n)
					return
				}
				n++
				seen <- e.Seq
			}
			if n != 20 {
				t.Errorf("followed to %d", n)
			}
		})
	}
	l := w.log(t, "a", joblog.Options{})
	for i := range int64(19) {
		l.Append(joblog.Stdout, fmt.Sprint(i))
		if i == 10 {
			w.flushed(t, "a", 11)
			for n := 0; n < 2*8; n++ { // both have seen 3 to 10
				<-seen
			}
		}
	}
	l.Append(joblog.Stdout, "19")
	w.end(t, "a")
	group.Wait()
	w.sealed(t, "a")
	if rest := w.entries(t, "a", 18); len(rest) != 2 {
		t.Errorf("%+v", rest)
	}
}

func TestFollowThatIsBrokenOff(t *testing.T) {
	t.Parallel()
	w := open(t, "", joblog.Config{})
	for _, err := range w.Follow(t.Context(), "test/none", 0) {
		if !errtypes.Is(err, errtypes.NotFound) {
			t.Error(err)
		}
	}
	w.log(t, "a", joblog.Options{}).Append(joblog.Stdout, "x")
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var last error
	for _, err := range w.Follow(ctx, "test/a", 0) {
		cancel(cause)
		last = err
	}
	if last != cause {
		t.Error(last)
	}
	for range w.Follow(t.Context(), "test/a", 0) {
		break
	}
	next := make(chan error, 2)
	go func() {
		defer close(next)
		for _, err := range w.Follow(t.Context(), "test/a", 0) {
			next <- err
		}
	}()
	<-next
	w.hub.Close()
	if err := <-next; !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	<-next
}

// As text a log can be read on from a byte.
func TestText(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		l := w.log(t, "a", joblog.Options{MaxLines: 4})
		text := func(offset int64) (all string) {
			t.Helper()
			seq := must(w.SeqAt(t.Context(), "test/a", offset))(t)
			for line, err := range joblog.Text(w.Entries(t.Context(), "test/a", seq), offset) {
				if err != nil {
					t.Fatal(err)
				}
				all += line
			}
			return all
		}
		l.Append(joblog.Stdout, "one")
		l.Append(joblog.Event, "{}")
		l.Append(joblog.Stderr, "zwölf")
		w.flushed(t, "a", 3)
		l.AppendAt(noon.Add(time.Second), joblog.System, "three")
		const first, second, third = "2026-01-31T12:00:00.000Z one\n", "2026-01-31T12:00:00.000Z zwölf\n", "2026-01-31T12:00:01.000Z three\n"
		whole := first + second + third
		look := func(when string) {
			t.Helper()
			for offset := range len(whole) + 2 {
				if got, want := text(int64(offset)), whole[min(offset, len(whole)):]; got != want {
					t.Errorf("%s: from %d: %q, want %q", when, offset, got, want)
				}
			}
		}
		look("while it grows")
		w.flushed(t, "a", 4)
		look("in rows")
		w.end(t, "a")
		w.sealed(t, "a")
		look("sealed")
		l = w.log(t, "a", joblog.Options{MaxLines: 1})
		l.AppendAt(noon.Add(time.Second), joblog.System, "three")
		w.flushed(t, "a", 5)
		if got, want := text(0), "[4 lines are not kept]\n"+third; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if _, err := w.SeqAt(t.Context(), "test/none", 0); !errtypes.Is(err, errtypes.NotFound) {
			t.Error(err)
		}
	})
}

// Many append to many logs while others read, end and seal.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		stop := make(chan struct{})
		var ticking sync.WaitGroup
		ticking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					w.clock.Advance(flush / 2)
				}
			}
		})
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				ref := fmt.Sprint(n)
				l := w.log(t, ref, joblog.Options{})
				var follow sync.WaitGroup
				follow.Go(func() {
					next := int64(0)
					for e, err := range w.Follow(t.Context(), w.owner(ref).ID(), 0) {
						if err != nil || e.Seq != next {
							t.Errorf("%+v, %v, want %d", e, err, next)
							return
						}
						next++
					}
					if next != 500 {
						t.Errorf("followed to %d", next)
					}
				})
				for i := range 500 {
					l.Append(joblog.Stdout, long(i))
				}
				w.end(t, ref)
				follow.Wait()
			})
		}
		group.Wait()
		close(stop)
		ticking.Wait()
	})
}
