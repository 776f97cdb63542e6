CREATE TABLE belief (
    id                  TEXT PRIMARY KEY,
    subject             TEXT NOT NULL,
    predicate           TEXT NOT NULL,
    value               TEXT NOT NULL,
    kind                TEXT NOT NULL,
    kind_params         TEXT,
    confidence          REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    anchor_ms           INTEGER NOT NULL,
    half_life_ms        INTEGER NOT NULL CHECK (half_life_ms > 0),
    pinned_until_ms     INTEGER,
    source              TEXT,
    trust               TEXT NOT NULL,
    confirmed_by        TEXT NOT NULL,
    observes            TEXT,
    first_observed_ms   INTEGER NOT NULL,
    last_confirmed_ms   INTEGER NOT NULL,
    confirmation_count  INTEGER NOT NULL,
    contradiction_count INTEGER NOT NULL,
    challenged          TEXT,
    notes               TEXT,
    UNIQUE (subject, predicate)
) STRICT;

CREATE INDEX belief_observes ON belief (observes);

CREATE TABLE belief_history (
    id                TEXT PRIMARY KEY,
    belief_id         TEXT NOT NULL REFERENCES belief (id) ON DELETE CASCADE,
    at_ms             INTEGER NOT NULL,
    kind              TEXT NOT NULL,
    value             TEXT NOT NULL,
    confidence_before REAL,
    confidence_after  REAL,
    by                TEXT NOT NULL,
    evidence          TEXT
) STRICT;

CREATE INDEX belief_history_of ON belief_history (belief_id, at_ms);
