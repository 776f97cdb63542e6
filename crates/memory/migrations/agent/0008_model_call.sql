CREATE TABLE model_call (
    id             TEXT PRIMARY KEY,
    began_ms       INTEGER NOT NULL,
    ended_ms       INTEGER,
    session        TEXT NOT NULL,
    turn           TEXT,
    mission_id     TEXT,
    purpose        TEXT NOT NULL,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    outcome        TEXT NOT NULL,
    price          TEXT,
    usage_raw      TEXT,
    in_fresh       INTEGER NOT NULL DEFAULT 0,
    cache_read     INTEGER NOT NULL DEFAULT 0,
    cache_write_5m INTEGER NOT NULL DEFAULT 0,
    cache_write_1h INTEGER NOT NULL DEFAULT 0,
    out            INTEGER NOT NULL DEFAULT 0,
    reasoning      INTEGER,
    estimated      INTEGER NOT NULL DEFAULT 0,
    cost_microusd  INTEGER,
    view           TEXT NOT NULL
) STRICT;
CREATE INDEX model_call_began ON model_call (began_ms);
CREATE INDEX model_call_turn ON model_call (turn, began_ms);

CREATE TABLE view_part (
    hash     TEXT PRIMARY KEY,
    body     TEXT NOT NULL,
    shown_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX view_part_shown ON view_part (shown_ms);

CREATE TABLE budget_grant (
    id         INTEGER PRIMARY KEY,
    meter      TEXT NOT NULL,
    about      TEXT NOT NULL,
    microusd   INTEGER NOT NULL,
    granted_ms INTEGER NOT NULL,
    granted_by TEXT NOT NULL
) STRICT;
CREATE INDEX budget_grant_about ON budget_grant (meter, about);
