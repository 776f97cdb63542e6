-- A mission that somebody has activated or ended. One without a row is a draft.
CREATE TABLE mission (
    id           TEXT PRIMARY KEY,
    status       TEXT NOT NULL,
    phase        TEXT NOT NULL,
    cause        TEXT,
    since_ms     INTEGER NOT NULL,
    activation   TEXT,
    hash         TEXT,
    activated_ms INTEGER,
    activated_by TEXT,
    row_version  INTEGER NOT NULL
) STRICT;

-- The text of every activated version, for ever.
CREATE TABLE mission_version (
    mission_id TEXT NOT NULL,
    hash       TEXT NOT NULL,
    source     TEXT NOT NULL,
    PRIMARY KEY (mission_id, hash)
) STRICT;

CREATE TABLE mission_transition (
    seq         INTEGER PRIMARY KEY,
    mission_id  TEXT NOT NULL,
    from_status TEXT,
    to_status   TEXT NOT NULL,
    phase       TEXT NOT NULL,
    cause       TEXT,
    actor       TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,
    activation  TEXT
) STRICT;
