package backup

import (
	"context"
	"io"
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
