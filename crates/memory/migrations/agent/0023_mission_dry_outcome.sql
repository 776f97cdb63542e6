-- How a dry run ended as data, JSON; null for one that was kept before, which has its sentence alone.
ALTER TABLE mission_dry_run ADD COLUMN outcome TEXT;
