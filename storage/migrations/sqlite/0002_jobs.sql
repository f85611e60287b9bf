-- "Somebody must look at this row of a domain"; see internal/jobs. A job that
-- is done has no row.
--
--   delayed  not before run_at
--   ready    the next free worker takes it, the least turn first
--   running  a worker of the instance "runner" has it
--
-- runner and pinned point at instances: when one dies or leaves, the database
-- itself takes its name off the jobs. A running job without runner has lost
-- its lease; a job with an owner that is not pinned has lost its owner.
CREATE TABLE jobs (
    id           TEXT    NOT NULL PRIMARY KEY,
    kind         TEXT    NOT NULL,
    project_id   TEXT    NOT NULL,
    ref          TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    owner        TEXT    NOT NULL,
    pinned       TEXT    REFERENCES instances (id) ON DELETE SET NULL,
    state        TEXT    NOT NULL CHECK (state IN ('delayed', 'ready', 'running')),
    turn         INTEGER NOT NULL,
    run_at       INTEGER NOT NULL,
    attempt      INTEGER NOT NULL DEFAULT 0,
    max_attempts INTEGER NOT NULL,
    runner       TEXT    REFERENCES instances (id) ON DELETE SET NULL,
    lease        INTEGER NOT NULL DEFAULT 0,
    beat         INTEGER NOT NULL DEFAULT 0,
    canceled     INTEGER NOT NULL DEFAULT 0,
    again        INTEGER NOT NULL DEFAULT 0,
    lease_lost   INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL,
    UNIQUE (kind, key)
) STRICT, WITHOUT ROWID;

-- What a worker takes next, for anybody and for one instance.
CREATE INDEX jobs_ready ON jobs (kind, pinned, turn, id) WHERE state = 'ready';
-- The last turn that a project has, for the place of its next job.
CREATE INDEX jobs_by_project ON jobs (kind, project_id, turn);
CREATE INDEX jobs_delayed ON jobs (run_at, id) WHERE state = 'delayed';
CREATE INDEX jobs_by_runner ON jobs (runner) WHERE runner IS NOT NULL;
CREATE INDEX jobs_by_pinned ON jobs (pinned) WHERE pinned IS NOT NULL;
-- Holds a row only between the death of an instance and the recovery.
CREATE INDEX jobs_orphaned ON jobs (id) WHERE state = 'running' AND runner IS NULL;
