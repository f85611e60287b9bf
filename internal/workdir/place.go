package workdir

import (
	"slices"
	"sync"

	"github.com/drover-go/drover/internal/machine"
)

// Reserve is what NewFor leaves free of a file system in memory, in bytes:
// browsers share their memory there, and crash when it is full.
const Reserve = 512 << 20

// NewFor makes a directory, as New does, that will hold need bytes: in memory
// where there is room for it, so that nothing of it reaches a disk but by
// swapping, else in temp. The room is set aside until the directory is removed,
// within this process.
func NewFor(temp, prefix string, need int64) (*Dir, error) {
	place, release := ours.claim(temp, need)
	d, err := New(place, prefix)
	if err != nil {
		release()
		return nil, err
	}
	d.release = release
	return d, nil
}

// claims are what the directories of a process were made for, by the place they
// are in. What is written by now counts twice: as taken, and as set aside.
type claims struct {
	mu     sync.Mutex
	places func() []string
	// room is what the file system of a place has left, and roomForUs what this
	// process may take of any memory.
	room      func(place string) int64
	roomForUs func() int64
	taken     map[string]int64
}

var ours = &claims{places: memoryPlaces, room: roomInMemory, roomForUs: machine.GroupRoom}

// claim picks the place for need bytes.
func (c *claims) claim(temp string, need int64) (place string, release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	need = max(need, 0)
	for _, dir := range c.places() {
		if c.left(dir)-Reserve >= need {
			return dir, c.take(dir, need)
		}
	}
	return temp, func() {}
}

// left is what nobody has claimed of a place.
func (c *claims) left(place string) int64 {
	var all int64
	for _, n := range c.taken {
		all += n
	}
	return min(c.room(place)-c.taken[place], c.roomForUs()-all)
}

func (c *claims) take(place string, n int64) (release func()) {
	if c.taken == nil {
		c.taken = map[string]int64{}
	}
	c.taken[place] += n
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.taken[place] -= n
	})
}

// Places lists where NewFor may make directories, for who sweeps them.
func Places(temp string) []string {
	places := []string{temp}
	for _, dir := range memoryPlaces() {
		if roomInMemory(dir) > 0 && !slices.Contains(places, dir) {
			places = append(places, dir)
		}
	}
	return places
}
