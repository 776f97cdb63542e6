-- Robots that nothing but an administrator puts into service again, each with the causes that locked it.
CREATE TABLE lockout (
    robot  TEXT PRIMARY KEY,
    causes TEXT NOT NULL,
    at_ms  INTEGER NOT NULL
) STRICT;

-- Whether somebody asked for the stop; one that the robot's own state asked for ends with that state.
ALTER TABLE latch ADD COLUMN asked INTEGER NOT NULL DEFAULT 1;
