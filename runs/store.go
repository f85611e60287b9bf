package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage"
)

// row is a run as it is stored, with what its execution needs.
type row struct {
	Run
	projectID    string
	systemPrompt string
	// agentSchema is the agent's, copied; Run.ResultSchema overrides it.
	agentSchema json.RawMessage
	// variables are names and hints, sorted by name.
	variables []model.Variable
	settings  storedSettings
	options   storedOptions
	pause     pauseState
	pauseText string
	// stopRequested: a stop has been accepted, so that the end is STOPPED.
	stopRequested bool
}

// schema is the one that results have to conform to; nil for none.
func (r row) schema() json.RawMessage {
	if r.ResultSchema != nil {
		return r.ResultSchema
	}
	return r.agentSchema
}

const columns = `id, project_id, agent_id, task, status, system_prompt, agent_schema, result_schema, variables,
	session_id, result, cause_code, cause_message, stop_requested_at, created_at, updated_at, started_at, ended_at, browser_settings,
	model, options, usage, pause, pause_text`

func scanRow(s storage.Scanner) (row, error) {
	var r row
	var agent, prompt, agentSchema, schema, variables, session, result, code, message, settings sql.NullString
	var model, options, usage, pause, pauseText sql.NullString
	var stop, started, ended sql.NullInt64
	var created, updated int64
	err := s.Scan(&r.ID, &r.projectID, &agent, &r.Task, &r.Status, &prompt, &agentSchema, &schema, &variables,
		&session, &result, &code, &message, &stop, &created, &updated, &started, &ended, &settings,
		&model, &options, &usage, &pause, &pauseText)
	if err != nil {
		return row{}, err
	}
	r.AgentID, r.systemPrompt, r.SessionID = agent.String, prompt.String, session.String
	r.Model = model.String
	r.agentSchema, r.ResultSchema, r.Result = storage.JSON(agentSchema), storage.JSON(schema), storage.JSON(result)
	if code.Valid {
		r.Cause = &Cause{Code: code.String, Message: message.String}
	}
	r.stopRequested = stop.Valid
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	r.StartedAt, r.EndedAt = storage.Time(started.Int64), storage.Time(ended.Int64)
	r.pause, r.pauseText = pauseState(pause.String), pauseText.String
	r.Pause = r.pause.shown(r.Status, r.pauseText)
	for column, into := range map[*sql.NullString]any{&settings: &r.settings, &options: &r.options, &variables: &r.variables, &usage: &r.Usage} {
		if !column.Valid {
			continue
		}
		if err := json.Unmarshal([]byte(column.String), into); err != nil {
			return row{}, err
		}
	}
	return r, nil
}

func scanRun(s storage.Scanner) (Run, error) {
	r, err := scanRow(s)
	return r.Run, err
}

func insertRun(ctx context.Context, q storage.Querier, r row) error {
	var variables []byte
	if len(r.variables) > 0 {
		var err error
		if variables, err = json.Marshal(r.variables); err != nil {
			return err
		}
	}
	settings, err := r.settings.text()
	if err != nil {
		return err
	}
	options, err := r.options.text()
	if err != nil {
		return err
	}
	_, err = q.Exec(ctx, `INSERT INTO agent_runs (id, project_id, agent_id, task, status, system_prompt,
			agent_schema, result_schema, variables, created_at, updated_at, browser_settings, model, options, session_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14)`,
		r.ID, r.projectID, storage.Text(r.AgentID), r.Task, r.Status, storage.Text(r.systemPrompt),
		storage.Text(r.agentSchema), storage.Text(r.ResultSchema), storage.Text(variables), storage.Millis(r.CreatedAt), storage.Text(settings),
		storage.Text(r.Model), storage.Text(options), storage.Text(r.SessionID))
	return err
}

// findRow returns a run of any project: it is for the worker.
func findRow(ctx context.Context, q storage.Querier, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, `SELECT `+columns+` FROM agent_runs WHERE id = $1`, id))
}

func findRun(ctx context.Context, q storage.Querier, projectID, id string) (Run, error) {
	return scanRun(q.QueryRow(ctx, `SELECT `+columns+` FROM agent_runs WHERE id = $1 AND project_id = $2`, id, projectID))
}

// findStatus returns the status of a run of any project.
func findStatus(ctx context.Context, q storage.Querier, id string) (status Status, err error) {
	err = q.QueryRow(ctx, `SELECT status FROM agent_runs WHERE id = $1`, id).Scan(&status)
	return status, err
}

// listQuery has a form for each combination of filters, so that each has an
// index to walk along.
func listQuery(projectID string, f Filter, w keyset.Window) (query string, args []any) {
	args = []any{projectID, w.Start, w.Before.At, w.Before.ID, w.Fetch()}
	query = `SELECT ` + columns + ` FROM agent_runs
		WHERE project_id = $1 AND created_at >= $2 AND (created_at, id) < ($3, $4)`
	filter := func(column string, value any) {
		args = append(args, value)
		query += fmt.Sprintf(` AND %s = $%d`, column, len(args))
	}
	if f.Status != "" {
		filter("status", f.Status)
	}
	if f.AgentID != "" {
		filter("agent_id", f.AgentID)
	}
	return query + ` ORDER BY created_at DESC, id DESC LIMIT $5`, args
}

func listRuns(ctx context.Context, q storage.Querier, projectID string, f Filter, w keyset.Window) ([]Run, error) {
	query, args := listQuery(projectID, f, w)
	return storage.Collect(ctx, q, scanRun, query, args...)
}

