-- Finds the first job that waits of each project, of those that weigh something: where
-- those of one project do not fit, others are looked for.
CREATE INDEX jobs_of_projects ON jobs (kind, pinned, project_id, turn, id) WHERE state = 'ready' AND weight > 0;
