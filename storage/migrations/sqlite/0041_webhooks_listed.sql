-- Lists of webhooks pass over those that go with runs, which are as many as these.
DROP INDEX webhooks_listed;
CREATE INDEX webhooks_listed ON webhooks (project_id, created_at, id) WHERE ad_hoc_run IS NULL;
CREATE INDEX webhooks_for_run ON webhooks (run_id, created_at, id) WHERE run_id <> '';

-- Lists of dispatches are counted by their indexes alone: rows are long.
DROP INDEX webhook_dispatches_of_project;
CREATE INDEX webhook_dispatches_of_project ON webhook_dispatches (project_id, number, webhook_id);
CREATE INDEX webhook_dispatches_by_status ON webhook_dispatches (webhook_id, status, number);
