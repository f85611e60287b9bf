package workdir_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/workdir"
)

// filled is an LRU with directories that were used a minute after the other, the
// first one first.
func filled(t *testing.T, most int, names ...string) (*workdir.LRU, *clock.Manual) {
	t.Helper()
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	l := workdir.NewLRU(workdir.LRUConfig{Dir: t.TempDir(), Mark: "new-", Max: most, Clock: c})
	for _, name := range names {
		mkdir(t, l.Path(name), "inside")
		l.Used(name)
		c.Advance(time.Minute)
	}
	return l, c
}

func TestWhatWasNotUsedForLongestGoes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		most       int
		used, kept string
		want       []string
	}{
		"the oldest":               {most: 2, kept: "d", want: []string{"c", "d"}},
		"not one that was used":    {most: 2, used: "a", kept: "d", want: []string{"a", "d"}},
		"not one that is kept":     {most: 2, kept: "a", want: []string{"a", "d"}},
		"all others":               {most: 1, kept: "b", want: []string{"b"}},
		"nothing where few enough": {most: 4, kept: "a", want: []string{"a", "b", "c", "d"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := filled(t, test.most, "a", "b", "c", "d")
			if test.used != "" {
				l.Used(test.used)
			}
			l.Trim(test.kept)
			if got := l.Names(); !slices.Equal(got, test.want) {
				t.Errorf("left are %v, want %v", got, test.want)
			}
		})
	}
}

func TestWhatIsNoDirectoryOfAnLRU(t *testing.T) {
	t.Parallel()
	l, _ := filled(t, 1, ".cache", "new-1", "a")
	write(t, l.Path("file"))
	l.Trim("other")
	for _, name := range []string{".cache", "new-1", "file"} {
		if !there(l.Path(name)) {
			t.Errorf("%s was removed", name)
		}
	}
	if there(l.Path("a")) || l.Names() != nil {
		t.Errorf("left are %v", l.Names())
	}
}

func TestAgeOfADirectory(t *testing.T) {
	t.Parallel()
	l, c := filled(t, 1, "a")
	if got := l.Age("a"); got != time.Minute {
		t.Error(got)
	}
	c.Advance(time.Hour)
	l.Used("a")
	if got := l.Age("a") + l.Age("nowhere"); got != 0 {
		t.Error(got)
	}
}

func TestALockedDirectoryStays(t *testing.T) {
	t.Parallel()
	l, _ := filled(t, 1, "a", "b")
	unlock, err := l.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	l.Trim("b")
	l.Remove("a")
	if !there(l.Path("a")) {
		t.Error("it was removed")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gaveUp := errors.New("gave up")
	cancel(gaveUp)
	if _, err := l.Lock(ctx, "a"); !errors.Is(err, gaveUp) {
		t.Error(err)
	}
	unlock()
	if l.Trim("b"); there(l.Path("a")) {
		t.Error("it was not removed")
	}
}

// Of many who need a directory at once, one makes it.
func TestADirectoryIsMadeOnce(t *testing.T) {
	t.Parallel()
	l, _ := filled(t, 1)
	var all sync.WaitGroup
	made := 0 // the race detector sees it if two have the lock
	for range 20 {
		all.Go(func() {
			unlock, err := l.Lock(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if _, err := os.Stat(l.Path("a")); err == nil {
				return
			}
			made++
			if err := os.Mkdir(l.Path("a"), 0o700); err != nil {
				t.Error(err)
			}
		})
	}
	if all.Wait(); made != 1 {
		t.Errorf("it was made %d times", made)
	}
}
