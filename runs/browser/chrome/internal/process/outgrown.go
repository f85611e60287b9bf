package process

import (
	"io/fs"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
)

// sizeEvery is how often it is looked how much a browser has written.
const sizeEvery = 2 * time.Second

// ErrTooMuchMemory is the end of a browser for the sake of other projects.
var ErrTooMuchMemory = errtypes.New(errtypes.Unavailable, "the pages of this session's project took more memory than its share while others waited for some, and their browser was ended")

// watchMemory ends a browser that has outgrown the share of its project, when the
// ledger wants its room.
func (p *Process) watchMemory() {
	wanted := make(chan struct{}, 1)
	p.grant.Outgrown(func() { wanted <- struct{}{} })
	select {
	case <-p.exited:
	case <-wanted:
		p.log.Warn("chrome: a browser takes more memory than the share of its project, and others wait", "pid", p.child.PID(), "project", p.grant.Project(), "bytes", p.child.Usage().Memory)
		p.cut(ErrTooMuchMemory)
	}
}

func errOutgrown(limit int64) error {
	return errtypes.New(errtypes.Unavailable, "the pages of this session have stored more than %d bytes, and its browser was ended", limit)
}

// watchSize ends a browser whose pages write without end. Their profile lies in
// memory or on the disk of the host, and Chromium lets a single site have more
// than half of that.
func (p *Process) watchSize() {
	limit := p.opts.ProfileBytes
	for {
		if _, ended := p.round(sizeEvery); ended || !p.Alive() {
			return
		}
		p.lookForRoom()
		if limit < 0 {
			continue
		}
		if size := p.size(limit); size > limit {
			p.log.Warn("chrome: the profile of a session outgrows its limit", "pid", p.child.PID(), "limit", limit)
			p.cut(errOutgrown(limit))
			return
		}
	}
}

// leastRoom is how many bytes must be free where a profile lies for it to pass
// for whole. Chromium says nothing where it cannot write: it goes on, with some
// of its files as they are and some as they were.
const leastRoom = 8 << 20

// lookForRoom remembers that there was too little.
func (p *Process) lookForRoom() {
	if p.opts.Profile == "" {
		return
	}
	if free, known := workdir.Free(p.opts.Profile); known && free < leastRoom {
		p.crowded.Store(true)
	}
}

// size is how many bytes the browser has written. It counts no further than
// enough.
func (p *Process) size(enough int64) int64 {
	sum := sizeBelow(p.child.Dir(), enough)
	if p.opts.Profile != "" && sum <= enough {
		sum += sizeBelow(p.opts.Profile, enough)
	}
	return sum
}

// sizeBelow is the size of the files below a directory. What vanishes while it
// is counted is not counted.
func sizeBelow(dir string, enough int64) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
		if sum > enough {
			return fs.SkipAll
		}
		return nil
	})
	return sum
}
