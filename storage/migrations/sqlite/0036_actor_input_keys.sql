-- The key pair that secret fields of inputs are sealed with, of an Actor; the private
-- key lies sealed.
CREATE TABLE actor_input_keys (
    id       TEXT NOT NULL PRIMARY KEY,
    actor_id TEXT NOT NULL UNIQUE REFERENCES actors (id) ON DELETE CASCADE,
    sealed   BLOB NOT NULL
) STRICT;
