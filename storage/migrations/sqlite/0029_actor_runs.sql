-- Actors that the host has registered, as Go functions.
ALTER TABLE actors ADD COLUMN registered INTEGER NOT NULL DEFAULT 0;

-- A run of an Actor; its status is the state machine. Numbers are those of its
-- project. What it is run with lies in options, as JSON. A
-- run outlives its Actor and its task.
CREATE TABLE actor_runs (
    id               TEXT    NOT NULL PRIMARY KEY,
    number           INTEGER NOT NULL,
    project_id       TEXT    NOT NULL REFERENCES projects (id),
    actor_id         TEXT    NOT NULL,
    task_id          TEXT,
    job_kind         TEXT    NOT NULL,
    program_id       TEXT    NOT NULL,           -- the Actor whose program it runs: another one's after a metamorph
    program          TEXT    NOT NULL,           -- the name of a Go function of the host; '' for a program of a build
    build_id         TEXT    NOT NULL,
    build_number     TEXT    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('READY', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMING-OUT', 'TIMED-OUT', 'ABORTING', 'ABORTED')),
    message          TEXT    NOT NULL DEFAULT '',
    message_terminal INTEGER NOT NULL DEFAULT 0,
    exit_code        INTEGER,
    options          TEXT    NOT NULL,
    memory           INTEGER NOT NULL,           -- MB
    webhooks         TEXT,                       -- those that it was started with, as JSON
    origin           TEXT    NOT NULL,
    client_ip        TEXT    NOT NULL,
    user_agent       TEXT    NOT NULL,
    key_value_store  TEXT    NOT NULL,
    dataset          TEXT    NOT NULL,
    request_queue    TEXT    NOT NULL,
    input_key        TEXT    NOT NULL DEFAULT 'INPUT',
    input_bytes      INTEGER NOT NULL DEFAULT 0,
    turn             INTEGER NOT NULL DEFAULT 0, -- counts the processes that were asked for
    restarts         INTEGER NOT NULL DEFAULT 0,
    restarted_at     TEXT    NOT NULL DEFAULT '',-- the last of them, in ms with commas between
    reboots          INTEGER NOT NULL DEFAULT 0,
    resurrects       INTEGER NOT NULL DEFAULT 0,
    metamorphs       INTEGER NOT NULL DEFAULT 0,
    migrations       INTEGER NOT NULL DEFAULT 0,
    abort_at         INTEGER,                    -- an abort was accepted
    abort_by         INTEGER,                    -- and until then it may end by itself
    created_at       INTEGER NOT NULL,
    timed_from       INTEGER,                    -- the time-out counts from then
    begun_at         INTEGER,                    -- it was last taken up
    ran_ms           INTEGER NOT NULL DEFAULT 0, -- before that
    ended_at         INTEGER,
    UNIQUE (project_id, number)
) STRICT;

CREATE INDEX actor_runs_of_actor ON actor_runs (actor_id, number);
CREATE INDEX actor_runs_of_task ON actor_runs (task_id, number) WHERE task_id IS NOT NULL;
CREATE INDEX actor_runs_by_status ON actor_runs (project_id, status, number, memory);
CREATE INDEX actor_runs_of_actor_by_status ON actor_runs (actor_id, status, number);
CREATE INDEX actor_runs_of_task_by_status ON actor_runs (task_id, status, number) WHERE task_id IS NOT NULL;
CREATE INDEX actor_runs_ended ON actor_runs (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX actor_runs_ready ON actor_runs (created_at) WHERE status = 'READY';

-- How many runs a project, an Actor and a task have, in blocks of 512 numbers: see
-- package storage/rank.
CREATE TABLE actor_run_ranks (
    list  TEXT    NOT NULL,
    block INTEGER NOT NULL,
    class TEXT    NOT NULL,
    items INTEGER NOT NULL,
    PRIMARY KEY (list, block, class)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER actor_runs_come AFTER INSERT ON actor_runs BEGIN
    INSERT INTO actor_run_ranks (list, block, class, items)
        SELECT list, NEW.number >> 9, NEW.status, 1
        FROM (SELECT NEW.project_id AS list UNION ALL SELECT NEW.actor_id UNION ALL SELECT NEW.task_id) AS lists WHERE list IS NOT NULL
        ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
END;

CREATE TRIGGER actor_runs_go AFTER DELETE ON actor_runs BEGIN
    UPDATE actor_run_ranks SET items = items - 1
        WHERE list IN (OLD.project_id, OLD.actor_id, OLD.task_id) AND block = OLD.number >> 9 AND class = OLD.status;
    DELETE FROM actor_run_ranks
        WHERE list IN (OLD.project_id, OLD.actor_id, OLD.task_id) AND block = OLD.number >> 9 AND class = OLD.status AND items = 0;
END;

CREATE TRIGGER actor_runs_change AFTER UPDATE OF status ON actor_runs WHEN NEW.status <> OLD.status BEGIN
    INSERT INTO actor_run_ranks (list, block, class, items)
        SELECT list, NEW.number >> 9, NEW.status, 1
        FROM (SELECT NEW.project_id AS list UNION ALL SELECT NEW.actor_id UNION ALL SELECT NEW.task_id) AS lists WHERE list IS NOT NULL
        ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
    UPDATE actor_run_ranks SET items = items - 1
        WHERE list IN (OLD.project_id, OLD.actor_id, OLD.task_id) AND block = OLD.number >> 9 AND class = OLD.status;
    DELETE FROM actor_run_ranks
        WHERE list IN (OLD.project_id, OLD.actor_id, OLD.task_id) AND block = OLD.number >> 9 AND class = OLD.status AND items = 0;
END;
