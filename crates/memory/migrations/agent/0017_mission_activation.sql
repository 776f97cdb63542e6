-- The warnings that were accepted with the newest activation, JSON, and the role and the reason of whoever activated it.
ALTER TABLE mission ADD COLUMN accepted TEXT;
ALTER TABLE mission ADD COLUMN activated_role TEXT;
ALTER TABLE mission ADD COLUMN reason TEXT;
