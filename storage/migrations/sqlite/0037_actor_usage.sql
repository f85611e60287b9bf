-- How many runs of a project have not ended, and their memory in megabytes, so that a start
-- need not count them.
CREATE TABLE actor_usage (
    project_id TEXT    NOT NULL PRIMARY KEY,
    runs       INTEGER NOT NULL,
    memory     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO actor_usage (project_id, runs, memory)
SELECT project_id, sum(status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')), sum(memory * (status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')))
FROM actor_runs GROUP BY project_id;

CREATE TRIGGER actor_runs_used AFTER INSERT ON actor_runs WHEN NEW.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING') BEGIN
    INSERT INTO actor_usage (project_id, runs, memory) VALUES (NEW.project_id, 1, NEW.memory)
    ON CONFLICT DO UPDATE SET runs = runs + 1, memory = memory + NEW.memory;
END;

-- A run ends, is resurrected, or becomes one that needs more memory.
CREATE TRIGGER actor_runs_use AFTER UPDATE OF status, memory ON actor_runs
WHEN (OLD.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')) <> (NEW.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')) OR OLD.memory <> NEW.memory BEGIN
    UPDATE actor_usage SET
        runs   = runs - (OLD.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')) + (NEW.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')),
        memory = memory - OLD.memory * (OLD.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING')) + NEW.memory * (NEW.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING'))
    WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER actor_runs_unused AFTER DELETE ON actor_runs WHEN OLD.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING') BEGIN
    UPDATE actor_usage SET runs = runs - 1, memory = memory - OLD.memory WHERE project_id = OLD.project_id;
END;
