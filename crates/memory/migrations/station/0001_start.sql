CREATE TABLE station (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE latch (
    stop_id  INTEGER PRIMARY KEY,
    by       TEXT NOT NULL,
    reason   TEXT,
    at_ms    INTEGER NOT NULL,
    robots   TEXT NOT NULL,
    released TEXT NOT NULL,
    open     INTEGER NOT NULL
) STRICT;

CREATE TABLE lease_epoch (
    robot TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL
) STRICT;

CREATE TABLE constraint_row (
    id         TEXT PRIMARY KEY,
    body       TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE constraint_set (
    robot   TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    hash    TEXT NOT NULL
) STRICT;

CREATE TABLE approval (
    proposal    TEXT PRIMARY KEY,
    version     INTEGER NOT NULL,
    action_hash TEXT NOT NULL,
    by          TEXT NOT NULL,
    state       TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,
    body        TEXT NOT NULL
) STRICT;
