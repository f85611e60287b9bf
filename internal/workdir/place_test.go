package workdir

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

func TestAPlaceInMemoryIsTakenWhereThereIsRoom(t *testing.T) {
	temp := t.TempDir()
	if got := Place(temp, math.MaxInt64); got != temp {
		t.Errorf("no memory holds so much, but %s is to", got)
	}
	if got := placeIn([]string{"", "/no/such/place", "/proc", temp}, temp, 1); got != temp {
		t.Errorf("%s is not in memory", got)
	}
	if runtime.GOOS != "linux" || roomInMemory("/dev/shm") < Reserve+1<<20 {
		t.Skip("SKIPPED: this machine has no roomy /dev/shm")
	}
	if got := Place(temp, 1<<20); got != "/dev/shm" {
		t.Errorf("there is room in /dev/shm, but %s is taken", got)
	}
	if places := Places(temp); !slices.Contains(places, "/dev/shm") || !slices.Contains(places, temp) {
		t.Errorf("what was put aside is looked for in %v only", places)
	}
}
