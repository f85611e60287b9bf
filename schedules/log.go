package schedules

import (
	"context"
	"fmt"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// maxLines is how many lines a log has (wire-v2, 1), and maxNext how many times are told.
const (
	maxLines = 1000
	maxNext  = 1000
)

func (s *service) Slots(ctx context.Context, ref string, f Filter) (l List[Slot], err error) {
	defer errtypes.Wrap(&err, "schedules.Slots(%q)", ref)
	if f, err = f.checked(); err != nil {
		return l, err
	}
	err = s.readOwn(ctx, ref, func(ctx context.Context, q storage.Querier, r row) (err error) {
		l, err = listSlots(ctx, q, r.ID, f)
		return err
	})
	return l, err
}

// readOwn reads what belongs to a schedule of the caller's project.
func (s *service) readOwn(ctx context.Context, ref string, do func(ctx context.Context, q storage.Querier, r row) error) error {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		r, err := find(ctx, q, project.ID, selectorOf(project, ref))
		if err != nil {
			return orNone(err, ref)
		}
		return do(ctx, q, r)
	})
}

// Log is made of the ledger: what became of each action, and then that the schedule was
// invoked.
func (s *service) Log(ctx context.Context, ref string) (lines []Line, err error) {
	defer errtypes.Wrap(&err, "schedules.Log(%q)", ref)
	var newest []Slot
	if err := s.readOwn(ctx, ref, func(ctx context.Context, q storage.Querier, r row) (err error) {
		newest, err = someSlots(ctx, q, r.ID, Filter{Limit: maxLines, Desc: true})
		return err
	}); err != nil {
		return nil, err
	}
	for i := len(newest) - 1; i >= 0; i-- {
		o := newest[i]
		if text := o.line(); text.Message != "" {
			lines = append(lines, text)
		}
		last := i == 0 || !newest[i-1].At.Equal(o.At) || newest[i-1].Manual != o.Manual
		if last && o.invoked() {
			lines = append(lines, Line{Level: "INFO", Message: invokedText[o.Manual], CreatedAt: o.RecordedAt})
		}
	}
	return lines[max(0, len(lines)-maxLines):], nil
}

var invokedText = map[bool]string{false: "Schedule invoked", true: "Schedule invoked manually"}

// invoked is whether the schedule was invoked at the slot, whatever became of its actions.
func (o Slot) invoked() bool { return o.Outcome != Skipped || o.Reason == Exclusive }

// names are what actions start, in logs.
var names = map[ActionType]string{RunActor: "Actor", RunActorTask: "Actor task", RunAgent: "agent", InvokeFunction: "function"}

// line is what the log says of a slot (wire-v2, 1); nothing of one that was started.
func (o Slot) line() Line {
	l := Line{Level: "WARNING", CreatedAt: o.RecordedAt}
	what := names[o.Type]
	switch {
	case o.Outcome == Failed:
		l.Level, l.Message = "ERROR", fmt.Sprintf("Cannot start %s %q: %s", what, o.Target, o.Message)
	case o.Reason == Exclusive:
		l.Message = fmt.Sprintf("Skipping %s %q, it must be exclusive but previous run is still running", what, o.Target)
	case o.Reason == TooSoon:
		l.Message = fmt.Sprintf("Skipping %s %q, %s less than %d seconds after the one before", what, o.Target, o.times(), int(minInterval/time.Second))
	case o.Reason == Missed:
		l.Message = fmt.Sprintf("Skipping %s %q, %s missed", what, o.Target, o.times())
	case o.Reason == Disabled:
		l.Message = fmt.Sprintf("Skipping %s %q, the schedule was disabled at %s", what, o.Target, o.times())
	case o.CaughtUp:
		l.Level, l.Message = "INFO", fmt.Sprintf("Started %s %q %s late", what, o.Target, o.Late.Round(time.Second))
	}
	return l
}

func (o Slot) times() string {
	from := o.At.UTC().Format(time.RFC3339)
	if o.Count == 1 {
		return from
	}
	return fmt.Sprintf("%d times from %s to %s", o.Count, from, o.Until.UTC().Format(time.RFC3339))
}

func (s *service) Next(ctx context.Context, ref string, n int) (all []Time, err error) {
	defer errtypes.Wrap(&err, "schedules.Next(%q)", ref)
	if n < 1 || n > maxNext {
		return nil, errtypes.Field("n", "must be from 1 to %d", maxNext)
	}
	r, _, err := s.read(ctx, ref)
	if err != nil {
		return nil, err
	}
	p, err := s.plannerOf(r)
	if err != nil {
		return nil, err
	}
	at, ok := p.next(s.now())
	for last := r.last; ok && len(all) < n; at, ok = p.next(at) {
		if at = p.first(at, last); at.IsZero() {
			break
		}
		all, last = append(all, Time{At: at.In(p.zone), Note: p.note(at)}), at
	}
	return all, nil
}

// note says what clocks do on the day of a time, if they are changed then.
func (t timing) note(at time.Time) string {
	local := at.In(t.zone)
	year, month, day := local.Date()
	_, begin := time.Date(year, month, day, 0, 0, 0, 0, t.zone).Zone()
	_, end := time.Date(year, month, day+1, 0, 0, 0, 0, t.zone).Zone()
	switch by := time.Duration(end-begin) * time.Second; {
	case by > 0:
		return fmt.Sprintf("clocks are put forward by %s on this day", by)
	case by < 0:
		return fmt.Sprintf("clocks are put back by %s on this day", -by)
	}
	return ""
}
