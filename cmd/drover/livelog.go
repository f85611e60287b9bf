package main

import (
	"io"
	"sync"
	"time"
)

// liveLog is a log on a terminal with a line below it that moves while nothing is
// logged; elsewhere only the log.
type liveLog struct {
	to   io.Writer
	what string

	mu       sync.Mutex
	progress *progress
	end      chan struct{}
	ended    sync.WaitGroup
}

// betweenTicks is how often the line moves.
const betweenTicks = 200 * time.Millisecond

func newLiveLog(to io.Writer, what string) *liveLog {
	l := &liveLog{to: to, what: what, progress: newProgress(to), end: make(chan struct{})}
	if l.progress.bar != nil {
		l.ended.Go(l.move)
	}
	return l
}

func (l *liveLog) move() {
	ticker := time.NewTicker(betweenTicks)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			l.mu.Lock()
			l.progress.say(l.what) // the time is part of it
			l.mu.Unlock()
		case <-l.end:
			return
		}
	}
}

func (l *liveLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.clear()
	return l.to.Write(p)
}

// done takes the line away.
func (l *liveLog) done() {
	close(l.end)
	l.ended.Wait()
	l.progress.done()
}
