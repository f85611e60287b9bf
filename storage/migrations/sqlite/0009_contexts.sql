-- A browser context: a profile of a browser that outlives the sessions that use
-- it. blob is the version that was saved last, previous the one before.
CREATE TABLE contexts (
    id              TEXT    NOT NULL PRIMARY KEY,
    project_id      TEXT    NOT NULL REFERENCES projects (id),
    name            TEXT,
    name_key        TEXT,              -- the name, case folded
    public_key      BLOB    NOT NULL,  -- SPKI
    private_key     BLOB    NOT NULL,  -- PKCS #8, sealed under the master key
    blob            TEXT    UNIQUE,
    previous        TEXT    UNIQUE,
    saved_at        INTEGER NOT NULL DEFAULT 0,
    holder          TEXT,              -- who will save it; one at a time
    holder_instance TEXT,              -- whose process it is
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CHECK (previous IS NULL OR blob IS NOT NULL),
    CHECK ((holder IS NULL) = (holder_instance IS NULL))
) STRICT;

CREATE UNIQUE INDEX contexts_by_name ON contexts (project_id, name_key);
CREATE INDEX contexts_newest ON contexts (project_id, created_at, id);
