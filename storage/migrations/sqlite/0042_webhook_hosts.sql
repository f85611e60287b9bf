-- The host that a dispatch goes to: those to one that is dead leave room for others, however
-- many webhooks send there.
ALTER TABLE webhook_dispatches ADD COLUMN host TEXT NOT NULL DEFAULT '';
CREATE INDEX webhook_dispatches_of_host ON webhook_dispatches (project_id, host) WHERE status = 'ACTIVE';
