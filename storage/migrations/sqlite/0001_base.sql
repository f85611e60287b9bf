-- One opening of the database by one process; see storage.Instance.
CREATE TABLE instances (
    id         TEXT    NOT NULL PRIMARY KEY,
    started_at INTEGER NOT NULL
) STRICT;

-- A project of v1 is a user of v2 and has an id of each kind.
CREATE TABLE projects (
    id         TEXT    NOT NULL PRIMARY KEY,
    user_id    TEXT    NOT NULL UNIQUE,
    name       TEXT    NOT NULL UNIQUE,
    username   TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

-- Only the hash of a key is stored. The prefix is for people to tell keys apart.
CREATE TABLE api_keys (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id),
    name       TEXT    NOT NULL,
    prefix     TEXT    NOT NULL,
    lookup     BLOB    NOT NULL,
    hash       BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, id);
CREATE INDEX api_keys_by_lookup ON api_keys (lookup);

-- Random keys that sign what must be recognised as this database's own.
CREATE TABLE secret_keys (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
