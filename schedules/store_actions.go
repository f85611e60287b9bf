package schedules

import (
	"context"

	"github.com/drover-go/drover/storage"
)

// actionRow is an action as it is stored.
type actionRow struct {
	Action
	scheduleID string
	skips      int
}

func scanAction(s storage.Scanner) (a actionRow, err error) {
	var content string
	if err := s.Scan(&a.ID, &a.scheduleID, &a.Type, &a.Target, &content, &a.skips); err != nil {
		return a, err
	}
	return a, a.restore(content)
}

// actionsOf are the actions of schedules, in order.
func actionsOf(ctx context.Context, q storage.Querier, schedules []row) (map[string][]actionRow, error) {
	if len(schedules) == 0 {
		return nil, nil
	}
	ids := make([]string, len(schedules))
	for i, r := range schedules {
		ids[i] = r.ID
	}
	all, err := storage.Collect(ctx, q, scanAction, `SELECT id, schedule_id, type, target, content, skips FROM schedule_actions
		WHERE schedule_id IN (SELECT value FROM json_each($1)) ORDER BY schedule_id, position`, storage.List(ids))
	of := map[string][]actionRow{}
	for _, a := range all {
		of[a.scheduleID] = append(of[a.scheduleID], a)
	}
	return of, err
}

// putActions has a schedule have these actions and no others. Those that stay keep how often
// they were skipped.
func putActions(ctx context.Context, q storage.Querier, scheduleID string, all []Action) error {
	if _, err := q.Exec(ctx, `UPDATE schedule_actions SET position = -1 WHERE schedule_id = $1`, scheduleID); err != nil {
		return err
	}
	for i, a := range all {
		content, err := a.stored()
		if err != nil {
			return err
		}
		if _, err := q.Exec(ctx, `INSERT INTO schedule_actions (id, schedule_id, position, type, target, content) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (id) DO UPDATE SET position = $3, type = $4, target = $5, content = $6`, a.ID, scheduleID, i, a.Type, a.Target, content); err != nil {
			return err
		}
	}
	_, err := q.Exec(ctx, `DELETE FROM schedule_actions WHERE schedule_id = $1 AND position = -1`, scheduleID)
	return err
}

func setSkips(ctx context.Context, q storage.Querier, actionID string, skips int) error {
	_, err := q.Exec(ctx, `UPDATE schedule_actions SET skips = $2 WHERE id = $1`, actionID, skips)
	return err
}
