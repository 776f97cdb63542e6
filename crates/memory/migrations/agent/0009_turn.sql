CREATE TABLE agent_state (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE said (
    id          TEXT PRIMARY KEY,
    session     TEXT NOT NULL,
    after_entry INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    role        TEXT NOT NULL,
    text        TEXT NOT NULL,
    said_ms     INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
    id            TEXT PRIMARY KEY,
    key           TEXT NOT NULL,
    channel       TEXT NOT NULL,
    started_ms    INTEGER NOT NULL,
    ended_ms      INTEGER,
    archived      INTEGER NOT NULL DEFAULT 0,
    epoch         INTEGER NOT NULL,
    messages      INTEGER NOT NULL,
    provider      TEXT,
    model         TEXT,
    cost_microusd INTEGER
) STRICT;
