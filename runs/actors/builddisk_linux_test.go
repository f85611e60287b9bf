package actors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/testlevel"
)

// Builds for which there is no room say so, leave nothing, and the next one is made.
func TestADiskThatIsFullWhileAnActorIsBuilt(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	disk := disktest.Small(t, 12)
	w := yarded(t, yard{work: disk, limits: Limits{MaxSource: 20 << 20}})
	w.built(t, "first", plain)
	const noRoom = "no space is left on the disk where programs are made and run"
	for name, c := range map[string]struct {
		files   map[string]string
		full    bool
		message string
	}{
		"no-room":      {plain, true, noRoom},
		"a-large-file": {map[string]string{"main.js": "", "data": strings.Repeat("x", 7<<20), "more": strings.Repeat("y", 7<<20)}, false, noRoom},
		"a-script":     {scripted(`import fs from "node:fs"; fs.writeFileSync("data", Buffer.alloc(16 << 20));`), false, "ENOSPC: no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			free := func() {}
			if c.full {
				free = disktest.Fill(t, filepath.Join(disk, "filler"))
			}
			a, err := w.CreateActor(t.Context(), CreateActor{Name: name, Versions: []Version{{Number: "0.1", Files: filesOf(c.files)}}})
			if err != nil {
				t.Fatal(err)
			}
			b := w.finished(t, w.begin(t, a))
			free()
			if log := w.log(t, b); b.Status != Failed || !strings.Contains(b.Message, c.message) || strings.Contains(log, disk) {
				t.Errorf("%+v\n%s", b, log)
			}
			left, err := os.ReadDir(filepath.Join(w.place, "built"))
			if err != nil {
				t.Error(err)
			}
			w.tidy(t, len(left))
			if b := w.built(t, name+"-after", plain); b.Status != Succeeded {
				t.Errorf("%+v", b)
			}
			if err := w.DeleteActor(t.Context(), b.ActorID); err != nil {
				t.Error(err)
			}
		})
	}
}
