package actors

import (
	"cmp"
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
)

// Launch is a run that is about to be made: all is checked, and nothing of it is in the
// database. It makes one run, or none.
type Launch struct {
	service *service
	row     runRow
	stores  *records.RunStores
	hooks   adHoc
}

// Write makes the run with its stores, its log, its job and its webhooks. Error kind PaymentRequired, before
// anything is written, for one that is one too many.
func (l *Launch) Write(ctx context.Context, tx *storage.Tx) (RunInfo, error) {
	r := l.row
	if err := l.service.admits(ctx, tx, r.ProjectID, r.Options.Memory); err != nil {
		return RunInfo{}, err
	}
	at, err := insertRun(ctx, tx, r)
	if err != nil {
		return RunInfo{}, err
	}
	r.StartedAt = at
	return r.RunInfo, errors.Join(
		l.stores.Make(ctx, tx), l.service.conf.Logs.Create(ctx, tx, logOf(r)), l.service.executorOf(r.kind).Enqueue(ctx, tx, l.service.job(r)),
		l.service.attach(ctx, tx, r.RunInfo, l.hooks), l.service.emit(ctx, tx, runEvents[Ready], r.StartedAt, r.RunInfo),
	)
}

// Drop removes what has been stored for a run that was not made.
func (l *Launch) Drop(ctx context.Context) { l.stores.Drop(ctx) }

func (s *service) PrepareStart(ctx context.Context, actor string, in Start) (l *Launch, err error) {
	defer errtypes.Wrap(&err, "actors.PrepareStart(%q)", actor)
	return s.prepareActor(ctx, actor, in)
}

func (s *service) PrepareStartTask(ctx context.Context, task string, in Start) (l *Launch, err error) {
	defer errtypes.Wrap(&err, "actors.PrepareStartTask(%q)", task)
	return s.prepareTask(ctx, task, in)
}

func (s *service) Unfinished(ctx context.Context, q storage.Querier, runs []string) ([]string, error) {
	return stillGoing(ctx, q, runs)
}

func (s *service) prepareActor(ctx context.Context, actor string, in Start) (*Launch, error) {
	return s.prepareRun(ctx, in, func(ctx context.Context, q storage.Querier, l *launch) (err error) {
		l.actor, err = findActor(ctx, q, l.project.ID, selectorOf(l.project, actor))
		return orNoActor(err, actor)
	})
}

func (s *service) prepareTask(ctx context.Context, task string, in Start) (*Launch, error) {
	saved, err := s.storedTask(ctx, task)
	if err != nil {
		return nil, err
	}
	if in.Input, err = taskInput(saved.Input, in.Input); err != nil {
		return nil, err
	}
	if err := in.Options.Validate(); err != nil {
		return nil, err
	}
	in.Options = in.Options.Or(saved.Runs)
	return s.prepareRun(ctx, in, func(ctx context.Context, q storage.Querier, l *launch) (err error) {
		l.taskID = saved.ID
		l.actor, err = findActor(ctx, q, l.project.ID, selector{id: saved.ActorID})
		return orNoTask(err, task) // it went with its Actor
	})
}

// prepareRun decides all about a run of the Actor that find finds.
func (s *service) prepareRun(ctx context.Context, in Start, find func(context.Context, storage.Querier, *launch) error) (*Launch, error) {
	if err := s.closing.err(); err != nil {
		return nil, err
	}
	project, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	l := launch{project: project, meta: in.Meta}
	if l.hooks, err = s.adHoc(in.Webhooks); err != nil {
		return nil, err
	}
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
		l.pricing = l.actor.PricingAt(s.now())
		return errors.Join(s.checkOptions(l.options), l.pricing.checkCharge(l.options))
	})
	if err != nil {
		return nil, err
	}
	if l.input, err = s.acceptInput(ctx, l.actor.ID, l.build, in.Input); err != nil {
		return nil, err
	}
	return s.withStores(ctx, l)
}

// withStores stores the input of a run, a large one in a blob.
func (s *service) withStores(ctx context.Context, l launch) (*Launch, error) {
	r := runRow{RunInfo: RunInfo{
		ID: ids.NewShort(), ProjectID: l.project.ID, ActorID: l.actor.ID, TaskID: l.taskID, ProgramID: l.actor.ID,
		BuildID: l.build.id, BuildNumber: l.build.number, Status: Ready, Options: l.options, Pricing: l.pricing.forRun(), Meta: l.meta, InputKey: inputKey, StartedAt: s.now(),
	}, kind: kindOf(l.build.program), program: l.build.program}
	stores, err := s.conf.Stores.ForRun(ctx, l.stores(r))
	if err != nil {
		return nil, err
	}
	r.KeyValueStoreID, r.DatasetID, r.RequestQueueID = stores.KeyValueStore, stores.Dataset, stores.RequestQueue
	if l.input != nil {
		r.Stats.InputBytes = int64(len(l.input.Body))
	}
	return &Launch{s, r, stores, l.hooks}, nil
}
