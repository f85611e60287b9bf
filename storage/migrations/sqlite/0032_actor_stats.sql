-- What Actors and tasks have come to, whatever was deleted since. The triggers at the
-- end count.
ALTER TABLE actors ADD COLUMN total_runs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE actors ADD COLUMN total_builds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE actors ADD COLUMN last_run_at INTEGER; -- when the last run was asked for
ALTER TABLE actor_tasks ADD COLUMN total_runs INTEGER NOT NULL DEFAULT 0;

CREATE INDEX actors_by_last_run ON actors (project_id, coalesce(last_run_at, 0), created_at, id);

-- Runs of a project are made in the order of their times, so that times are places in
-- its lists.
UPDATE actor_runs SET created_at = ordered.at
    FROM (SELECT id, max(created_at) OVER (PARTITION BY project_id ORDER BY number) AS at FROM actor_runs) AS ordered
    WHERE ordered.id = actor_runs.id AND actor_runs.created_at < ordered.at;

CREATE INDEX actor_runs_by_time ON actor_runs (project_id, created_at, number);

-- What a run has charged: the counts of its events, as JSON, and the charges that are
-- not to be made twice.
ALTER TABLE actor_runs ADD COLUMN charges TEXT NOT NULL DEFAULT '';

CREATE TABLE actor_run_charges (
    run_id TEXT    NOT NULL REFERENCES actor_runs (id) ON DELETE CASCADE,
    key    TEXT    NOT NULL,
    event  TEXT    NOT NULL,
    items  INTEGER NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;

UPDATE actors SET
    total_runs = (SELECT count(*) FROM actor_runs r WHERE r.actor_id = actors.id),
    last_run_at = (SELECT max(r.created_at) FROM actor_runs r WHERE r.actor_id = actors.id),
    total_builds = (SELECT coalesce(sum(n.last), 0) FROM actor_build_numbers n WHERE n.actor_id = actors.id);
UPDATE actor_tasks SET total_runs = (SELECT count(*) FROM actor_runs r WHERE r.task_id = actor_tasks.id);

CREATE TRIGGER actor_runs_count AFTER INSERT ON actor_runs BEGIN
    UPDATE actors SET total_runs = total_runs + 1, last_run_at = NEW.created_at WHERE id = NEW.actor_id;
    UPDATE actor_tasks SET total_runs = total_runs + 1 WHERE id = NEW.task_id;
END;

CREATE TRIGGER builds_count AFTER INSERT ON builds WHEN NEW.place IS NOT NULL BEGIN
    UPDATE actors SET total_builds = total_builds + 1 WHERE id = NEW.owner_id;
END;
