package schedules

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/storage"
)

// actionRow is an action as it is stored.
type actionRow struct {
	Action
	scheduleID string
	skips      int
}

const actionColumns = `id, schedule_id, type, target, options, input IS NOT NULL, input_type, skips`

func scanAction(s storage.Scanner) (a actionRow, err error) {
	var options string
	var hasInput bool
	var in Input
	if err := s.Scan(&a.ID, &a.scheduleID, &a.Type, &a.Target, &options, &hasInput, &in.ContentType, &a.skips, &in.Body); err != nil {
		return a, err
	}
	if hasInput {
		a.Input = &in
	}
	return a, json.Unmarshal([]byte(options), &a.Options)
}

// largeInput is how many bytes of an input are read one action at a time.
const largeInput = 64 << 10

// actionsOf are the actions of schedules, in order, without inputs that are longer than most.
func actionsOf(ctx context.Context, q storage.Querier, schedules []row, most int) (map[string][]actionRow, error) {
	if len(schedules) == 0 {
		return nil, nil
	}
	ids := make([]string, len(schedules))
	for i, r := range schedules {
		ids[i] = r.ID
	}
	all, err := storage.Collect(ctx, q, scanAction, `SELECT `+actionColumns+`, CASE WHEN length(input) <= $2 THEN input END FROM schedule_actions
		WHERE schedule_id IN (SELECT value FROM json_each($1)) ORDER BY schedule_id, position`, storage.List(ids), most)
	of := map[string][]actionRow{}
	for _, a := range all {
		of[a.scheduleID] = append(of[a.scheduleID], a)
	}
	return of, err
}

// whole is an action with its input, however long.
func whole(ctx context.Context, q storage.Querier, id string) (actionRow, error) {
	return scanAction(q.QueryRow(ctx, `SELECT `+actionColumns+`, input FROM schedule_actions WHERE id = $1`, id))
}

// putActions has a schedule have these actions and no others. Those that stay keep how often
// they were skipped.
func putActions(ctx context.Context, q storage.Querier, scheduleID string, all []Action) error {
	if _, err := q.Exec(ctx, `UPDATE schedule_actions SET position = -1 WHERE schedule_id = $1`, scheduleID); err != nil {
		return err
	}
	for i, a := range all {
		if err := putAction(ctx, q, scheduleID, i, a); err != nil {
			return err
		}
	}
	// Nothing is in the way of an action that goes.
	if _, err := q.Exec(ctx, `UPDATE schedule_slots SET open = 0 WHERE open = 1 AND action_id IN
		(SELECT id FROM schedule_actions WHERE schedule_id = $1 AND position = -1)`, scheduleID); err != nil {
		return err
	}
	_, err := q.Exec(ctx, `DELETE FROM schedule_actions WHERE schedule_id = $1 AND position = -1`, scheduleID)
	return err
}

func putAction(ctx context.Context, q storage.Querier, scheduleID string, position int, a Action) error {
	options, err := json.Marshal(a.Options)
	if err != nil {
		return err
	}
	var body []byte // NULL
	var contentType string
	if a.Input != nil {
		body, contentType = append([]byte{}, a.Input.Body...), a.Input.ContentType
	}
	_, err = q.Exec(ctx, `INSERT INTO schedule_actions (id, schedule_id, position, type, target, options, input, input_type) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET position = $3, type = $4, target = $5, options = $6, input = $7, input_type = $8`,
		a.ID, scheduleID, position, a.Type, a.Target, string(options), body, contentType)
	return err
}

func setSkips(ctx context.Context, q storage.Querier, actionID string, skips int) error {
	_, err := q.Exec(ctx, `UPDATE schedule_actions SET skips = $2 WHERE id = $1`, actionID, skips)
	return err
}
