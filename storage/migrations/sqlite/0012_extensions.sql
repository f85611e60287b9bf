-- An uploaded extension of the browser. Its bytes are the blob, which no other
-- row names.
CREATE TABLE extensions (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id),
    file_name  TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    version    TEXT    NOT NULL,
    size       INTEGER NOT NULL CHECK (size > 0),
    unpacked   INTEGER NOT NULL CHECK (unpacked > 0),
    blob       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX extensions_newest ON extensions (project_id, created_at, id);

-- What the extensions of a project come to, so that a conditional UPDATE can
-- hold the quota.
CREATE TABLE extension_usage (
    project_id TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id),
    files      INTEGER NOT NULL CHECK (files >= 0),
    bytes      INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT;
