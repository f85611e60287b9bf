package jobs

import (
	"context"
	"errors"

	"github.com/drover-go/drover/storage"
)

// ErrNoRoom is what [Admission].Reserve returns when the resource is short.
var ErrNoRoom = errors.New("jobs: there is no room for the job now")

// Admission is the ledger of a resource that jobs need and that there is only
// so much of, such as the memory of the machine. Several kinds may share one.
//
// A job that does not fit stays ready, and lighter ones behind it start. The
// oldest that waits is passed by eight of them; then no job of the kinds that
// share the ledger starts before it does, or is gone. Those that run come to
// their end, so that a heavy job starts in the end, however many light ones
// there are. Others that take of the same resource are the ledger's to hold
// back.
//
// The queue asks again when one of its jobs gives back what it had, and when
// the owner of the resource calls [Queue.Wake]. It never polls.
//
// An implementation must be comparable, such as a pointer. Its methods are
// called inside transactions: they must neither block nor use the database.
type Admission interface {
	// Reserve takes the weight of the job from what is free. The release that it
	// returns is called once, after the worker has returned, from any
	// goroutine. [ErrNoRoom] leaves the job waiting; another error says that it
	// will never fit: it is given up with that error.
	Reserve(j Job) (release func(), err error)
}

// Wake makes the queue look for jobs of the kind that wait: something that they
// did not get may be free now. It neither blocks nor starts the workers, so
// that it may be called from anywhere. A kind that nobody registered is ignored.
func (q *Queue) Wake(kind string) { q.mail.postReady(kind) }

const (
	// mayPass is how many jobs start before one that does not fit.
	mayPass = 8
	// lookAhead is how many jobs of a kind are asked whether they fit.
	lookAhead = 16
)

// line is where the jobs wait for which a ledger had no room.
type line struct {
	first  string // the job that has waited longest; empty if none waits
	passed int    // how many have started before it meanwhile
}

// shut reports whether only the first may start.
func (l line) shut() bool { return l.first != "" && l.passed >= mayPass }

// refused notes a job that does not fit. Ids sort by age.
func (l line) refused(id string) line {
	if l.first == "" || id < l.first {
		l.first = id
	}
	return l
}

// admit takes jobs of a weighed kind for as many hands as are free.
func (r *round) admit(ctx context.Context, tx *storage.Tx, h *hands, free int) error {
	for {
		waiting, err := r.candidates(ctx, tx, h)
		if err != nil {
			return err
		}
		before := free
		for _, j := range waiting {
			if free == 0 {
				return nil // the kind stays called
			}
			taken, err := r.admitOne(ctx, tx, h, j)
			if err != nil {
				return err
			}
			if taken {
				free--
			}
		}
		if free == before || len(waiting) < lookAhead {
			r.calls[h.name] = false
			return nil
		}
	}
}

// candidates are the jobs of the kind that may fit: the first in line, if it is
// one of them, and others in their turn.
func (r *round) candidates(ctx context.Context, tx *storage.Tx, h *hands) (all []Job, err error) {
	id := r.lines[h.opts.Admission].first
	if id != "" {
		first, err := findReady(ctx, tx, id, r.db.InstanceID())
		switch {
		case errors.Is(err, storage.ErrNoRow): // canceled, or another process has it
			r.openLine(h.opts.Admission)
		case err != nil:
			return nil, err
		case first.Kind == h.name:
			all = append(all, first)
		}
	}
	others, err := readyJobs(ctx, tx, h.name, r.db.InstanceID(), lookAhead)
	for _, j := range others {
		if j.ID != id {
			all = append(all, j)
		}
	}
	return all, err
}

// openLine lets everybody try who waits for the ledger: nobody is first any
// more.
func (r *round) openLine(a Admission) {
	r.lines[a] = line{}
	for name, h := range r.hands {
		if h.opts.Admission == a {
			r.calls[name] = true
		}
	}
	r.mail.post(func(*mail) {}) // the loop goes round again
}

// admitOne leases a job if there is room for it. One that weighs nothing takes
// no part in this, nor does one that has lost its lease: somebody has to look at
// its row.
func (r *round) admitOne(ctx context.Context, tx *storage.Tx, h *hands, j Job) (taken bool, err error) {
	if j.Weight == 0 || j.LeaseLost {
		return true, r.lease(ctx, tx, h, j, nil, nil)
	}
	ledger := h.opts.Admission
	l := r.lines[ledger]
	if l.shut() && l.first != j.ID {
		return false, nil
	}
	release, never := ledger.Reserve(j)
	if errors.Is(never, ErrNoRoom) {
		r.lines[ledger] = l.refused(j.ID)
		return false, nil
	}
	switch l.first {
	case "":
	case j.ID:
		r.openLine(ledger)
	default:
		l.passed++
		r.lines[ledger] = l
	}
	return true, r.lease(ctx, tx, h, j, release, never)
}

// lease takes a job with what it has reserved, or why it never can.
func (r *round) lease(ctx context.Context, tx *storage.Tx, h *hands, j Job, release func(), never error) error {
	leased, err := leaseJob(ctx, tx, j.ID, r.db.InstanceID())
	if err != nil {
		leased = j // undone with the transaction, and so is what it has reserved
	}
	e := r.take(leased, h.kind)
	e.release, e.never = release, never
	r.started = append(r.started, e)
	return err
}

// giveBack returns what the job has reserved.
func (e *execution) giveBack() {
	if e.release != nil {
		e.release()
	}
}

// callSharing notes that jobs may fit for which there was no room.
func (l *loop) callSharing(a Admission) {
	for _, h := range l.hands {
		if a != nil && h.opts.Admission == a {
			h.call = true
		}
	}
}
