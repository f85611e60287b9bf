-- A log that grows with the work of its owner: see internal/joblog. The id is
-- the owner's kind and its own id, as in "session/0190…".
CREATE TABLE job_logs (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    writer      TEXT,                        -- who may append: one at a time
    instance_id TEXT,                        -- whose process that is
    next_seq    INTEGER NOT NULL DEFAULT 0,  -- of the entry that comes next
    next_offset INTEGER NOT NULL DEFAULT 0,  -- where that begins in the log as text
    next_part   INTEGER NOT NULL DEFAULT 0,
    head_part   INTEGER NOT NULL DEFAULT 0,  -- parts before it are never trimmed
    lines       INTEGER NOT NULL DEFAULT 0,  -- that are kept
    bytes       INTEGER NOT NULL DEFAULT 0,  -- that these count for
    blob_key    TEXT,                        -- has the entries before blob_seq
    blob_seq    INTEGER NOT NULL DEFAULT 0,
    ended_at    INTEGER,
    sealed_at   INTEGER
) STRICT;

-- Those whose process has to be alive.
CREATE INDEX job_logs_open ON job_logs (instance_id) WHERE ended_at IS NULL;
-- Those that have ended and are still to be packed.
CREATE INDEX job_logs_unsealed ON job_logs (ended_at, id) WHERE ended_at IS NOT NULL AND sealed_at IS NULL;
CREATE UNIQUE INDEX job_logs_blob ON job_logs (blob_key) WHERE blob_key IS NOT NULL;

-- Entries of a log, as many as were written at a time. A large one takes several
-- parts, which have the same last_seq; the first counts for all.
CREATE TABLE job_log_parts (
    log_id   TEXT    NOT NULL REFERENCES job_logs (id),
    part     INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    text_end INTEGER NOT NULL,  -- where its last entry ends in the log as text
    lines    INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    data     BLOB    NOT NULL CHECK (length(data) <= 65536),
    PRIMARY KEY (log_id, part)
) STRICT;

-- Contexts that a process holds, for who looks after one that has died.
CREATE INDEX contexts_held ON contexts (holder_instance) WHERE holder_instance IS NOT NULL;
