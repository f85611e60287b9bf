-- A run of an agent; its status is the state machine. What it takes from its
-- agent is copied. Values of variables are never here, only names and hints.
CREATE TABLE agent_runs (
    id                TEXT    NOT NULL PRIMARY KEY,
    project_id        TEXT    NOT NULL REFERENCES projects (id),
    agent_id          TEXT,
    task              TEXT    NOT NULL,
    status            TEXT    NOT NULL CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'STOPPED', 'TIMED_OUT')),
    system_prompt     TEXT,
    agent_schema      TEXT,
    result_schema     TEXT,
    variables         TEXT,
    session_id        TEXT,
    result            TEXT,
    cause_code        TEXT,
    cause_message     TEXT,
    stop_requested_at INTEGER,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    started_at        INTEGER,
    ended_at          INTEGER
) STRICT;

-- One index for each way to filter the list, in its order.
CREATE INDEX agent_runs_newest ON agent_runs (project_id, created_at, id);
CREATE INDEX agent_runs_by_status ON agent_runs (project_id, status, created_at, id);
CREATE INDEX agent_runs_by_agent ON agent_runs (project_id, agent_id, created_at, id);
CREATE INDEX agent_runs_by_agent_status ON agent_runs (project_id, agent_id, status, created_at, id);

-- Ids of one run sort in the order of its messages.
CREATE TABLE run_messages (
    run_id     TEXT    NOT NULL REFERENCES agent_runs (id),
    id         TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    message    TEXT    NOT NULL,
    PRIMARY KEY (run_id, id)
) STRICT;
