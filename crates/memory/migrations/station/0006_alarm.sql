-- The alarms of the station itself; those of an agent are in its own database, in the same form.
CREATE TABLE alarm (
    id               TEXT PRIMARY KEY,
    source           TEXT NOT NULL UNIQUE,
    priority         INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 4),
    state            TEXT NOT NULL,
    definition       TEXT NOT NULL,
    raised_ms        INTEGER,
    returned_ms      INTEGER,
    count            INTEGER NOT NULL,
    acked_by         TEXT,
    acked_ms         INTEGER,
    shelved_until_ms INTEGER,
    out_of_service   TEXT,
    seq              INTEGER NOT NULL
) STRICT;

CREATE TABLE alarm_event (
    id       TEXT PRIMARY KEY,
    alarm_id TEXT NOT NULL,
    at_ms    INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    by       TEXT,
    detail   TEXT
) STRICT;

CREATE INDEX alarm_event_of ON alarm_event (alarm_id, at_ms);
CREATE INDEX alarm_event_at ON alarm_event (at_ms);

CREATE TRIGGER alarm_event_is_not_edited BEFORE UPDATE ON alarm_event BEGIN
    SELECT RAISE(ABORT, 'alarm events are only ever appended');
END;
