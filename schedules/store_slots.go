package schedules

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/drover-go/drover/storage"
)

const slotColumns = `schedule_id, action_id, type, target, slot_at, until_at, slots, outcome, reason, message, run_id, caught_up, manual, recorded_at`

func scanSlot(s storage.Scanner) (o Slot, err error) {
	var at, until, recorded int64
	if err := s.Scan(&o.ScheduleID, &o.ActionID, &o.Type, &o.Target, &at, &until, &o.Count, &o.Outcome, &o.Reason, &o.Message, &o.RunID, &o.CaughtUp, &o.Manual, &recorded); err != nil {
		return o, err
	}
	o.At, o.Until, o.RecordedAt = storage.Time(at), storage.Time(until), storage.Time(recorded)
	o.Late = o.RecordedAt.Sub(o.Until)
	return o, nil
}

// insertSlot records what became of a slot, once. It is open where the run that was started is
// in the way of the next.
func insertSlot(ctx context.Context, q storage.Querier, s Slot, open bool) error {
	_, err := q.Exec(ctx, `INSERT INTO schedule_slots (`+slotColumns+`, open) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		s.ScheduleID, s.ActionID, s.Type, s.Target, storage.Millis(s.At), storage.Millis(s.Until), s.Count, s.Outcome, s.Reason, s.Message, s.RunID,
		s.CaughtUp, s.Manual, storage.Millis(s.RecordedAt), open && s.Outcome == Started)
	return err
}

// slots are those of a schedule from one time to another.
type slots struct {
	schedule string
	from, to time.Time
}

// recorded are the slots of these that have been recorded, by schedule and by action, in
// order. There are some only where the clock was put back.
func recorded(ctx context.Context, q storage.Querier, all ...slots) (map[string]map[string][]time.Time, error) {
	ranges := make([][3]any, len(all))
	for i, r := range all {
		ranges[i] = [3]any{r.schedule, storage.Millis(r.from), storage.Millis(r.to)}
	}
	text, err := json.Marshal(ranges)
	if err != nil {
		return nil, err
	}
	type slot struct {
		schedule, action string
		at               int64
	}
	found, err := storage.Collect(ctx, q, func(s storage.Scanner) (o slot, err error) {
		return o, s.Scan(&o.schedule, &o.action, &o.at)
	}, `SELECT schedule_id, action_id, slot_at FROM json_each($1) AS planned CROSS JOIN schedule_slots
		WHERE schedule_id = planned.value ->> 0 AND slot_at BETWEEN planned.value ->> 1 AND planned.value ->> 2 AND manual = 0 ORDER BY slot_at`, string(text))
	of := map[string]map[string][]time.Time{}
	for _, o := range found {
		if of[o.schedule] == nil {
			of[o.schedule] = map[string][]time.Time{}
		}
		of[o.schedule][o.action] = append(of[o.schedule][o.action], storage.Time(o.at))
	}
	return of, err
}

// hasManual is whether somebody has asked for an action at the very time of a slot.
func hasManual(ctx context.Context, q storage.Querier, o Slot) (bool, error) {
	n, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM schedule_slots WHERE schedule_id = $1 AND slot_at = $2 AND action_id = $3 AND manual = 1`,
		o.ScheduleID, storage.Millis(o.At), o.ActionID))
	return n > 0, err
}

// forgetSkipped deletes the slots after a time that were skipped because it seemed to be over.
// What has been started stays.
func forgetSkipped(ctx context.Context, q storage.Querier, scheduleID string, now time.Time) error {
	_, err := q.Exec(ctx, `DELETE FROM schedule_slots WHERE schedule_id = $1 AND slot_at > $2 AND manual = 0 AND outcome = $3`, scheduleID, storage.Millis(now), Skipped)
	return err
}

// openRun is a run that may go on; closed is whether it was seen to have ended.
type openRun struct {
	id     string
	closed bool
}

// recentSlots is among how many of the last slots of a schedule runs are looked for that were
// resurrected. A parameter of LIMIT would have SQLite compile the statement each time.
const recentSlots = 20

// openRuns are the runs that an action has started, and that have not been seen to end, and
// the last of those that have: they may have been resurrected.
func openRuns(ctx context.Context, q storage.Querier, a actionRow) ([]openRun, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (r openRun, err error) {
		return r, s.Scan(&r.id, &r.closed)
	}, `SELECT run_id, 0 FROM schedule_slots WHERE action_id = $2 AND open = 1 UNION ALL
		SELECT run_id, 1 FROM (SELECT run_id, action_id, open, outcome FROM schedule_slots WHERE schedule_id = $1 ORDER BY slot_at DESC LIMIT `+strconv.Itoa(recentSlots)+`)
		WHERE action_id = $2 AND open = 0 AND outcome = $3`, a.scheduleID, a.ID, Started)
}

