-- The dry runs of missions without their rows: the newest 20 of each mission, and that of its newest activation. `basis` is
-- what its verdicts rest on besides the text, JSON.
CREATE TABLE mission_dry_run (
    id         TEXT PRIMARY KEY,
    mission_id TEXT NOT NULL,
    hash       TEXT NOT NULL,
    at_ms      INTEGER NOT NULL,
    ok         INTEGER NOT NULL,
    sentence   TEXT NOT NULL,
    basis      TEXT NOT NULL
) STRICT;

CREATE INDEX mission_dry_run_newest ON mission_dry_run (mission_id, at_ms);

-- The dry run that was seen with the newest activation.
ALTER TABLE mission ADD COLUMN dry_run TEXT;
