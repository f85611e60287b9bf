-- A file of certificates that a project has uploaded: of authorities to trust, or
-- of a client, with its key. Each certificate of the file is a row of its own,
-- so that none is large.
CREATE TABLE certificates (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('ca', 'client')),
    subject     TEXT    NOT NULL,  -- of the first
    fingerprint TEXT    NOT NULL,  -- SHA-256 of the first, in hexadecimal
    count       INTEGER NOT NULL,
    not_before  INTEGER NOT NULL,  -- the latest of all
    not_after   INTEGER NOT NULL,  -- the earliest of all
    private_key BLOB,              -- PKCS #8, sealed under the master key
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    CHECK ((kind = 'client') = (private_key IS NOT NULL))
) STRICT;

CREATE INDEX certificates_newest ON certificates (project_id, created_at, id);

CREATE TABLE certificate_parts (
    certificate_id TEXT    NOT NULL REFERENCES certificates (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,  -- of a client: its own first, then the chain
    der            BLOB    NOT NULL,
    PRIMARY KEY (certificate_id, position)
) STRICT;
