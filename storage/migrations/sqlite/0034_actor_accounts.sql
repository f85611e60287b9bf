-- What a project has set for itself: how much it wants to be charged a month, which
-- nothing is.
CREATE TABLE actor_accounts (
    project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (id),
    max_usd    REAL NOT NULL
) STRICT, WITHOUT ROWID;
