-- A browser session; its status is the state machine. Of its settings only
-- what is no secret: passwords of proxies are never here.
CREATE TABLE sessions (
    id                   TEXT    NOT NULL PRIMARY KEY,
    project_id           TEXT    NOT NULL REFERENCES projects (id),
    instance_id          TEXT    NOT NULL,
    endpoint             TEXT    NOT NULL,
    status               TEXT    NOT NULL CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'ERROR', 'TIMED_OUT')),
    own                  INTEGER NOT NULL CHECK (own IN (0, 1)),
    keep_alive           INTEGER NOT NULL CHECK (keep_alive IN (0, 1)),
    region               TEXT    NOT NULL,
    user_metadata        TEXT,
    settings             TEXT    NOT NULL,
    proxy_bytes          INTEGER NOT NULL DEFAULT 0,
    cause_code           TEXT,
    cause_message        TEXT,
    log_key              TEXT,
    recording_key        TEXT,
    release_requested_at INTEGER,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    started_at           INTEGER,
    expires_at           INTEGER NOT NULL,
    ended_at             INTEGER
) STRICT;

CREATE INDEX sessions_newest ON sessions (project_id, created_at, id);
CREATE INDEX sessions_by_status ON sessions (project_id, status, created_at, id);

-- Those whose process has to be alive.
CREATE INDEX sessions_open ON sessions (instance_id) WHERE ended_at IS NULL;
-- Ended ones in the order in which their retention ends.
CREATE INDEX sessions_ended ON sessions (ended_at, id) WHERE ended_at IS NOT NULL;
-- The two files of a session, for who looks for files that nobody names.
CREATE INDEX sessions_log ON sessions (log_key) WHERE log_key IS NOT NULL;
CREATE INDEX sessions_recording ON sessions (recording_key) WHERE recording_key IS NOT NULL;

-- The top level of user_metadata, as text, to be searched for.
CREATE TABLE session_metadata (
    session_id TEXT NOT NULL REFERENCES sessions (id),
    name       TEXT NOT NULL,
    value      TEXT NOT NULL,
    PRIMARY KEY (session_id, name)
) STRICT;

-- What a run asks of its browser; passwords of proxies are never here.
ALTER TABLE agent_runs ADD COLUMN browser_settings TEXT;
