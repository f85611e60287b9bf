-- What a job takes of the resource that its kind shares, in that kind's unit;
-- 0 is nothing. See Admission in internal/jobs.
ALTER TABLE jobs ADD COLUMN weight INTEGER NOT NULL DEFAULT 0 CHECK (weight >= 0);
