-- The lock file that npm has written in a build of a program without one: with it the
-- program is made again as it was.
CREATE TABLE function_locks (
    build_id TEXT NOT NULL PRIMARY KEY REFERENCES builds (id) ON DELETE CASCADE,
    lock     BLOB NOT NULL  -- in gzip
) STRICT;
