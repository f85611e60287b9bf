package backup

import (
	"context"
	"io"
	"runtime"
)

// tell calls what is told of progress, if there is anybody.
func tell(to func(Progress), stage string, done, total int64) {
	if to != nil {
		to(Progress{stage, done, total})
	}
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ended is a reader that fails with the cause of its context.
type ended struct {
	ctx context.Context
	r   io.Reader
}

func (e ended) Read(p []byte) (int, error) {
	if err := context.Cause(e.ctx); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}

// yielding lets others of the process go first after each piece that is written: to
// compress and encrypt keeps a processor busy, and who waits for one would wait for
// the ten milliseconds after which the scheduler steps in.
type yielding struct{ w io.Writer }

// yieldEvery is how much is written in a fraction of a millisecond.
const yieldEvery = 32 << 10

func (y yielding) Write(p []byte) (n int, err error) {
	for err == nil && n < len(p) {
		var more int
		more, err = y.w.Write(p[n:min(len(p), n+yieldEvery)])
		n += more
		runtime.Gosched()
	}
	return n, err
}
