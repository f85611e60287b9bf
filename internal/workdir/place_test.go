package workdir

import (
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/drover-go/drover/internal/machine"
)

// placeOf is where a directory for need bytes is made.
func placeOf(t *testing.T, temp string, need int64) string {
	t.Helper()
	d, err := NewFor(temp, "drover-test-", need)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Remove(); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(d.Path())
}

func TestAPlaceInMemoryIsTakenWhereThereIsRoom(t *testing.T) {
	temp := t.TempDir()
	if got := placeOf(t, temp, math.MaxInt64); got != temp {
		t.Errorf("no memory holds so much, but %s is to", got)
	}
	for _, place := range []string{"", "/no/such/place", "/proc", temp} {
		if n := roomInMemory(place); n != 0 {
			t.Errorf("%q is not in memory, and has room for %d bytes", place, n)
		}
	}
	if runtime.GOOS != "linux" || min(roomInMemory("/dev/shm"), machine.GroupRoom()) < Reserve+1<<20 {
		t.Skip("SKIPPED: this machine has no roomy /dev/shm")
	}
	if got := placeOf(t, temp, 1<<20); got != "/dev/shm" {
		t.Errorf("there is room in /dev/shm, but %s is taken", got)
	}
	if places := Places(temp); !slices.Contains(places, "/dev/shm") || !slices.Contains(places, temp) {
		t.Errorf("what was put aside is looked for in %v only", places)
	}
}

func TestManyAtOnceDoNotTakeTheSameRoom(t *testing.T) {
	const gib = 1 << 30
	for name, test := range map[string]struct {
		rooms map[string]int64
		group int64
		want  []string
	}{
		"the file system": {map[string]int64{"/one": 3*gib + Reserve, "/two": gib + Reserve}, machine.Unlimited, []string{"/one", "/one", "/one", "/two", "/temp"}},
		"the group":       {map[string]int64{"/one": gib + Reserve, "/two": 9 * gib}, 2*gib + Reserve, []string{"/one", "/two", "/temp"}},
		"none":            {map[string]int64{"/one": Reserve, "/two": 64 << 20}, machine.Unlimited, []string{"/temp"}},
		"a full group":    {map[string]int64{"/one": 9 * gib}, 0, []string{"/temp"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &claims{places: func() []string { return []string{"/one", "/two"} },
				room: func(place string) int64 { return test.rooms[place] }, roomForUs: func() int64 { return test.group }}
			var release func()
			for i, want := range test.want {
				place, free := c.claim("/temp", gib)
				if place != want {
					t.Errorf("%d is in %s, want %s", i, place, want)
				}
				if release == nil {
					release = free
				}
			}
			for range 2 { // the second time does nothing
				release()
			}
			if place, _ := c.claim("/temp", gib); place != test.want[0] {
				t.Errorf("what was given back is not used: %s", place)
			}
			if place, _ := c.claim("/temp", gib); place != "/temp" {
				t.Errorf("given back twice: %s", place)
			}
		})
	}
}
