-- Finished runs in the order in which their retention ends.
CREATE INDEX agent_runs_ended ON agent_runs (ended_at, id) WHERE ended_at IS NOT NULL;
