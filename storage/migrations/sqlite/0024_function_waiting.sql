-- When a version was asked for, which its build may come to later than to another.
ALTER TABLE function_versions ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;

-- The settings of a published version's sessions with the passwords of proxies,
-- sealed under the master key; NULL where there are none.
ALTER TABLE function_versions ADD COLUMN session_sealed BLOB;

CREATE INDEX function_invocations_waiting ON function_invocations (created_at) WHERE status = 'PENDING';
