-- What was said in the rooms that the agent belongs to, as people read it.
CREATE TABLE room_message (
    n       INTEGER PRIMARY KEY,
    room    TEXT NOT NULL,
    station TEXT NOT NULL,
    sender  TEXT NOT NULL,
    hop     INTEGER NOT NULL,
    text    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    waits   INTEGER NOT NULL
) STRICT;
CREATE INDEX room_message_by_room ON room_message (room, n);

-- The newest sequence number of each station in each room, so that none is heard twice.
CREATE TABLE room_seq (
    room    TEXT NOT NULL,
    station TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (room, station)
) STRICT;
