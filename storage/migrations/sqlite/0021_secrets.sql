-- A secret of a project. Functions that it is attached to get its value.
CREATE TABLE secrets (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id),
    name       TEXT    NOT NULL,
    size       INTEGER NOT NULL,  -- of the value, in bytes
    value      BLOB    NOT NULL,  -- sealed under the master key
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (project_id, name)
) STRICT;

CREATE INDEX secrets_newest ON secrets (project_id, created_at, id);

-- What clients of a project seal values under before they send them. Former ones
-- stay: a client may have sealed with one and not sent yet.
CREATE TABLE secret_keypairs (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    public_key  BLOB    NOT NULL,
    private_key BLOB    NOT NULL,  -- sealed under the master key
    created_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX secret_keypairs_newest ON secret_keypairs (project_id, created_at, id);

-- The secrets that functions get.
CREATE TABLE function_secrets (
    function_id TEXT    NOT NULL REFERENCES functions (id) ON DELETE CASCADE,
    secret_id   TEXT    NOT NULL REFERENCES secrets (id) ON DELETE CASCADE,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (function_id, secret_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX function_secrets_by_secret ON function_secrets (secret_id);
