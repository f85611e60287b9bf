package schedules

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// firing is what becomes of a schedule in one turn.
type firing struct {
	row
	actions []actionRow
	planner planner
	to      plan
	// launches are the starts that are prepared, by action and then by span. What could
	// not be prepared has an error.
	launches map[key]*start
	// stale is whether somebody has decided or changed the schedule meanwhile.
	stale bool
	slots []recordedSlot
	skips map[string]int
}

// recordedSlot is one with how many of its action have been skipped in a row with it, because
// the run before went on.
type recordedSlot struct {
	Slot
	skips int
}

type key struct {
	action string
	at     time.Time
}

type start struct {
	launch Launch
	err    error
	used   bool // it has become a run, if the transaction is committed
}

// slot is what becomes of a span of an action.
func (r row) slot(a actionRow, s span, now time.Time) Slot {
	return Slot{
		ScheduleID: r.ID, ActionID: a.ID, Type: a.Type, Target: a.Target, At: s.at, Until: s.until, Count: s.count,
		Outcome: Skipped, Reason: s.reason, CaughtUp: s.caughtUp, RecordedAt: now, Late: now.Sub(s.until),
	}
}

// batchesAhead is how many batches of schedules are read together.
const batchesAhead = 25

// fireDue decides schedules that are due, and returns how many: none while another process
// fires. While a batch is recorded the next one is prepared.
func (s *service) fireDue(ctx context.Context) (n int, err error) {
	now := s.now()
	rows, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) ([]row, error) {
		return dueBefore(ctx, q, now, batchesAhead*s.conf.Limits.Batch)
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	if held, err := s.hold(ctx, now); err != nil || !held {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if len(rows) > s.conf.Limits.Batch {
		defer s.conf.Hold()()
	}
	prepared := make(chan batch)
	go turn{service: s, now: now, projects: map[string]projects.Project{}}.prepareAll(ctx, rows, prepared)
	for b := range prepared {
		if err == nil && b.err == nil {
			err = s.record(ctx, b.all)
			n += len(b.all)
		} else {
			dropAll(ctx, b.all, true)
			err = cmp.Or(err, b.err)
		}
		if err != nil {
			stop()
		}
	}
	return n, err
}

// batch are schedules that are recorded together.
type batch struct {
	all []firing
	err error
}

// turn is what the schedules have in common that are decided together.
type turn struct {
	*service
	now      time.Time
	projects map[string]projects.Project
}

// prepareAll prepares schedules batch by batch.
func (s turn) prepareAll(ctx context.Context, rows []row, prepared chan<- batch) {
	defer close(prepared)
	for part := range slices.Chunk(rows, s.conf.Limits.Batch) {
		b := s.prepareBatch(ctx, part)
		prepared <- b
		if b.err != nil || ctx.Err() != nil {
			return
		}
	}
}

func (s turn) prepareBatch(ctx context.Context, rows []row) (b batch) {
	of, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (map[string][]actionRow, error) {
		return actionsOf(ctx, q, rows, largeInput)
	})
	if err != nil {
		return batch{err: err}
	}
	b.all = make([]firing, len(rows))
	for i, r := range rows {
		r.setActions(of[r.ID])
		b.all[i] = firing{row: r, actions: of[r.ID]}
		s.prepare(ctx, &b.all[i], share(len(rows), len(of[r.ID])))
	}
	return b
}

// prepare plans a schedule and prepares its starts, most slots of it.
func (s turn) prepare(ctx context.Context, f *firing, most int) {
	var err error
	if f.planner, err = s.plannerOf(f.row); err != nil { // it was checked when it was saved
		s.prepareUnreadable(f, err)
		return
	}
	f.planner.most = most
	f.to = f.planner.due(f.state, s.now)
	for _, sp := range f.to.spans {
		if sp.reason != "" {
			continue
		}
		for _, a := range f.actions {
			s.prepareStart(ctx, f, a, Meta{ScheduleID: f.ID, ActionID: a.ID, ScheduledAt: sp.at})
		}
	}
}

// unreadableRest is how long a schedule rests whose expression or zone cannot be read.
const unreadableRest = time.Hour

// prepareUnreadable has all actions of a schedule fail: its zone is on no list any more, say.
func (s turn) prepareUnreadable(f *firing, err error) {
	at := f.NextRunAt
	f.to = plan{spans: []span{{at: at, until: at, count: 1}}, state: state{cursor: at, last: f.last}, next: s.now.Add(unreadableRest)}
	f.launches = map[key]*start{}
	for _, a := range f.actions {
		f.launches[key{a.ID, at}] = &start{err: err}
	}
}

func (s turn) prepareStart(ctx context.Context, f *firing, a actionRow, m Meta) {
	if f.launches == nil {
		f.launches = map[key]*start{}
	}
	st := &start{}
	st.launch, st.err = s.launchOf(ctx, f, a, m)
	f.launches[key{a.ID, m.ScheduledAt}] = st
}

