package jobs

import (
	"context"
	"sync"
	"sync/atomic"
)

// execution is a job in the hands of a worker of this process.
type execution struct {
	Job
	kind   *kind
	ctx    context.Context
	cancel context.CancelCauseFunc
	ending atomic.Bool // the worker removes the job itself: see Queue.Done

	release func() // gives back what the job has reserved; nil for nothing
	never   error  // why it will never be admitted
}

// table holds the executions of this process. The loop adds and removes;
// Cancel and Done look in from outside.
type table struct {
	mu   sync.Mutex
	byID map[string]*execution
}

func newTable() *table { return &table{byID: map[string]*execution{}} }

func (t *table) add(e *execution) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byID[e.ID] = e
}

func (t *table) remove(e *execution) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID[e.ID] == e { // not a later lease of the same job
		delete(t.byID, e.ID)
	}
}

// get returns the attempt if it is made here and now.
func (t *table) get(id leaseID) *execution {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.byID[id.job]; e != nil && e.lease == id.lease {
		return e
	}
	return nil
}

// cancel ends the context of an attempt that is made here. A later attempt of
// the same job is not meant.
func (t *table) cancel(id leaseID) {
	if e := t.get(id); e != nil {
		e.cancel(ErrCanceled)
	}
}

func (t *table) all() []*execution {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]*execution, 0, len(t.byID))
	for _, e := range t.byID {
		all = append(all, e)
	}
	return all
}
