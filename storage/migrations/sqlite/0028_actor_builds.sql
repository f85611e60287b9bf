-- Builds of Actors are listed by their place in the project, which grows as they are
-- made; builds of other kinds have none. Their number is that of wire-v2, and meta
-- says who asked for them.
ALTER TABLE builds ADD COLUMN place INTEGER;
ALTER TABLE builds ADD COLUMN number INTEGER;
ALTER TABLE builds ADD COLUMN meta TEXT;

CREATE UNIQUE INDEX builds_by_place ON builds (project_id, place) WHERE place IS NOT NULL;
CREATE INDEX builds_of_owner_by_place ON builds (owner_id, place) WHERE place IS NOT NULL;
CREATE UNIQUE INDEX builds_by_number ON builds (owner_id, number) WHERE number IS NOT NULL;

-- How many builds a list has in each block of places: see package storage/rank. The
-- lists are those of a project and of an owner.
CREATE TABLE build_ranks (
    list  TEXT    NOT NULL,
    block INTEGER NOT NULL,
    class TEXT    NOT NULL,
    items INTEGER NOT NULL,
    PRIMARY KEY (list, block, class)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER builds_come AFTER INSERT ON builds WHEN NEW.place IS NOT NULL BEGIN
    INSERT INTO build_ranks (list, block, class, items)
        VALUES ('project/' || NEW.project_id, NEW.place >> 9, '', 1), ('owner/' || NEW.owner_id, NEW.place >> 9, '', 1)
        ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
END;

CREATE TRIGGER builds_go AFTER DELETE ON builds WHEN OLD.place IS NOT NULL BEGIN
    UPDATE build_ranks SET items = items - 1
        WHERE list IN ('project/' || OLD.project_id, 'owner/' || OLD.owner_id) AND block = OLD.place >> 9 AND class = '';
    DELETE FROM build_ranks
        WHERE list IN ('project/' || OLD.project_id, 'owner/' || OLD.owner_id) AND block = OLD.place >> 9 AND class = '' AND items = 0;
END;

-- What a build of an Actor has made, as JSON in the row or, a large one, in a blob.
CREATE TABLE actor_builds (
    id        TEXT NOT NULL PRIMARY KEY REFERENCES builds (id) ON DELETE CASCADE,
    made      TEXT,
    made_blob TEXT
) STRICT;

CREATE INDEX actor_builds_blobs ON actor_builds (made_blob) WHERE made_blob IS NOT NULL;

-- The last number that was given to a build of a version.
CREATE TABLE actor_build_numbers (
    actor_id TEXT    NOT NULL REFERENCES actors (id) ON DELETE CASCADE,
    major    INTEGER NOT NULL,
    minor    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    PRIMARY KEY (actor_id, major, minor)
) STRICT, WITHOUT ROWID;

-- The build that a tag of an Actor names.
CREATE TABLE actor_tags (
    actor_id TEXT NOT NULL REFERENCES actors (id) ON DELETE CASCADE,
    tag      TEXT NOT NULL,
    build_id TEXT NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    PRIMARY KEY (actor_id, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX actor_tags_builds ON actor_tags (build_id);
