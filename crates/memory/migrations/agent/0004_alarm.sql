-- A rule row outlives its rule by a day: `removed_ms` is when it went, and a rule that is registered anew goes on with
-- its debounce and its quota.
ALTER TABLE alert ADD COLUMN mission_id TEXT;
ALTER TABLE alert ADD COLUMN predicate TEXT NOT NULL DEFAULT '';
ALTER TABLE alert ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE alert ADD COLUMN state TEXT NOT NULL DEFAULT 'running';
ALTER TABLE alert ADD COLUMN suppressed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert ADD COLUMN wakes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE alert ADD COLUMN removed_ms INTEGER;

UPDATE alert SET mission_id = json_extract(config, '$.mission_id'), predicate = json_extract(config, '$.predicate')
WHERE json_valid(config);

CREATE UNIQUE INDEX alert_watched ON alert (coalesce(mission_id, ''), predicate) WHERE removed_ms IS NULL;

CREATE TABLE alert_fire (
    id       TEXT PRIMARY KEY,
    alert_id TEXT NOT NULL,
    at_ms    INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    facts    TEXT NOT NULL,
    episode  TEXT,
    turn     TEXT
) STRICT;

CREATE INDEX alert_fire_of ON alert_fire (alert_id, at_ms);
CREATE INDEX alert_fire_at ON alert_fire (at_ms);

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
