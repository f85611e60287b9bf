-- What a job shares a limit with others by, besides its project. See Sharing in
-- internal/jobs.
ALTER TABLE jobs ADD COLUMN share TEXT NOT NULL DEFAULT '';
