-- The numbers of the standing approvals that were granted with the newest activation, JSON.
ALTER TABLE mission ADD COLUMN granted TEXT;
