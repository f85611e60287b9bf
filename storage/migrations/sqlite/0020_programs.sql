-- The build that made a version; empty for those that no build did.
ALTER TABLE function_versions ADD COLUMN build_id TEXT NOT NULL DEFAULT '';

-- The build of the published program that an invocation runs; empty for a Go
-- function.
ALTER TABLE function_invocations ADD COLUMN program TEXT NOT NULL DEFAULT '';