// openSlots notes that runs of an action go on which were seen to have ended.
func openSlots(ctx context.Context, q storage.Querier, a actionRow, runs []string) error {
	_, err := q.Exec(ctx, `UPDATE schedule_slots SET open = 1 WHERE schedule_id = $1 AND action_id = $2 AND open = 0 AND run_id IN (SELECT value FROM json_each($3))`,
		a.scheduleID, a.ID, storage.List(runs))
	return err
}

// reopenSlots has all runs in the ledger of a schedule be in the way of the next, as they are
// once it is exclusive. Those that have ended are closed at the next slot.
func reopenSlots(ctx context.Context, q storage.Querier, scheduleID string) error {
	_, err := q.Exec(ctx, `UPDATE schedule_slots SET open = 1 WHERE schedule_id = $1 AND open = 0 AND outcome = $2`, scheduleID, Started)
	return err
}

// closeSlots notes that all runs of an action but those that are left have ended.
func closeSlots(ctx context.Context, q storage.Querier, actionID string, left []string) error {
	_, err := q.Exec(ctx, `UPDATE schedule_slots SET open = 0 WHERE action_id = $1 AND open = 1 AND run_id NOT IN (SELECT value FROM json_each($2))`, actionID, storage.List(left))
	return err
}

func listSlots(ctx context.Context, q storage.Querier, scheduleID string, f Filter) (l List[Slot], err error) {
	if err := q.QueryRow(ctx, `SELECT count(*) FROM schedule_slots WHERE schedule_id = $1`, scheduleID).Scan(&l.Total); err != nil {
		return l, err
	}
	l.Items, err = someSlots(ctx, q, scheduleID, f)
	return l, err
}

// someSlots are a page of the ledger. They are not counted: a ledger of a month may have half
// a million.
func someSlots(ctx context.Context, q storage.Querier, scheduleID string, f Filter) ([]Slot, error) {
	order := `ORDER BY slot_at, action_id, manual`
	if f.Desc {
		order = `ORDER BY slot_at DESC, action_id DESC, manual DESC`
	}
	return storage.Collect(ctx, q, scanSlot, `SELECT `+slotColumns+` FROM schedule_slots WHERE schedule_id = $1 `+order+` LIMIT $2 OFFSET $3`, scheduleID, f.Limit, f.Offset)
}

// firstRecorded is when the oldest slot was recorded that is not open.
func firstRecorded(ctx context.Context, q storage.Querier) (time.Time, error) {
	ms, err := storage.Column[int64](q.QueryRow(ctx, `SELECT recorded_at FROM schedule_slots WHERE open = 0 ORDER BY recorded_at LIMIT 1`))
	return storage.Time(ms), err
}

// deleteSlots leaves what is open: a run that goes on for longer than the ledger is kept stays
// in the way of the next.
func deleteSlots(ctx context.Context, q storage.Querier, before time.Time, most int) (int64, error) {
	return q.Exec(ctx, `DELETE FROM schedule_slots WHERE (schedule_id, slot_at, action_id, manual) IN
		(SELECT schedule_id, slot_at, action_id, manual FROM schedule_slots WHERE recorded_at < $1 AND open = 0 ORDER BY recorded_at LIMIT $2)`, storage.Millis(before), most)
}

// across are the slots that were skipped together and lie on both sides of a time.
func across(ctx context.Context, q storage.Querier, scheduleID string, now time.Time) ([]Slot, error) {
	return storage.Collect(ctx, q, scanSlot, `SELECT `+slotColumns+` FROM schedule_slots WHERE schedule_id = $1 AND slot_at <= $2 AND until_at > $2 AND outcome = $3`,
		scheduleID, storage.Millis(now), Skipped)
}

func shortenSlot(ctx context.Context, q storage.Querier, o Slot, to span) error {
	_, err := q.Exec(ctx, `UPDATE schedule_slots SET until_at = $4, slots = $5 WHERE schedule_id = $1 AND slot_at = $2 AND action_id = $3 AND manual = 0`,
		o.ScheduleID, storage.Millis(o.At), o.ActionID, storage.Millis(to.until), to.count)
	return err
}
