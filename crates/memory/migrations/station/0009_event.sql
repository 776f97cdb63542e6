-- The newest of what happened at the station itself and needs no answer; that of an agent is in its own database, in the
-- same form.
CREATE TABLE event (
    seq      INTEGER PRIMARY KEY,
    at_ms    INTEGER NOT NULL,
    code     TEXT NOT NULL,
    sentence TEXT NOT NULL,
    count    INTEGER NOT NULL
) STRICT;
