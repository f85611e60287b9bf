-- A schedule. What people say of it lies in settings, as JSON; the key of a name is the
-- name in lower case. All slots up to the cursor have been decided; last_slot is the last
-- of them that was to be started, and next_at when to look again, NULL where nothing is
-- due. The revision counts what clients change.
CREATE TABLE schedules (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL,
    settings    TEXT    NOT NULL,
    revision    INTEGER NOT NULL,
    cursor      INTEGER NOT NULL,
    last_slot   INTEGER,
    next_at     INTEGER,
    last_run_at INTEGER,
    created_at  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    UNIQUE (project_id, name_key)
) STRICT;

CREATE INDEX schedules_oldest ON schedules (project_id, created_at, id);
CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

-- An action of a schedule, with its options as JSON. Skips is how many of its
-- slots have been skipped in a row because the run before went on.
CREATE TABLE schedule_actions (
    id          TEXT    NOT NULL PRIMARY KEY,
    schedule_id TEXT    NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    type        TEXT    NOT NULL,
    target      TEXT    NOT NULL,
    options     TEXT    NOT NULL,
    input       BLOB,
    input_type  TEXT    NOT NULL,
    skips       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX schedule_actions_of ON schedule_actions (schedule_id, position);
CREATE INDEX schedule_actions_targets ON schedule_actions (type, target);

-- What became of a slot of an action, or of several in a row that were skipped for the same
-- reason. Open is 1 while the run that was started may go on.
CREATE TABLE schedule_slots (
    schedule_id TEXT    NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    slot_at     INTEGER NOT NULL,
    action_id   TEXT    NOT NULL,
    manual      INTEGER NOT NULL,
    until_at    INTEGER NOT NULL,
    slots       INTEGER NOT NULL,
    type        TEXT    NOT NULL,
    target      TEXT    NOT NULL,
    outcome     TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    message     TEXT    NOT NULL,
    run_id      TEXT    NOT NULL,
    caught_up   INTEGER NOT NULL,
    open        INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (schedule_id, slot_at, action_id, manual)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_slots_open ON schedule_slots (action_id) WHERE open = 1;
CREATE INDEX schedule_slots_recorded ON schedule_slots (recorded_at);

-- An action goes with what it names.
CREATE TRIGGER actors_go_from_schedules AFTER DELETE ON actors BEGIN
    DELETE FROM schedule_actions WHERE type = 'RUN_ACTOR' AND target = OLD.id;
END;

CREATE TRIGGER actor_tasks_go_from_schedules AFTER DELETE ON actor_tasks BEGIN
    DELETE FROM schedule_actions WHERE type = 'RUN_ACTOR_TASK' AND target = OLD.id;
END;

-- The slot of a schedule that a run was started for, as JSON; NULL for any other run.
ALTER TABLE actor_runs ADD COLUMN schedule TEXT;

-- Which process fires, and until when it does so alone. One row.
CREATE TABLE schedule_lease (
    holder   TEXT    NOT NULL,
    until_at INTEGER NOT NULL
) STRICT;

INSERT INTO schedule_lease (holder, until_at) VALUES ('', 0);
