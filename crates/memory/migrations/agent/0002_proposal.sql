CREATE TABLE proposal (
    id          TEXT PRIMARY KEY,
    mission_id  TEXT,
    state       TEXT NOT NULL,
    tier        TEXT NOT NULL,
    action_hash TEXT NOT NULL,
    expires_ms  INTEGER NOT NULL,
    created_ms  INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    body        TEXT NOT NULL
) STRICT;
