ALTER TABLE provider ADD COLUMN mission_id TEXT;
ALTER TABLE provider ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE provider ADD COLUMN state TEXT NOT NULL DEFAULT 'running';

UPDATE provider SET mission_id = config ->> '$.mission_id';

CREATE TABLE world_state (
    key         TEXT PRIMARY KEY,
    value       TEXT NOT NULL,
    confidence  REAL CHECK (confidence BETWEEN 0 AND 1),
    unit        TEXT,
    trust       TEXT NOT NULL,
    origin      TEXT NOT NULL,
    observed_ms INTEGER NOT NULL,
    received_ms INTEGER NOT NULL,
    source_ms   INTEGER,
    age_basis   TEXT NOT NULL,
    max_age_ms  INTEGER NOT NULL,
    source      TEXT NOT NULL,
    instance    TEXT,
    provider_id TEXT NOT NULL,
    mission_id  TEXT,
    flags       INTEGER NOT NULL,
    changed_ms  INTEGER NOT NULL,
    seq         INTEGER NOT NULL
) STRICT;

CREATE TABLE world_history (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL,
    value       TEXT,
    confidence  REAL CHECK (confidence BETWEEN 0 AND 1),
    observed_ms INTEGER NOT NULL,
    received_ms INTEGER NOT NULL,
    source      TEXT,
    provider_id TEXT
) STRICT;

CREATE INDEX world_history_by_key ON world_history (key, received_ms);
CREATE INDEX world_history_by_time ON world_history (received_ms);
