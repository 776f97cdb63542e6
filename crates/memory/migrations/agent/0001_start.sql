CREATE TABLE provider (
    id         TEXT PRIMARY KEY,
    config     TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT;

CREATE TABLE alert (
    id            TEXT PRIMARY KEY,
    config        TEXT NOT NULL,
    created_ms    INTEGER NOT NULL,
    created_by    TEXT NOT NULL,
    last_fired_ms INTEGER,
    fires         INTEGER NOT NULL DEFAULT 0
) STRICT;
