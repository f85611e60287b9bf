-- When the last thing that a build made went, which no invocation uses any more: what
-- was published goes then, the row when its time is over.
ALTER TABLE builds ADD COLUMN released_at INTEGER;

CREATE INDEX builds_unneeded ON builds (coalesce(released_at, ended_at))
    WHERE released_at IS NOT NULL OR status IN ('FAILED', 'TIMED_OUT', 'ABORTED');

CREATE INDEX function_versions_by_build ON function_versions (build_id);

CREATE INDEX function_invocations_unfinished ON function_invocations (program)
    WHERE program <> '' AND status IN ('PENDING', 'RUNNING');

-- Those whose versions went before this was noted. Their archives are files that no
-- row names from here on.
UPDATE builds SET released_at = ended_at, source_blob = ''
WHERE kind = 'function' AND status = 'SUCCEEDED'
  AND NOT EXISTS (SELECT 1 FROM function_versions v WHERE v.build_id = builds.id)
  AND NOT EXISTS (SELECT 1 FROM function_invocations i WHERE i.program = builds.id AND i.program <> '' AND i.status IN ('PENDING', 'RUNNING'));