func (s turn) launchOf(ctx context.Context, f *firing, a actionRow, m Meta) (Launch, error) {
	launcher := s.conf.Launchers[a.Type]
	if launcher == nil {
		return nil, errtypes.New(errtypes.Unavailable, "this process has nothing that starts actions of type %s", a.Type)
	}
	project, ok := s.projects[f.ProjectID]
	if !ok {
		var err error
		if project, err = s.conf.Callers.Get(ctx, f.ProjectID); err != nil {
			return nil, err
		}
		s.projects[f.ProjectID] = project
	}
	if a.Input != nil && a.Input.Body == nil {
		one, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (actionRow, error) { return whole(ctx, q, a.ID) })
		if err != nil {
			return nil, err
		}
		a.Action = one.Action
	}
	return s.prepared(projects.With(ctx, project), launcher, a.Action, m)
}

// prepared has a start prepared. Schemas and inputs of strangers are read for it: a fault
// there fails the slot, and does not end the host, after each of its starts anew.
func (s turn) prepared(ctx context.Context, l Launcher, a Action, m Meta) (_ Launch, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.conf.Logger.Error("schedules: the preparation of a start panicked", "schedule", m.ScheduleID, "action", m.ActionID, "panic", cause, "stack", string(debug.Stack()))
			err = errtypes.New(errtypes.Internal, "its start could not be prepared by this host")
		}
	}()
	return l.Prepare(ctx, a, m)
}

// record writes what has become of schedules in one transaction, with the runs that they
// start. What keeps all of them from it is looked for in each alone.
func (s *service) record(ctx context.Context, all []firing) error {
	err := s.recordAll(ctx, all)
	if err == nil || ctx.Err() != nil {
		dropAll(ctx, all, err != nil)
		return err
	}
	s.conf.Logger.Error("schedules: what is due could not be recorded together, and is recorded one by one", "schedules", len(all), "error", err)
	broken := 0
	for i := range all {
		err = s.recordAlone(ctx, all[i:i+1])
		if err != nil && ctx.Err() == nil {
			broken++
			s.conf.Logger.Error("schedules: what is due of a schedule could not be recorded, and is tried again", "schedule", all[i].ID, "error", err)
		}
		if ctx.Err() != nil || broken > maxBroken || broken == len(all) { // it is the database
			dropAll(ctx, all[i+1:], true)
			return cmp.Or(err, ctx.Err())
		}
	}
	return nil
}

// maxBroken is how many schedules of a batch may not be recorded before all wait.
const maxBroken = 10

// recordAlone records that a schedule which cannot be started has failed.
func (s *service) recordAlone(ctx context.Context, one []firing) error {
	err := s.recordAll(ctx, one)
	dropAll(ctx, one, err != nil)
	if err == nil || ctx.Err() != nil {
		return err
	}
	for _, st := range one[0].launches {
		st.err = cmp.Or(st.err, err)
	}
	return s.recordAll(ctx, one)
}

func dropAll(ctx context.Context, all []firing, whole bool) {
	for i := range all {
		all[i].drop(context.WithoutCancel(ctx), whole)
	}
}

func (s *service) recordAll(ctx context.Context, all []firing) error {
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		now := s.now()
		known, err := recorded(ctx, tx, planned(all)...)
		if err != nil {
			return err
		}
		for i := range all {
			f := &all[i]
			f.begin()
			if err := s.recordOne(ctx, tx, f, known[f.ID], now); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.tell(ctx, all)
	}
	return err
}

// planned are the slots that are about to be recorded.
func planned(all []firing) (of []slots) {
	for _, f := range all {
		if len(f.to.spans) > 0 {
			of = append(of, slots{f.ID, f.to.spans[0].at, f.to.cursor})
		}
	}
	return of
}

// begin is the beginning of a transaction.
func (f *firing) begin() {
	f.slots, f.skips, f.stale = nil, map[string]int{}, false
	for _, st := range f.launches {
		st.used = false
	}
}

// drop drops the starts that have not become runs.
func (f *firing) drop(ctx context.Context, whole bool) {
	for _, st := range f.launches {
		if st.launch != nil && (whole || !st.used) {
			st.launch.Drop(ctx)
		}
	}
}

