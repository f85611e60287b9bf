-- Which model a run asks, what else was asked for with it, what it has used, and
-- whether a person has taken it over.
ALTER TABLE agent_runs ADD COLUMN model TEXT;
ALTER TABLE agent_runs ADD COLUMN options TEXT; -- JSON: limits, session, domains
ALTER TABLE agent_runs ADD COLUMN usage TEXT;   -- JSON: tokens in five counts, cost in millionths
ALTER TABLE agent_runs ADD COLUMN pause TEXT;   -- requested, paused or resuming
ALTER TABLE agent_runs ADD COLUMN pause_text TEXT; -- paused: the question; resuming: the note

-- What the runs of a project have used on a day (of UTC, counted from 1970).
CREATE TABLE model_usage (
    project_id TEXT    NOT NULL,
    day        INTEGER NOT NULL,
    tokens     INTEGER NOT NULL,
    cost       INTEGER NOT NULL, -- in millionths
    PRIMARY KEY (project_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_usage_by_day ON model_usage (day);
