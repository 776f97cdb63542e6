CREATE TABLE job (
    id         TEXT PRIMARY KEY,
    name       TEXT UNIQUE,
    mission_id TEXT,
    action     TEXT NOT NULL,
    schedule   TEXT NOT NULL,
    time_zone  TEXT NOT NULL,
    policy     TEXT NOT NULL,
    state      TEXT NOT NULL,
    next_ms    INTEGER,
    retries    INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    version    INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT;
CREATE INDEX job_due ON job (state, next_ms);

CREATE TABLE job_run (
    id             TEXT PRIMARY KEY,
    job_id         TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    due_ms         INTEGER NOT NULL,
    attempt        INTEGER NOT NULL,
    started_ms     INTEGER,
    ended_ms       INTEGER,
    outcome        TEXT NOT NULL,
    turn           TEXT,
    actuated       INTEGER NOT NULL DEFAULT 0,
    error          TEXT,
    cost_microusd  INTEGER,
    UNIQUE (job_id, due_ms, attempt)
) STRICT;

CREATE TABLE memory_review (
    id         TEXT PRIMARY KEY,
    target     TEXT NOT NULL,
    before     TEXT,
    after      TEXT NOT NULL,
    provenance TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
