-- A function of a project. Its current version is the one that is invoked.
CREATE TABLE functions (
    id              TEXT    NOT NULL PRIMARY KEY,
    project_id      TEXT    NOT NULL REFERENCES projects (id),
    name            TEXT    NOT NULL,
    current_version TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    UNIQUE (project_id, name)
) STRICT;

CREATE INDEX functions_newest ON functions (project_id, created_at, id);

-- What a function was at a time. The fingerprint tells registrations of Go
-- functions apart.
CREATE TABLE function_versions (
    id              TEXT    NOT NULL PRIMARY KEY,
    project_id      TEXT    NOT NULL REFERENCES projects (id),
    function_id     TEXT    NOT NULL REFERENCES functions (id) ON DELETE CASCADE,
    number          INTEGER NOT NULL,
    params_schema   TEXT,
    session         TEXT,
    timeout_ms      INTEGER NOT NULL,
    fingerprint     TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    UNIQUE (function_id, number)
) STRICT;

-- One execution of a version; its status is the state machine. A result is in the
-- row or, a large one, in a blob.
CREATE TABLE function_invocations (
    id                TEXT    NOT NULL PRIMARY KEY,
    project_id        TEXT    NOT NULL REFERENCES projects (id),
    function_id       TEXT    NOT NULL,
    version_id        TEXT    NOT NULL,
    session_id        TEXT    NOT NULL,
    status            TEXT    NOT NULL CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED')),
    params            TEXT    NOT NULL,
    session           TEXT,
    secret            INTEGER NOT NULL DEFAULT 0,
    timeout_ms        INTEGER NOT NULL,
    idempotency_key   TEXT,
    request_hash      TEXT    NOT NULL,
    result            TEXT,
    result_blob       TEXT,
    cause_code        TEXT,
    cause_message     TEXT,
    stop_requested_at INTEGER,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    started_at        INTEGER,
    ended_at          INTEGER
) STRICT;

-- One index for each way to filter the list, in its order.
CREATE INDEX function_invocations_newest ON function_invocations (version_id, created_at, id);
CREATE INDEX function_invocations_by_status ON function_invocations (version_id, status, created_at, id);
CREATE INDEX function_invocations_ended ON function_invocations (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX function_invocations_blobs ON function_invocations (result_blob) WHERE result_blob IS NOT NULL;
CREATE UNIQUE INDEX function_invocations_once ON function_invocations (function_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
