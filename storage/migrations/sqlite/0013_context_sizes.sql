-- What the versions of a context take in bytes; 0 for those that were saved
-- before this was counted.
ALTER TABLE contexts ADD COLUMN blob_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contexts ADD COLUMN previous_size INTEGER NOT NULL DEFAULT 0;
