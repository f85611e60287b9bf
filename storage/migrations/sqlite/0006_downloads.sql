-- A file that a session has downloaded. Its bytes are the blob, which no other
-- row names.
CREATE TABLE downloads (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id),
    session_id TEXT    NOT NULL,
    filename   TEXT    NOT NULL,
    mime_type  TEXT    NOT NULL,
    size       INTEGER NOT NULL CHECK (size >= 0),
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    crc32      INTEGER NOT NULL,
    blob       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

-- One index for each way to filter the list of a session, in its order. Sizes
-- are looked at on the way.
CREATE INDEX downloads_newest ON downloads (project_id, session_id, created_at, id);
CREATE INDEX downloads_by_filename ON downloads (project_id, session_id, filename, created_at, id);
CREATE INDEX downloads_by_mime_type ON downloads (project_id, session_id, mime_type, created_at, id);
-- All downloads in the order in which their retention ends.
CREATE INDEX downloads_oldest ON downloads (created_at, id);

-- What the downloads of a project come to, so that a conditional UPDATE can
-- hold the quota.
CREATE TABLE download_usage (
    project_id TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id),
    files      INTEGER NOT NULL CHECK (files >= 0),
    bytes      INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT;
