-- Every test of the stop path; what the robot did not do is null.
CREATE TABLE drill (
    stop_id       INTEGER PRIMARY KEY,
    robot         TEXT NOT NULL,
    by            TEXT NOT NULL,
    at_ms         INTEGER NOT NULL,
    acked_ms      REAL,
    standstill_ms REAL
) STRICT;
