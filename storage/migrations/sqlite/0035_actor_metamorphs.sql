-- What a run has become, as JSON, and the build that it was started with.
ALTER TABLE actor_runs ADD COLUMN became TEXT NOT NULL DEFAULT '';
