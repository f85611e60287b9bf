-- A build of what somebody has published; its status is the state machine.
-- The request and the result are the kind's own.
CREATE TABLE builds (
    id                TEXT    NOT NULL PRIMARY KEY,
    project_id        TEXT    NOT NULL REFERENCES projects (id),
    kind              TEXT    NOT NULL,
    owner_id          TEXT    NOT NULL DEFAULT '',
    status            TEXT    NOT NULL CHECK (status IN ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED')),
    request           TEXT    NOT NULL,
    source_blob       TEXT    NOT NULL,
    result            TEXT,
    cause_code        TEXT,
    cause_message     TEXT,
    stop_requested_at INTEGER,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    expires_at        INTEGER NOT NULL,
    started_at        INTEGER,
    ended_at          INTEGER
) STRICT;

CREATE INDEX builds_newest ON builds (project_id, kind, created_at, id);
CREATE INDEX builds_by_status ON builds (project_id, kind, status, created_at, id);
CREATE INDEX builds_by_owner ON builds (owner_id, created_at, id);
CREATE INDEX builds_blobs ON builds (source_blob);
