-- The runs of missions, JSON, the newest 1,000 of each. `mission.run` names the newest of the activated text, and
-- `mission.runs` is the number of the newest of all.
CREATE TABLE mission_run (
    id         TEXT PRIMARY KEY,
    mission_id TEXT NOT NULL,
    number     INTEGER NOT NULL,
    hash       TEXT,
    run        TEXT NOT NULL,
    UNIQUE (mission_id, number)
) STRICT;

ALTER TABLE mission ADD COLUMN runs INTEGER NOT NULL DEFAULT 0;

INSERT INTO mission_run
SELECT run ->> '$.id', id, 1, hash, json_set(
    json_remove(run, '$.has_ended'), '$.number', 1, '$.trigger', '', '$.started_ms', since_ms,
    '$.end', CASE WHEN run ->> '$.has_ended' THEN json_object(
        'outcome', CASE status WHEN 'failed' THEN 'failed' WHEN 'cancelled' THEN 'cancelled' ELSE 'done' END,
        'at_ms', since_ms) END)
FROM mission WHERE run IS NOT NULL;

UPDATE mission SET runs = 1, run = run ->> '$.id' WHERE run IS NOT NULL;

-- The reason that was given, and the text that the step activated.
ALTER TABLE mission_transition ADD COLUMN reason TEXT;
ALTER TABLE mission_transition ADD COLUMN hash TEXT;

-- The steps that people are shown: those of runs stand with the runs.
CREATE INDEX mission_transition_shown ON mission_transition (mission_id, seq)
WHERE from_status IS NOT to_status OR actor <> 'station';

-- Every text that was seen: the newest 50 of each mission, and each that was activated.
ALTER TABLE mission_version ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mission_version ADD COLUMN author TEXT;
ALTER TABLE mission_version ADD COLUMN activated_ms INTEGER;
ALTER TABLE mission_version ADD COLUMN activated_by TEXT;

UPDATE mission_version SET activated_ms = 0;
UPDATE mission_version SET (seen_ms, activated_ms, activated_by) =
    (SELECT activated_ms, activated_ms, activated_by FROM mission WHERE id = mission_id AND mission.hash = mission_version.hash)
WHERE EXISTS (SELECT 1 FROM mission WHERE id = mission_id AND mission.hash = mission_version.hash);
