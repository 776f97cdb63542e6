-- What became of each trigger of the activated text, JSON.
ALTER TABLE mission ADD COLUMN triggers TEXT;
