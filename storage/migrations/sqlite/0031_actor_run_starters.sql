-- The run that has started a run; NULL for any other caller.
ALTER TABLE actor_runs ADD COLUMN started_by TEXT;
