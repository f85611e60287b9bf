-- What the ended sessions of a project have used, those included whose rows are
-- deleted. Each adds itself when it ends.
CREATE TABLE project_usage (
    project_id  TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id),
    browser_ms  INTEGER NOT NULL,
    proxy_bytes INTEGER NOT NULL
) STRICT;

INSERT INTO project_usage (project_id, browser_ms, proxy_bytes)
    SELECT project_id, sum(CASE WHEN started_at < ended_at THEN ended_at - started_at ELSE 0 END), sum(proxy_bytes)
    FROM sessions WHERE ended_at IS NOT NULL GROUP BY project_id;
