package actors

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
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
	input   *Input
	meta    Meta
	hooks   []Webhook
}

func (s *service) Start(ctx context.Context, actor string, in Start) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Start(%q)", actor)
	return s.start(ctx, in, func(ctx context.Context, q storage.Querier, l *launch) (err error) {
		l.actor, err = findActor(ctx, q, l.project.ID, selectorOf(l.project, actor))
		return orNoActor(err, actor)
	})
}

func (s *service) StartTask(ctx context.Context, task string, in Start) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.StartTask(%q)", task)
	saved, err := s.storedTask(ctx, task)
	if err != nil {
		return r, err
	}
	if in.Input, err = taskInput(saved.Input, in.Input); err != nil {
		return r, err
	}
	if err := in.Options.Validate(); err != nil {
		return r, err
	}
	in.Options = in.Options.Or(saved.Runs)
	return s.start(ctx, in, func(ctx context.Context, q storage.Querier, l *launch) (err error) {
		l.taskID = saved.ID
		l.actor, err = findActor(ctx, q, l.project.ID, selector{id: saved.ActorID})
		return orNoTask(err, task) // it went with its Actor
	})
}

// start makes a run of the Actor that find finds.
func (s *service) start(ctx context.Context, in Start, find func(context.Context, storage.Querier, *launch) error) (RunInfo, error) {
	if err := s.closing.err(); err != nil {
		return RunInfo{}, err
	}
	project, err := s.current(ctx)
	if err != nil {
		return RunInfo{}, err
	}
	if err := validateWebhooks(in.Webhooks); err != nil {
		return RunInfo{}, err
	}
	l := launch{project: project, meta: in.Meta, hooks: in.Webhooks}
	l.meta.Origin = cmp.Or(l.meta.Origin, "API")
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if err = find(ctx, q, &l); err != nil {
			return err
		}
		l.options = in.Options.Or(l.actor.Runs)
		if err := l.options.Validate(); err != nil {
			return err
		}
		if l.build, err = s.resolveBuild(ctx, q, l.actor, l.options.withDefaults().Build); err != nil {
			return err
		}
		l.options = l.options.Or(RunOptions{Memory: l.build.memory}).withDefaults()
		return s.checkOptions(l.options)
	})
	if err != nil {
		return RunInfo{}, err
	}
	if l.input, err = s.acceptInput(ctx, l.actor.ID, l.build, in.Input); err != nil {
		return RunInfo{}, err
	}
	r, err := s.insert(ctx, l)
	if err != nil || in.WaitForFinish <= 0 {
		return r.RunInfo, err
	}
	return s.Wait(ctx, r.ID, in.WaitForFinish)
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

// insert writes the run with its stores, its log and its job in one transaction.
func (s *service) insert(ctx context.Context, l launch) (runRow, error) {
	r := runRow{RunInfo: RunInfo{
		ID: ids.NewShort(), ProjectID: l.project.ID, ActorID: l.actor.ID, TaskID: l.taskID, ProgramID: l.actor.ID,
		BuildID: l.build.id, BuildNumber: l.build.number, Status: Ready, Options: l.options, Webhooks: l.hooks, Meta: l.meta, InputKey: inputKey, StartedAt: s.now(),
	}, kind: kindOf(l.build.program), program: l.build.program}
	stores, err := s.conf.Stores.ForRun(ctx, l.stores(r))
	if err != nil {
		return r, err
	}
	r.KeyValueStoreID, r.DatasetID, r.RequestQueueID = stores.KeyValueStore, stores.Dataset, stores.RequestQueue
	if l.input != nil {
		r.Stats.InputBytes = int64(len(l.input.Body))
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if err := s.admits(ctx, tx, r.ProjectID, r.Options.Memory); err != nil {
			return err
		}
		at, err := insertRun(ctx, tx, r)
		if err != nil {
			return err
		}
		r.StartedAt = at
		return errors.Join(stores.Make(ctx, tx), s.conf.Logs.Create(ctx, tx, logOf(r)), s.executorOf(r.kind).Enqueue(ctx, tx, s.job(r)))
	})
	if err != nil {
		stores.Drop(ctx)
	}
	return r, err
}

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
