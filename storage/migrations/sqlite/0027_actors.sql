-- An Actor of a project. What it says of itself lies in details, as JSON. The key of
-- a name is the name in lower case.
CREATE TABLE actors (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL,
    details     TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    UNIQUE (project_id, name_key)
) STRICT;

CREATE INDEX actors_oldest ON actors (project_id, created_at, id);

-- A version of an Actor's source, as JSON in the row or, a large one, in a blob. The
-- revision counts its changes.
CREATE TABLE actor_versions (
    actor_id    TEXT    NOT NULL REFERENCES actors (id) ON DELETE CASCADE,
    major       INTEGER NOT NULL,
    minor       INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    source      TEXT,
    source_blob TEXT,
    PRIMARY KEY (actor_id, major, minor)
) STRICT, WITHOUT ROWID;

CREATE INDEX actor_versions_blobs ON actor_versions (source_blob) WHERE source_blob IS NOT NULL;

-- The environment of a version. What is secret lies sealed under the master key.
CREATE TABLE actor_env_vars (
    id       TEXT    NOT NULL PRIMARY KEY,
    actor_id TEXT    NOT NULL,
    major    INTEGER NOT NULL,
    minor    INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    value    TEXT,
    sealed   BLOB,
    UNIQUE (actor_id, major, minor, name),
    FOREIGN KEY (actor_id, major, minor) REFERENCES actor_versions (actor_id, major, minor) ON DELETE CASCADE
) STRICT;

-- A saved task. Its input is in the row or, a large one, in a blob.
CREATE TABLE actor_tasks (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    actor_id    TEXT    NOT NULL REFERENCES actors (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL,
    details     TEXT    NOT NULL,
    revision    INTEGER NOT NULL,
    input       TEXT,
    input_blob  TEXT,
    created_at  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    UNIQUE (project_id, name_key)
) STRICT;

CREATE INDEX actor_tasks_oldest ON actor_tasks (project_id, created_at, id);
CREATE INDEX actor_tasks_by_actor ON actor_tasks (actor_id);
CREATE INDEX actor_tasks_blobs ON actor_tasks (input_blob) WHERE input_blob IS NOT NULL;