func (s *service) recordOne(ctx context.Context, tx *storage.Tx, f *firing, known map[string][]time.Time, now time.Time) error {
	var ran time.Time
	if slices.ContainsFunc(f.to.spans, func(sp span) bool { return sp.reason == "" }) {
		ran = now
	}
	done, err := advance(ctx, tx, f.row, f.to, ran)
	if f.stale = !done; err != nil || !done {
		return err
	}
	for _, a := range f.actions {
		f.skips[a.ID] = a.skips
		for _, sp := range f.planner.without(f.to.spans, known[a.ID]) {
			if err := s.decide(ctx, tx, f, a, f.slot(a, sp, now)); err != nil {
				return err
			}
		}
		if f.skips[a.ID] != a.skips {
			if err := setSkips(ctx, tx, a.ID, f.skips[a.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide starts an action if its slot is to be started and nothing is in its way, and
// records it.
func (s *service) decide(ctx context.Context, tx *storage.Tx, f *firing, a actionRow, o Slot) error {
	if o.Reason == "" {
		if err := s.launch(ctx, tx, f, a, f.launches[key{a.ID, o.At}], &o); err != nil {
			return err
		}
	}
	f.recorded(o)
	return insertSlot(ctx, tx, o, !f.Parallel)
}

// recorded notes a slot for whoever is told.
func (f *firing) recorded(o Slot) {
	one := recordedSlot{Slot: o}
	if o.Reason == Exclusive {
		one.skips = f.skips[o.ActionID]
	}
	f.slots = append(f.slots, one)
}

// launch says what becomes of a slot that is due.
func (s *service) launch(ctx context.Context, tx *storage.Tx, f *firing, a actionRow, st *start, o *Slot) error {
	if st.err == nil && !f.Parallel {
		busy, err := s.busy(ctx, tx, a)
		if err != nil {
			return err
		}
		if busy {
			o.Reason = Exclusive
			f.skips[a.ID]++
			return nil
		}
	}
	err := st.err
	if err == nil {
		o.RunID, err = st.launch.Write(ctx, tx)
	}
	f.skips[a.ID] = 0
	switch {
	case err == nil:
		o.Outcome, st.used = Started, true
	case ctx.Err() != nil:
		return ctx.Err()
	case st.err == nil && ofDatabase(err):
		return err
	default:
		o.Outcome, o.Message = Failed, messageOf(err)
	}
	return nil
}

// ofDatabase is whether an error is of the transaction, and not of what is started.
func ofDatabase(err error) bool {
	var typed *errtypes.Error
	return !errors.As(err, &typed) || errtypes.KindOf(err) == errtypes.Internal
}

// messageOf is what is said to people of an error.
func messageOf(err error) string {
	var typed *errtypes.Error
	if errors.As(err, &typed) {
		return typed.Message
	}
	return err.Error()
}

// busy is whether a run that an action has started goes on.
func (s *service) busy(ctx context.Context, tx *storage.Tx, a actionRow) (bool, error) {
	runs, err := openRuns(ctx, tx, a)
	if err != nil || len(runs) == 0 {
		return false, err
	}
	ids := make([]string, len(runs))
	for i, r := range runs {
		ids[i] = r.id
	}
	left, err := s.conf.Launchers[a.Type].Unfinished(ctx, tx, ids)
	if err != nil {
		return false, err
	}
	goesOn := func(r openRun) bool { return slices.Contains(left, r.id) }
	if slices.ContainsFunc(runs, func(r openRun) bool { return r.closed && goesOn(r) }) {
		err = openSlots(ctx, tx, a, left)
	} else if slices.ContainsFunc(runs, func(r openRun) bool { return !r.closed && !goesOn(r) }) {
		err = closeSlots(ctx, tx, a.ID, left)
	}
	return len(left) > 0, err
}

// tell counts what was decided, and tells whoever is to be told of what has failed, or was skipped too often.
func (s *service) tell(ctx context.Context, all []firing) {
	for _, f := range all {
		for _, o := range f.slots {
			s.metrics.decided(o.Slot)
			switch {
			case o.Outcome == Failed:
				s.conf.Logger.Warn("schedules: an action could not be started", "schedule", f.Name, "id", f.ID, "action", o.ActionID, "target", o.Target, "slot", o.At, "reason", o.Message)
			case o.skips > 0 && o.skips%s.conf.Limits.Skips == 0:
				s.conf.Logger.Warn("schedules: an action is skipped again and again, since the run before goes on", "schedule", f.Name, "id", f.ID, "action", o.ActionID, "target", o.Target, "slot", o.At, "times", o.skips)
			default:
				continue
			}
			if s.conf.Problem != nil && !f.Silent {
				s.tellProblem(ctx, Problem{Schedule: f.Schedule, Slot: o.Slot, Skips: o.skips})
			}
		}
	}
}

// tellProblem calls the function of the program: what it does wrong ends no firing.
func (s *service) tellProblem(ctx context.Context, p Problem) {
	defer func() {
		if cause := recover(); cause != nil {
			s.conf.Logger.Error("schedules: the function that is told of problems panicked", "panic", cause, "stack", string(debug.Stack()))
		}
	}()
	s.conf.Problem(ctx, p)
}
