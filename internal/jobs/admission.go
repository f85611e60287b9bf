package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/drover-go/drover/storage"
)

// ErrNoRoom is what [Admission].Reserve returns when the resource is short.
var ErrNoRoom = errors.New("jobs: there is no room for the job now")

// Admission is the ledger of a resource that jobs need and that there is only
// so much of, such as the memory of the machine ([Memory]). Several kinds may share
// one.
//
// A job that does not fit stays ready, and others start meanwhile, so that it holds
// up nobody. For the oldest of each project that does not fit, up to [places] of
// them, the ledger keeps a place: it sees to it that all come to their turn, whoever
// else takes of the resource.
//
// The queue asks again when one of its jobs gives back what it had, when the ledger
// says so, and when [Queue.Wake] is called. It never polls.
//
// An implementation must be comparable, such as a pointer. Its methods neither block
// nor use the database.
type Admission interface {
	// Reserve takes the weight of the job from what is free, or what was found
	// for its place. The release that it returns is called once, after the worker
	// has returned, from any goroutine. [ErrNoRoom] leaves the job waiting; another
	// error says that it will never fit: it is given up with that error. It is
	// called inside transactions.
	Reserve(j Job) (release func(), err error)
	// Await keeps a place for a job, until leave is called. Wake is called when
	// there is room for it, and when others may fit; it does not block.
	Await(j Job, wake func()) (leave func())
}

// Sharing is an [Admission] that bounds the jobs of a share, too. However many of
// those wait, they hold up no other job of their project.
type Sharing interface {
	Admission
	// Full returns the shares of which no job fits now: their jobs are not looked at.
	Full() []string
}

// full are the shares of an admission that are.
func full(a Admission) []string {
	if s, ok := a.(Sharing); ok {
		return s.Full()
	}
	return nil
}

// Wake makes the queue look for jobs of the kind that wait: something that they
// did not get may be free now. It neither blocks nor starts the workers, so
// that it may be called from anywhere. A kind that nobody registered is ignored.
func (q *Queue) Wake(kind string) { q.mail.postReady(kind) }

const (
	// places is for how many jobs a ledger keeps one.
	places = 16
	// lookAhead is how many jobs of a kind are asked whether they fit, and lookFar how
	// many projects are, where none of those does.
	lookAhead = 16
	lookFar   = 256
)

// A line is the oldest job of each project for which a ledger had no room.
type line map[string]Job

// refused notes a job that does not fit. Ids sort by age.
func (l line) refused(j Job) {
	first, waits := l[j.ProjectID]
	if waits && j.ID < first.ID || !waits && len(l) < places {
		l[j.ProjectID] = j
	}
}

// gone notes a job that waits no longer.
func (l line) gone(j Job) {
	if l[j.ProjectID].ID == j.ID {
		delete(l, j.ProjectID)
	}
}

// byAge are the jobs of the line, the oldest first.
func (l line) byAge() []Job {
	return slices.SortedFunc(maps.Values(l), func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
}

// admit takes jobs of a weighed kind for as many hands as are free: the first that wait,
// and where none of these fits, those of other projects.
func (r *round) admit(ctx context.Context, tx *storage.Tx, h *hands, free int) error {
	for {
		waiting, others, err := r.candidates(ctx, tx, h)
		if err != nil {
			return err
		}
		before := free
		if free, err = r.admitSome(ctx, tx, h, appendOthers(waiting, others), free, nil); err != nil || free == 0 {
			return err // the kind stays called
		}
		open := notOf(full(h.opts.Admission), others)
		switch {
		case len(others) < lookAhead && len(withMore(open)) == 0:
			r.calls[h.name] = false
			return nil
		case len(open) == 0: // their shares are full by now: others may not be
		case free == before:
			return r.admitOthers(ctx, tx, h, free, projectsOf(append(waiting, open...)))
		}
	}
}

// admitOthers takes jobs of projects that are not passed over. Who has one that does not
// fit is passed over, too.
func (r *round) admitOthers(ctx context.Context, tx *storage.Tx, h *hands, free int, passed map[string]bool) error {
	for {
		over := slices.Collect(maps.Keys(passed))
		waiting, err := firstReadyOf(ctx, tx, h.name, r.db.InstanceID(), lookFar, full(h.opts.Admission), over)
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			r.calls[h.name] = false
			return nil
		}
		if free, err = r.admitSome(ctx, tx, h, waiting, free, passed); err != nil || free == 0 {
			return err // the kind stays called
		}
	}
}

// admitSome takes those of some jobs that fit, and returns how many hands are free then.
// The projects of the others are noted, if somebody wants to know them.
func (r *round) admitSome(ctx context.Context, tx *storage.Tx, h *hands, waiting []Job, free int, refused map[string]bool) (int, error) {
	for _, j := range waiting {
		if free == 0 {
			return 0, nil
		}
		taken, err := r.admitOne(ctx, tx, h, j)
		switch {
		case err != nil:
			return free, err
		case taken:
			free--
		case refused != nil:
			refused[j.ProjectID] = true
		}
	}
	return free, nil
}

func projectsOf(all []Job) map[string]bool {
	projects := map[string]bool{}
	for _, j := range all {
		projects[j.ProjectID] = true
	}
	return projects
}

// candidates are the jobs of the kind that may fit: those that have a place, and
// others in their turn.
func (r *round) candidates(ctx context.Context, tx *storage.Tx, h *hands) (some, others []Job, err error) {
	line := r.lines[h.opts.Admission]
	for _, waits := range line.byAge() {
		if waits.Kind != h.name {
			continue
		}
		j, err := findReady(ctx, tx, waits.ID, r.db.InstanceID())
		switch {
		case errors.Is(err, storage.ErrNoRow): // canceled, or another process has it
			line.gone(waits)
		case err != nil:
			return nil, nil, err
		default:
			some = append(some, j)
		}
	}
	others, err = readyJobs(ctx, tx, h.name, r.db.InstanceID(), lookAhead, full(h.opts.Admission))
	return some, others, err
}

// appendOthers adds jobs that are not among those yet.
func appendOthers(all, more []Job) []Job {
	return append(all, slices.DeleteFunc(slices.Clone(more), func(j Job) bool {
		return slices.ContainsFunc(all, func(has Job) bool { return has.ID == j.ID })
	})...)
}

// notOf are the jobs of shares that are not full. The others are not looked at again, and say
// nothing of their projects.
func notOf(full []string, all []Job) []Job {
	return slices.DeleteFunc(slices.Clone(all), func(j Job) bool { return slices.Contains(full, j.Share) })
}

// admitOne leases a job if there is room for it. One that weighs nothing takes
// no part in this, nor does one that has lost its lease: somebody has to look at
// its row.
func (r *round) admitOne(ctx context.Context, tx *storage.Tx, h *hands, j Job) (taken bool, err error) {
	if j.Weight == 0 || j.LeaseLost {
		return true, r.lease(ctx, tx, h, j, nil, nil)
	}
	release, never := h.opts.Admission.Reserve(j)
	line := r.lines[h.opts.Admission]
	if errors.Is(never, ErrNoRoom) {
		line.refused(j)
		return false, nil
	}
	line.gone(j)
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
