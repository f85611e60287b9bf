package platform

import (
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/schedules"
)

type logLineJSON struct {
	Message   string   `json:"message"`
	Level     string   `json:"level"`
	CreatedAt api.Time `json:"createdAt"`
}

// scheduleLog is a list, which clients take for the text of other logs (wire-v2, 1).
func scheduleLog(x *exchange) (answer, error) {
	lines, err := x.Schedules.Log(x.R.Context(), x.Path("scheduleId"))
	return data(api.Each(lines, func(l schedules.Line) logLineJSON {
		return logLineJSON{l.Message, l.Level, api.Time(l.CreatedAt)}
	})), err
}

// slotJSON is a row of the ledger.
type slotJSON struct {
	ScheduleID string               `json:"scheduleId"`
	ActionID   string               `json:"actionId"`
	Type       schedules.ActionType `json:"type"`
	Target     string               `json:"target"`
	At         api.Time             `json:"at"`
	Until      api.Time             `json:"until"`
	Count      int                  `json:"count"`
	Outcome    schedules.Outcome    `json:"outcome"`
	Reason     schedules.Reason     `json:"reason,omitempty"`
	Message    string               `json:"message,omitempty"`
	RunID      string               `json:"runId,omitempty"`
	LateMillis int64                `json:"lateMillis"`
	CaughtUp   bool                 `json:"caughtUp"`
	Manual     bool                 `json:"manual"`
	RecordedAt api.Time             `json:"recordedAt"`
}

func slotOut(s schedules.Slot) slotJSON {
	return slotJSON{
		ScheduleID: s.ScheduleID, ActionID: s.ActionID, Type: s.Type, Target: s.Target, At: api.Time(s.At), Until: api.Time(s.Until), Count: s.Count,
		Outcome: s.Outcome, Reason: s.Reason, Message: s.Message, RunID: s.RunID, LateMillis: s.Late.Milliseconds(),
		CaughtUp: s.CaughtUp, Manual: s.Manual, RecordedAt: api.Time(s.RecordedAt),
	}
}

func listSlots(x *exchange) (answer, error) {
	return schedulePage(x, func(f schedules.Filter) (schedules.List[schedules.Slot], error) {
		return x.Schedules.Slots(x.R.Context(), x.Path("scheduleId"), f)
	}, slotOut)
}

// dueJSON is a time at which a schedule is due, as the clocks of its zone show it, too.
type dueJSON struct {
	At    api.Time `json:"at"`
	Local string   `json:"localTime"`
	Note  string   `json:"note,omitempty"`
}

// The next times that are told where nobody says how many, and at the most.
const (
	usualNext = 10
	maxNext   = 1000
)

func nextTimes(x *exchange) (answer, error) {
	q := x.Query()
	n := usualNext
	if q.String("n") != "" {
		n = q.Int("n", 1, maxNext)
	}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	all, err := x.Schedules.Next(x.R.Context(), x.Path("scheduleId"), n)
	return data(api.Each(all, func(t schedules.Time) dueJSON {
		return dueJSON{api.Time(t.At), t.At.Format(time.RFC3339), t.Note}
	})), err
}
