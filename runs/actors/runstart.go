package actors

import (
	"bytes"
	"context"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
)

const (
	defaultBuild   = "latest"
	defaultTimeout = 300 * time.Second
	defaultMemory  = 1024
)

// withDefaults fills in what nobody has said.
func (o RunOptions) withDefaults() RunOptions {
	timeout, no := defaultTimeout, false
	return o.Or(RunOptions{Build: defaultBuild, Timeout: &timeout, Memory: defaultMemory, RestartOnError: &no})
}

// launch is a run that is about to be made.
type launch struct {
	project projects.Project
	actor   Actor
	taskID  string
	build   buildRef
	options RunOptions
	pricing Pricing
	input   *Input
	meta    Meta
	hooks   adHoc
}

func (s *service) Start(ctx context.Context, actor string, in Start) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Start(%q)", actor)
	l, err := s.prepareActor(ctx, actor, in)
	if err != nil {
		return r, err
	}
	return s.start(ctx, l, in.WaitForFinish)
}

func (s *service) StartTask(ctx context.Context, task string, in Start) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.StartTask(%q)", task)
	l, err := s.prepareTask(ctx, task, in)
	if err != nil {
		return r, err
	}
	return s.start(ctx, l, in.WaitForFinish)
}

// start makes a run, and waits for its end for some time.
func (s *service) start(ctx context.Context, l *Launch, wait time.Duration) (r RunInfo, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		r, err = l.Write(ctx, tx)
		return err
	})
	if err != nil {
		l.Drop(ctx)
	}
	if err != nil || wait <= 0 {
		return r, err
	}
	return s.Wait(ctx, r.ID, wait)
}

// checkOptions refuses what is out of range, and what never fits into the machine.
func (s *service) checkOptions(o RunOptions) error {
	if err := o.Validate(); err != nil || s.conf.Memory == nil {
		return err
	}
	if share := s.conf.Memory.State().Total; share > 0 && bytesOf(o.Memory) > share {
		return errtypes.OfType(errtypes.TypeActorMemoryLimitExceeded, "The run asks for %d MB of memory; this machine has %d MB for all runs", o.Memory, share>>20)
	}
	return nil
}

func bytesOf(megabytes int) int64 { return int64(megabytes) << 20 }

func (l launch) stores(r runRow) records.NewRun {
	run := records.NewRun{ProjectID: r.ProjectID, ActID: r.ActorID, RunID: r.ID, DatasetSchema: l.build.stores.dataset, KeyValueStoreSchema: l.build.stores.keyValueStore}
	if l.input != nil {
		run.Input = l.input.record(inputKey)
	}
	return run
}

// record is the input as a record.
func (in Input) record(key string) *records.NewRecord {
	return &records.NewRecord{Key: key, ContentType: in.ContentType, Content: bytes.NewReader(in.Body)}
}

// job is that of a run. Its weight is its memory.
func (s *service) job(r runRow) jobs.Insert {
	in := jobs.Insert{ProjectID: r.ProjectID, Ref: r.ID}
	if s.memory != nil {
		in.Weight = bytesOf(r.Options.Memory)
	}
	return in
}

// admits refuses a run that is one too many for its project.
func (s *service) admits(ctx context.Context, q storage.Querier, projectID string, memory int) error {
	runs, used, err := unfinished(ctx, q, projectID)
	l := s.conf.Limits
	switch {
	case err != nil:
		return err
	case l.MaxUnfinished > 0 && runs >= l.MaxUnfinished:
		return errtypes.OfType(errtypes.TypeConcurrentRunsLimitExceeded, "A project may have %d runs that have not ended", l.MaxUnfinished)
	case l.MaxMemory > 0 && used+memory > l.MaxMemory:
		return errtypes.OfType(errtypes.TypeActorMemoryLimitExceeded,
			"The runs of a project may have %d MB of memory together (currently used: %d MB, requested: %d MB)", l.MaxMemory, used, memory)
	}
	return nil
}
