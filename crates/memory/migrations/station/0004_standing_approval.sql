-- Given for a limited time and number of uses. `ended` says why it holds no longer; nothing makes it hold again.
CREATE TABLE standing_approval (
    id          TEXT PRIMARY KEY,
    robot       TEXT NOT NULL,
    mission     TEXT,
    operation   TEXT NOT NULL,
    envelope    TEXT NOT NULL,
    uses_max    INTEGER NOT NULL CHECK (uses_max BETWEEN 1 AND 100),
    uses        INTEGER NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND uses_max),
    granted_by  TEXT NOT NULL,
    granted_ms  INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    set_version INTEGER NOT NULL,
    stop_id     INTEGER NOT NULL,
    ended       TEXT
) STRICT;