// startRun makes a pending run RUNNING. [storage.ErrNoRow] says that it is not
// pending, or that a stop has been accepted.
func startRun(ctx context.Context, q storage.Querier, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET status = 'RUNNING', started_at = $2, updated_at = $2
		WHERE id = $1 AND status = 'PENDING' AND stop_requested_at IS NULL RETURNING `+columns, id, storage.Millis(now)))
}

// setSession notes the session of a running run.
func setSession(ctx context.Context, q storage.Querier, id, sessionID string, now time.Time) error {
	_, err := q.Exec(ctx, `UPDATE agent_runs SET session_id = $2, updated_at = $3 WHERE id = $1 AND status = 'RUNNING'`,
		id, sessionID, storage.Millis(now))
	return err
}

// ending is how a run ends.
type ending struct {
	status Status
	result json.RawMessage
	cause  *Cause
}

// endRun writes the end of a run that has not ended; else it is
// [storage.ErrNoRow]. That an accepted stop wins over every other end (DECISIONS
// 13) is part of the statement.
func endRun(ctx context.Context, tx *storage.Tx, id string, e ending, now time.Time) (row, error) {
	var cause Cause
	if e.cause != nil {
		cause = *e.cause
	}
	return scanRow(tx.QueryRow(ctx, `UPDATE agent_runs SET
			status        = CASE WHEN stop_requested_at IS NULL THEN $2 ELSE 'STOPPED' END,
			result        = CASE WHEN stop_requested_at IS NULL THEN $3 END,
			cause_code    = CASE WHEN stop_requested_at IS NULL THEN $4 ELSE $6 END,
			cause_message = CASE WHEN stop_requested_at IS NULL THEN $5 ELSE $7 END,
			updated_at = $8, ended_at = $8
		WHERE id = $1 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns,
		id, e.status, storage.Text(e.result), storage.Text(cause.Code), storage.Text(cause.Message),
		CauseStopped, stoppedMessage, storage.Millis(now)))
}

// requestStop notes that a stop was accepted, once; [storage.ErrNoRow] if
// there is no such run or it has ended.
func requestStop(ctx context.Context, q storage.Querier, projectID, id string, now time.Time) (row, error) {
	return scanRow(q.QueryRow(ctx, `UPDATE agent_runs SET
			stop_requested_at = coalesce(stop_requested_at, $3),
			updated_at = CASE WHEN stop_requested_at IS NULL THEN $3 ELSE updated_at END
		WHERE id = $1 AND project_id = $2 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns,
		id, projectID, storage.Millis(now)))
}

// insertMessage adds a message to a run that has not ended; else it is
// [storage.ErrNoRow].
func insertMessage(ctx context.Context, q storage.Querier, runID string, m Message) error {
	content, err := json.Marshal(m.Message)
	if err != nil {
		return err
	}
	n, err := q.Exec(ctx, `INSERT INTO run_messages (run_id, id, created_at, message)
		SELECT id, $2, $3, $4 FROM agent_runs WHERE id = $1 AND status IN ('PENDING', 'RUNNING')`,
		runID, m.ID, storage.Millis(m.CreatedAt), string(content))
	if err == nil && n == 0 {
		err = storage.ErrNoRow
	}
	return err
}

func scanMessage(s storage.Scanner) (Message, error) {
	var m Message
	var created int64
	var content string
	if err := s.Scan(&m.ID, &created, &content); err != nil {
		return Message{}, err
	}
	m.CreatedAt = storage.Time(created)
	err := json.Unmarshal([]byte(content), &m.Message)
	return m, err
}

const messagesQuery = `SELECT id, created_at, message FROM run_messages WHERE run_id = $1 AND id > $2 ORDER BY id LIMIT $3`

// listMessages returns at most limit messages behind since.
func listMessages(ctx context.Context, q storage.Querier, runID, since string, limit int) ([]Message, error) {
	return storage.Collect(ctx, q, scanMessage, messagesQuery, runID, since, limit)
}

// lastMessage returns the newest message; the zero value if there is none.
func lastMessage(ctx context.Context, q storage.Querier, runID string) (Message, error) {
	m, err := scanMessage(q.QueryRow(ctx,
		`SELECT id, created_at, message FROM run_messages WHERE run_id = $1 ORDER BY id DESC LIMIT 1`, runID))
	if errors.Is(err, storage.ErrNoRow) {
		return Message{}, nil
	}
	return m, err
}

func messageExists(ctx context.Context, q storage.Querier, runID, id string) (bool, error) {
	var one int
	err := q.QueryRow(ctx, `SELECT 1 FROM run_messages WHERE run_id = $1 AND id = $2`, runID, id).Scan(&one)
	if errors.Is(err, storage.ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

const firstEndQuery = `SELECT ended_at FROM agent_runs WHERE ended_at > 0 ORDER BY ended_at LIMIT 1`

// firstEnd is when the run ended that ended first.
func firstEnd(ctx context.Context, q storage.Querier) (time.Time, error) {
	var ended int64
	err := q.QueryRow(ctx, firstEndQuery).Scan(&ended)
	return storage.Time(ended), err
}

const endedQuery = `SELECT id FROM agent_runs WHERE ended_at <= $1 ORDER BY ended_at, id LIMIT $2`

// deleteEnded deletes at most limit runs that ended at that time or before,
// with their messages.
func deleteEnded(ctx context.Context, q storage.Querier, at time.Time, limit int) (int, error) {
	scan := func(s storage.Scanner) (id string, err error) {
		err = s.Scan(&id)
		return id, err
	}
	ids, err := storage.Collect(ctx, q, scan, endedQuery, storage.Millis(at), limit)
	for _, id := range ids {
		if err != nil {
			break
		}
		if _, err = q.Exec(ctx, `DELETE FROM run_messages WHERE run_id = $1`, id); err == nil {
			_, err = q.Exec(ctx, `DELETE FROM agent_runs WHERE id = $1`, id)
		}
	}
	return len(ids), err
}
