-- A key-value store, dataset or request queue of a project. Its rows name it by
-- its number, which is never given again. One that is deleted keeps its row until
-- all of those are gone.
CREATE TABLE record_stores (
    number         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    project_id     TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kind           TEXT    NOT NULL CHECK (kind IN ('key-value-store', 'dataset', 'request-queue')),
    name           TEXT,
    name_key       TEXT,              -- the name in lower case
    title          TEXT    NOT NULL DEFAULT '',
    general_access TEXT    NOT NULL,
    schema         TEXT,
    act_id         TEXT,
    act_run_id     TEXT,
    created_at     INTEGER NOT NULL,
    modified_at    INTEGER NOT NULL,
    accessed_at    INTEGER NOT NULL,
    deleted_at     INTEGER,
    reads          INTEGER NOT NULL DEFAULT 0,
    writes         INTEGER NOT NULL DEFAULT 0,
    deletes        INTEGER NOT NULL DEFAULT 0,
    lists          INTEGER NOT NULL DEFAULT 0,
    bytes          INTEGER NOT NULL DEFAULT 0,
    items          INTEGER NOT NULL DEFAULT 0,  -- records, items or requests
    clean_items    INTEGER NOT NULL DEFAULT 0,  -- of a dataset: those with a field that is not hidden
    handled        INTEGER NOT NULL DEFAULT 0,  -- of a queue
    turn           INTEGER NOT NULL DEFAULT 0,  -- of a queue: the last place that was given
    turn_ms        INTEGER NOT NULL DEFAULT 0,  -- and its time, which never goes back
    first_client   TEXT,                        -- of a queue: the first key seen, '' for a client without one
    many_clients   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX record_stores_names ON record_stores (project_id, kind, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX record_stores_oldest ON record_stores (project_id, kind, created_at, number, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX record_stores_named ON record_stores (project_id, kind, created_at, number, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX record_stores_unnamed ON record_stores (accessed_at) WHERE name_key IS NULL AND deleted_at IS NULL;
CREATE INDEX record_stores_deleted ON record_stores (deleted_at) WHERE deleted_at IS NOT NULL;

-- A record of a key-value store. Its bytes are in the row or, many, in a blob.
CREATE TABLE record_values (
    store        INTEGER NOT NULL REFERENCES record_stores (number) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    content_type TEXT    NOT NULL,
    coding       TEXT    NOT NULL,   -- that the bytes are in; '' for none
    size         INTEGER NOT NULL,   -- decoded
    stored       INTEGER NOT NULL,   -- as they lie here
    modified_at  INTEGER NOT NULL,
    blob         TEXT,
    data         BLOB,
    PRIMARY KEY (store, key)
) STRICT;

CREATE INDEX record_values_blobs ON record_values (blob) WHERE blob IS NOT NULL;

-- Items of a dataset that follow one another, a line each. The first has the
-- number of items before it; there are no gaps.
CREATE TABLE dataset_chunks (
    store INTEGER NOT NULL REFERENCES record_stores (number) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    items INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    blob  TEXT,
    data  TEXT,
    PRIMARY KEY (store, first)
) STRICT;

CREATE INDEX dataset_chunks_blobs ON dataset_chunks (blob) WHERE blob IS NOT NULL;

-- The fields of a dataset's items; what they come to is counted where it has a schema.
CREATE TABLE dataset_fields (
    store   INTEGER NOT NULL REFERENCES record_stores (number) ON DELETE CASCADE,
    name    TEXT    NOT NULL,
    low     REAL,
    high    REAL,
    nulls   INTEGER NOT NULL DEFAULT 0,
    empties INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (store, name)
) STRICT, WITHOUT ROWID;

-- A request of a queue. Its place is a time and a number: below 0 for the
-- forefront; a lock puts it to the time at which it ends.
CREATE TABLE queue_requests (
    store        INTEGER NOT NULL REFERENCES record_stores (number) ON DELETE CASCADE,
    id           TEXT    NOT NULL,
    unique_key   TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    method       TEXT    NOT NULL,
    retry_count  INTEGER NOT NULL,
    place_ms     INTEGER NOT NULL,
    place_turn   INTEGER NOT NULL,
    handled_at   INTEGER,
    locked_until INTEGER NOT NULL DEFAULT 0,
    lock_client  TEXT    NOT NULL DEFAULT '',
    lock_run     TEXT,
    lock_front   INTEGER NOT NULL DEFAULT 0,
    bytes        INTEGER NOT NULL,
    blob         TEXT,
    data         TEXT,     -- the members that have no column, as an object
    PRIMARY KEY (store, id)
) STRICT;

CREATE INDEX queue_requests_head ON queue_requests (store, place_ms, place_turn) WHERE handled_at IS NULL;
CREATE INDEX queue_requests_pending ON queue_requests (store, id) WHERE handled_at IS NULL;
CREATE INDEX queue_requests_locked ON queue_requests (store, locked_until) WHERE locked_until > 0;
CREATE INDEX queue_requests_of_run ON queue_requests (lock_run) WHERE lock_run IS NOT NULL;
CREATE INDEX queue_requests_blobs ON queue_requests (blob) WHERE blob IS NOT NULL;
