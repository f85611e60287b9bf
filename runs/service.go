package runs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// jobKind is the kind of the jobs that say "look at this run".
const jobKind = "agent-run"

const stoppedMessage = "the run was stopped by its caller"

// New returns the service and registers what executes its runs with the queue,
// which the host starts. Close it, whether or not it is used.
func New(ctx context.Context, c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "runs.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	key, err := c.DB.SecretKey(ctx, "cursors")
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	s := &service{conf: c, cursors: keyset.New(key), vaults: newValues(c), metrics: newMetrics(c.Telemetry), oneShots: map[*activeRun]struct{}{}}
	if s.models, err = newModels(c); err != nil {
		return nil, err
	}
	if err := s.checkBudgets(); err != nil {
		return nil, err
	}
	if s.hostTools, err = readTools(c.Tools); err != nil {
		return nil, err
	}
	s.executor = s.newExecutor()
	c.Jobs.Register(jobKind, s.executor.Work, jobs.KindOptions{Workers: c.Limits.Concurrent, Exhausted: s.executor.Exhausted})
	c.Keeper.Register(s.kept())
	c.Keeper.Register(s.keptUsage())
	return s, nil
}

type service struct {
	conf   Config
	models *models.Registry
	// hostTools are those of Config.Tools.
	hostTools []hostTool
	cursors   keyset.Codec

	executor *execution.Executor[row, ending]
	vaults   *execution.Values[heldValues]
	metrics  metrics

	mu       sync.Mutex
	closing  bool
	oneShots map[*activeRun]struct{} // under way
	allOver  sync.WaitGroup          // of the one-shots
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }

func (s *service) Create(ctx context.Context, c Create) (_ Run, err error) {
	defer errtypes.Wrap(&err, "runs.Create")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, err
	}
	if err := s.open(); err != nil {
		return Run{}, err
	}
	r, err := s.build(ctx, project, c)
	if err != nil {
		return Run{}, err
	}
	s.keepValues(r.ID, c) // before a worker can look
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error { return s.insert(ctx, tx, r) })
	if err != nil {
		s.vaults.Drop(r.ID)
		return Run{}, err
	}
	s.vaults.Stored(r.ID)
	return r.Run, nil
}

func (s *service) open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return errClosing
	}
	return nil
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// insert writes the run and the job, and tells webhooks of it. Values of variables
// die with this process, and so does a session that it has: no other may take such
// a run while it lives.
func (s *service) insert(ctx context.Context, tx *storage.Tx, r row) error {
	job := jobs.Insert{ProjectID: r.projectID, Ref: r.ID}
	if len(r.variables) > 0 || r.settings.Secret || r.SessionID != "" {
		job.Owner = s.conf.DB.InstanceID()
	}
	if err := insertRun(ctx, tx, r); err != nil {
		return err
	}
	if err := s.executor.Enqueue(ctx, tx, job); err != nil {
		return err
	}
	return s.emit(ctx, tx, r)
}

func (s *service) build(ctx context.Context, p projects.Project, c Create) (row, error) {
	if err := s.validate(ctx, c); err != nil {
		return row{}, err
	}
	schema, err := s.checkSchema(c.ResultSchema)
	if err != nil {
		return row{}, err
	}
	r := row{
		Run:       Run{ID: ids.New(), AgentID: c.AgentID, Task: c.Task, Status: Pending, ResultSchema: schema, Model: c.Model, SessionID: c.SessionID, CreatedAt: s.now()},
		projectID: p.ID, variables: hints(c.Variables), settings: c.BrowserSettings.stored(), options: c.storedOptions(),
	}
	r.UpdatedAt = r.CreatedAt
	err = s.copyAgent(ctx, &r)
	return r, err
}

// copyAgent takes over what the agent says: its later changes change nothing
// (DECISIONS 12).
func (s *service) copyAgent(ctx context.Context, r *row) error {
	if r.AgentID == "" {
		return nil
	}
	a, err := s.conf.Agents.Get(ctx, r.AgentID)
	if errtypes.Is(err, errtypes.NotFound) {
		return errtypes.Field("agentId", "names no agent: there is no %q", r.AgentID)
	}
	r.systemPrompt, r.agentSchema = a.SystemPrompt, a.ResultSchema
	return err
}

func (s *service) Get(ctx context.Context, id string) (r Run, err error) {
	defer errtypes.Wrap(&err, "runs.Get(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		r, err = findRun(ctx, q, project.ID, id)
		return err
	})
	return r, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no run %q", id)
	}
	return err
}

func (s *service) List(ctx context.Context, f Filter) (_ Page, err error) {
	defer errtypes.Wrap(&err, "runs.List")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Page{}, err
	}
	if f.Status != "" && !slices.Contains(Statuses(), f.Status) {
		return Page{}, errtypes.Field("status", "must be one of %s", joined(Statuses()))
	}
	w, err := s.cursors.Window(
		keyset.Filter{StartAt: f.StartAt, EndAt: f.EndAt, Limit: f.Limit, Cursor: f.Cursor},
		"runs", project.ID, string(f.Status), f.AgentID)
	if err != nil {
		return Page{}, err
	}
	page := Page{Limit: w.Limit}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		all, err := listRuns(ctx, q, project.ID, f, w)
		page.Runs, page.NextCursor = keyset.Cut(w, all, Run.position)
		return err
	})
	return page, err
}

// position is the run's place in a list.
func (r Run) position() keyset.Position {
	return keyset.Position{At: storage.Millis(r.CreatedAt), ID: r.ID}
}

func joined(all []Status) (list string) {
	for i, status := range all {
		if i > 0 {
			list += ", "
		}
		list += string(status)
	}
	return list
}

func (s *service) Stop(ctx context.Context, id string) (r Run, err error) {
	defer errtypes.Wrap(&err, "runs.Stop(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		stopped, err := s.executor.Stop(ctx, tx, project.ID, id)
		if errors.Is(err, storage.ErrNoRow) {
			err = s.whyNoStop(ctx, tx, project.ID, id)
		}
		r = stopped.Run
		return err
	})
	return r, orNotFound(err, id)
}

// whyNoStop tells a run that has ended from one that does not exist.
func (s *service) whyNoStop(ctx context.Context, q storage.Querier, projectID, id string) error {
	r, err := findRun(ctx, q, projectID, id)
	if err != nil {
		return err
	}
	return errtypes.New(errtypes.Conflict, "the run has already ended: it is %s", r.Status)
}

func (s *service) Wait(ctx context.Context, id string) (r Run, err error) {
	defer errtypes.Wrap(&err, "runs.Wait(%q)", id)
	err = s.executor.Follow(ctx, id, func() (done bool, err error) {
		r, err = s.Get(ctx, id)
		return r.Status.Final(), err
	})
	return r, err
}

// Close refuses new runs, and ends one-shots. Runs under way are the queue's: its
// Stop, which the host calls next, lets them end and cuts them off.
func (s *service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	for x := range s.oneShots {
		x.cancel(jobs.ErrStopping)
	}
	s.mu.Unlock()
	s.allOver.Wait()
	s.vaults.Close(ctx)
	return nil
}

// register has Close end a one-shot and wait until it is closed.
func (s *service) register(x *activeRun) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return errClosing
	}
	s.oneShots[x] = struct{}{}
	s.allOver.Add(1)
	return nil
}

func (s *service) unregister(x *activeRun) {
	s.mu.Lock()
	delete(s.oneShots, x)
	s.mu.Unlock()
	s.allOver.Done()
}
