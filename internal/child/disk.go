package child

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// leastFile is what a name takes of a disk at least.
const leastFile = 4 << 10

// watchDisk measures what the child's files take until its first process has ended, and
// ends it where that is too much. Measuring takes a twentieth of the time at most.
func (p *Process) watchDisk() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-p.exited:
			stop()
		case <-ctx.Done():
		}
	}()
	for rest := p.m.opts.Every; clock.Sleep(ctx, p.m.opts.Clock, rest) == nil; {
		begun := time.Now()
		if p.overDisk() {
			p.kill(DiskLimit, nil)
			return
		}
		rest = max(p.m.opts.Every, restTimes*time.Since(begun))
	}
}

// overDisk reports whether the child's files take more than they may.
func (p *Process) overDisk() bool {
	limit := p.spec.Limits.Disk
	if limit == 0 {
		return false
	}
	d := &disk{left: limit, seen: map[any]bool{}}
	for _, dir := range append([]string{p.dir}, p.spec.Fills...) {
		d.add(dir)
	}
	return d.left < 0
}

// disk counts what files take down to below 0.
type disk struct {
	left int64
	seen map[any]bool // files with several names
}

// add counts what is in a directory. What has gone meanwhile takes nothing; what cannot
// be looked at, since it lies too deep, counts as too much.
func (d *disk) add(dir string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				d.count(info)
			}
		}
		switch {
		case d.left < 0:
			return filepath.SkipAll
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			return nil
		}
		return err
	})
	if err != nil {
		d.left = -1
	}
}

func (d *disk) count(info fs.FileInfo) {
	size, file, several := space(info)
	if several && d.seen[file] {
		size = 0
	} else if several {
		d.seen[file] = true
	}
	d.left -= max(size, leastFile)
}
