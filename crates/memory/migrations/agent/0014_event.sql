-- The newest of what happened and needs no answer. Its number orders it among the events of every owner.
CREATE TABLE event (
    seq      INTEGER PRIMARY KEY,
    at_ms    INTEGER NOT NULL,
    code     TEXT NOT NULL,
    sentence TEXT NOT NULL,
    count    INTEGER NOT NULL
) STRICT;
