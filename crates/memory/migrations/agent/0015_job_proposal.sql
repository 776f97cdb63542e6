-- The proposal that a run waits for, or waited for.
ALTER TABLE job_run ADD COLUMN proposal TEXT;
