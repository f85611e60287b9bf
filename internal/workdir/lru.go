package workdir

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// LRUConfig configures [NewLRU]. Dir, Max and Clock are required.
type LRUConfig struct {
	// Dir has the directories. What begins with a dot there is none of them.
	Dir string
	// Mark is how the names of other things in Dir begin that are left alone, too.
	// Default none.
	Mark string
	// Max is how many directories are kept, at least 1.
	Max int
	// Clock says when one was used.
	Clock clock.Clock
	// Logger hears of what cannot be removed. Default discards.
	Logger *slog.Logger
}

// LRU keeps directories that can be made again: at most so many, of which those go
// that were not used for longest. When one was used is its time of change, so that
// it outlives the process, and processes that share the directories agree.
type LRU struct {
	conf LRUConfig

	mu   sync.Mutex
	busy map[string]chan struct{} // by name: who has locked it
}

// NewLRU returns what keeps the directories, and makes nothing on disk.
func NewLRU(c LRUConfig) *LRU {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &LRU{conf: c, busy: map[string]chan struct{}{}}
}

// Path is where the directory of a name is, or would be.
func (l *LRU) Path(name string) string { return filepath.Join(l.conf.Dir, name) }

// Names returns the names of the directories that there are.
func (l *LRU) Names() (all []string) {
	for _, e := range l.entries() {
		all = append(all, e.name)
	}
	return all
}

// Used notes that a directory is used now.
func (l *LRU) Used(name string) {
	now := l.conf.Clock.Now()
	_ = os.Chtimes(l.Path(name), now, now) // one that is gone is made again
}

// Age is how long a directory has not been used.
func (l *LRU) Age(name string) time.Duration {
	info, err := os.Stat(l.Path(name))
	if err != nil {
		return 0
	}
	return l.conf.Clock.Now().Sub(info.ModTime())
}

// Lock has one at a time make a directory: who comes later waits, and looks then
// whether it is there. One that is locked is not removed by others of this process.
// The error is the cause of the context.
func (l *LRU) Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		unlock, wait := l.tryLock(name)
		if unlock != nil {
			return unlock, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// tryLock returns what tells of a change where another has locked it.
func (l *LRU) tryLock(name string) (unlock func(), wait <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.busy[name]; wait != nil {
		return nil, wait
	}
	mine := make(chan struct{})
	l.busy[name] = mine
	return func() {
		l.mu.Lock()
		delete(l.busy, name)
		l.mu.Unlock()
		close(mine)
	}, nil
}

// Trim removes the directories beyond Max, but not one that is kept and none that is
// locked.
func (l *LRU) Trim(kept string) {
	all := slices.DeleteFunc(l.entries(), func(e entry) bool { return e.name == kept })
	slices.SortFunc(all, func(a, b entry) int { return b.used.Compare(a.used) })
	for _, e := range all[min(len(all), l.conf.Max-1):] {
		l.Remove(e.name)
	}
}

// Remove removes a directory, unless it is locked. What cannot be removed is logged.
func (l *LRU) Remove(name string) {
	unlock, _ := l.tryLock(name)
	if unlock == nil {
		return
	}
	defer unlock()
	if err := RemoveAll(l.Path(name)); err != nil {
		l.conf.Logger.Warn("workdir: a directory that is not needed any more cannot be removed", "dir", l.Path(name), "error", err)
	}
}

// entry is a directory that there is.
type entry struct {
	name string
	used time.Time
}

func (l *LRU) entries() (all []entry) {
	found, err := os.ReadDir(l.conf.Dir)
	if err != nil { // nothing was made yet
		return nil
	}
	for _, e := range found {
		ours := e.IsDir() && !strings.HasPrefix(e.Name(), ".") && (l.conf.Mark == "" || !strings.HasPrefix(e.Name(), l.conf.Mark))
		if info, err := e.Info(); ours && err == nil {
			all = append(all, entry{e.Name(), info.ModTime()})
		}
	}
	return all
}
