-- The newest run of the activated text, JSON.
ALTER TABLE mission ADD COLUMN run TEXT;
