-- What the processes of a run have taken, as JSON; '' for what was not measured.
ALTER TABLE actor_runs ADD COLUMN usage TEXT NOT NULL DEFAULT '';
