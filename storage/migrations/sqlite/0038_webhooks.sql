-- Webhooks of projects. The secrets that those of the protocol "standard" sign with lie
-- in a table of their own, sealed.
CREATE TABLE webhooks (
    id              TEXT    NOT NULL PRIMARY KEY,
    project_id      TEXT    NOT NULL REFERENCES projects (id),
    protocol        TEXT    NOT NULL CHECK (protocol IN ('standard', 'platform')),
    url             TEXT    NOT NULL,
    actor_id        TEXT    NOT NULL,             -- whose events it is for; '' for all
    task_id         TEXT    NOT NULL,
    run_id          TEXT    NOT NULL,
    settings        TEXT    NOT NULL,             -- all else that clients say, as JSON
    ad_hoc_run      TEXT    REFERENCES actor_runs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, -- it goes with that run
    idempotency_key TEXT,
    dispatches      INTEGER NOT NULL DEFAULT 0,   -- all that there ever were
    created_at      INTEGER NOT NULL,
    modified_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX webhooks_listed ON webhooks (project_id, created_at, id);
CREATE INDEX webhooks_of_run ON webhooks (ad_hoc_run) WHERE ad_hoc_run IS NOT NULL;
CREATE UNIQUE INDEX webhooks_by_key ON webhooks (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX webhooks_by_url ON webhooks (project_id, url) WHERE protocol = 'standard';

-- What webhooks are for, as it is looked up at every event.
CREATE TABLE webhook_events (
    project_id TEXT NOT NULL,
    event      TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    actor_id   TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    PRIMARY KEY (project_id, event, run_id, webhook_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_events_of_webhook ON webhook_events (webhook_id);

CREATE TABLE webhook_secrets (
    id         TEXT    NOT NULL PRIMARY KEY,
    webhook_id TEXT    NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    sealed     BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    ends_at    INTEGER                            -- a former one counts until then
) STRICT;

CREATE INDEX webhook_secrets_of_webhook ON webhook_secrets (webhook_id, created_at);
CREATE INDEX webhook_secrets_ended ON webhook_secrets (ends_at) WHERE ends_at IS NOT NULL;

-- Events on their way to a webhook, in their order.
CREATE TABLE webhook_dispatches (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    project_id  TEXT    NOT NULL,
    webhook_id  TEXT    NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event       TEXT    NOT NULL,
    object      TEXT    NOT NULL,
    event_data  TEXT,                             -- the ids that the platform sends, as JSON
    headers     TEXT,                             -- those that a template has made, as JSON
    body        BLOB    NOT NULL,
    body_key    TEXT    NOT NULL,                 -- the blob of a large one
    status      TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'SUCCEEDED', 'FAILED')),
    waits       INTEGER NOT NULL,                 -- 1 while those before it of the same object are under way
    tries       INTEGER NOT NULL DEFAULT 0,       -- since it was last asked for
    created_at  INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,
    finished_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_dispatches_of_webhook ON webhook_dispatches (webhook_id, number);
CREATE INDEX webhook_dispatches_of_project ON webhook_dispatches (project_id, number);
CREATE INDEX webhook_dispatches_active ON webhook_dispatches (webhook_id, object, waits, number) WHERE status = 'ACTIVE';
CREATE INDEX webhook_dispatches_ended ON webhook_dispatches (finished_at) WHERE finished_at > 0;
CREATE INDEX webhook_dispatches_blobs ON webhook_dispatches (body_key);

CREATE TABLE webhook_attempts (
    dispatch    INTEGER NOT NULL REFERENCES webhook_dispatches (number) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    status      INTEGER NOT NULL,                 -- of the answer; 0 where there was none
    body        TEXT    NOT NULL,                 -- the beginning of the answer
    error       TEXT    NOT NULL,
    PRIMARY KEY (dispatch, number)
) STRICT, WITHOUT ROWID;

-- How many dispatches of a project are under way.
CREATE TABLE webhook_loads (
    project_id TEXT    NOT NULL PRIMARY KEY,
    active     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER webhook_dispatches_added AFTER INSERT ON webhook_dispatches WHEN new.status = 'ACTIVE' BEGIN
    INSERT INTO webhook_loads (project_id, active) VALUES (new.project_id, 1) ON CONFLICT (project_id) DO UPDATE SET active = active + 1;
END;

CREATE TRIGGER webhook_dispatches_changed AFTER UPDATE OF status ON webhook_dispatches WHEN (new.status = 'ACTIVE') <> (old.status = 'ACTIVE') BEGIN
    UPDATE webhook_loads SET active = active + CASE WHEN new.status = 'ACTIVE' THEN 1 ELSE -1 END WHERE project_id = new.project_id;
END;

CREATE TRIGGER webhook_dispatches_removed AFTER DELETE ON webhook_dispatches WHEN old.status = 'ACTIVE' BEGIN
    UPDATE webhook_loads SET active = active - 1 WHERE project_id = old.project_id;
END;

-- The shares of which jobs wait, and the first job of each: webhooks to a receiver that is
-- dead are many, and are passed over.
CREATE INDEX jobs_ready_by_share ON jobs (kind, share, turn, id) WHERE state = 'ready';
