package jobs

import (
	"cmp"
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Insert is a job to be written by [Queue.Enqueue].
type Insert struct {
	// Kind names the worker. 1 to 64 bytes.
	Kind string
	// ProjectID is whose work it is: projects take turns. Default empty, which
	// counts as a project of its own.
	ProjectID string
	// Ref is the id of the row that a worker must look at. At most 512 bytes.
	// Default empty.
	Ref string
	// Key is unique among the unfinished jobs of the kind. At most 512 bytes.
	// Default Ref; one of the two is needed.
	Key string
	// Delay is how long the job waits before a worker may take it; not
	// negative. Default 0. Like At it ends by the wall clock.
	Delay time.Duration
	// At is when a worker may take the job, to the millisecond; what has passed
	// is now. Not together with Delay. Default now.
	//
	// It is a time of the wall clock, also across restarts. When that is set
	// forward past it, or the machine wakes up after it, the job starts within
	// a minute; when it is set back, the job waits until the clock shows the time
	// again. A job that has started does not start a second time because the
	// clock was set back.
	At time.Time
	// Weight is what the job takes of the resource that the Admission of its
	// kind gives out, in that one's unit; not negative. Default 0: it is not
	// weighed.
	Weight int64
	// Share names those jobs of the kind that the Admission bounds together: see
	// [Sharing]. At most 512 bytes. Default empty: none.
	Share string
	// Owner is the instance ([storage.DB.InstanceID]) that alone may run the
	// job while it lives. Default empty: any.
	Owner string
	// MaxAttempts is how often the job is tried in all. Default that of the
	// kind.
	MaxAttempts int
}

const (
	maxKind = 64
	maxText = 512
)

func (in Insert) withDefaults() Insert {
	in.Key = cmp.Or(in.Key, in.Ref)
	return in
}

func (in Insert) validate() error {
	for _, f := range []struct {
		name, value string
		most        int
	}{
		{"kind", in.Kind, maxKind}, {"projectId", in.ProjectID, maxText}, {"ref", in.Ref, maxText},
		{"key", in.Key, maxText}, {"share", in.Share, maxText}, {"owner", in.Owner, maxText},
	} {
		if len(f.value) > f.most {
			return errtypes.Field(f.name, "must be at most %d bytes", f.most)
		}
	}
	switch {
	case in.Kind == "":
		return errtypes.Field("kind", "is required")
	case in.Key == "":
		return errtypes.Field("key", "or ref is required")
	case in.Delay < 0:
		return errtypes.Field("delay", "must not be negative")
	case in.Delay > 0 && !in.At.IsZero():
		return errtypes.Field("at", "cannot be combined with delay")
	case in.Weight < 0:
		return errtypes.Field("weight", "must not be negative")
	case in.MaxAttempts < 0:
		return errtypes.Field("maxAttempts", "must not be negative")
	}
	return nil
}

// due is when a worker may take the job, by the wall clock. Zero is now.
func (in Insert) due(now time.Time) time.Time {
	at := in.At
	if in.Delay > 0 {
		at = now.Add(in.Delay)
	}
	if at = wall(at); !at.After(wall(now)) {
		return time.Time{}
	}
	return at
}

// wall drops the monotonic reading, so that times are compared as a database
// does: by the wall clock.
func wall(t time.Time) time.Time { return t.Round(0) }

// Job is a unit of work as a worker gets it.
type Job struct {
	ID        string
	Kind      string
	ProjectID string
	Ref       string
	Key       string
	Owner     string
	// Attempt is 1 the first time. A snooze and a stop do not count.
	Attempt int
	// MaxAttempts is never 0 in a worker's hands. An attempt beyond it comes
	// only after a lost lease: somebody has to look.
	MaxAttempts int
	// LeaseLost says that an earlier attempt ended without a word: its process
	// died or hung. The worker decides what that means for the row.
	LeaseLost bool
	// OwnerLost says that the owner is gone, so that anybody may run the job.
	OwnerLost bool
	// Weight and Share are those of its [Insert].
	Weight    int64
	Share     string
	CreatedAt time.Time

	// lease is the number of the lease that this attempt has. Whoever changes
	// a job that runs names it, so that one that was lost changes nothing.
	lease int64
	cut   <-chan struct{}
}

// CutOff is closed when the queue stops and has waited as long as it may. It is
// for a worker that goes on after the end of its context, of which one cause is
// all that can be seen. Nil where no worker has the job.
func (j Job) CutOff() <-chan struct{} { return j.cut }

// Worker looks at the row that the job is about. Nil means that the job is
// done. Any other error is an attempt that failed, except [Snooze] and
// [Discard]; a panic is an error. The context is canceled with one of the
// causes [ErrCanceled], [ErrStopping] and [ErrLeaseLost].
//
// A worker that must still write something after that uses a context without
// cancel ([context.WithoutCancel]).
type Worker func(ctx context.Context, j Job) error

// KindOptions say how the jobs of a kind are run. The zero value is useful.
type KindOptions struct {
	// Workers is how many jobs of the kind run at the same time in this
	// process. Default 4.
	Workers int
	// MaxAttempts is how often a job is tried that does not say so itself.
	// Default 5.
	MaxAttempts int
	// Backoff is how long to wait after the attempt, counted from 1, has
	// failed. Default Exponential(time.Second, 5*time.Minute).
	Backoff func(attempt int) time.Duration
	// Exhausted is called in the transaction that removes a job whose attempts
	// are used up or that was discarded, with the last error. When it fails,
	// the job stays and is tried again after a backoff. Default nil: the job
	// is removed and the error logged. It must be short: no job is handed out
	// meanwhile.
	Exhausted func(ctx context.Context, tx *storage.Tx, j Job, cause error) error
	// Admission gives out what jobs that have a weight need. One that has lost
	// its lease is not weighed, so that its row is looked at; its worker returns
	// Snooze(0) to begin again when there is room. Default nil: none is weighed.
	Admission Admission
}

func (o KindOptions) withDefaults() KindOptions {
	o.Workers = cmp.Or(max(o.Workers, 0), 4)
	o.MaxAttempts = cmp.Or(max(o.MaxAttempts, 0), 5)
	if o.Backoff == nil {
		o.Backoff = Exponential(time.Second, 5*time.Minute)
	}
	return o
}
