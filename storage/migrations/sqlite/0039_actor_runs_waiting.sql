-- Since when a run waits that is READY again; NULL for one that has waited since it was
-- made.
ALTER TABLE actor_runs ADD COLUMN ready_at INTEGER;

DROP INDEX actor_runs_ready;
CREATE INDEX actor_runs_ready ON actor_runs (coalesce(ready_at, created_at)) WHERE status = 'READY';
