CREATE TABLE agents (
    id            TEXT    NOT NULL PRIMARY KEY,
    project_id    TEXT    NOT NULL REFERENCES projects (id),
    name          TEXT    NOT NULL,
    system_prompt TEXT,
    result_schema TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;

-- The order of the list; a cursor is a place in it.
CREATE INDEX agents_newest ON agents (project_id, created_at, id);
