CREATE TABLE secret (
    name   TEXT PRIMARY KEY,
    last4  TEXT NOT NULL,
    set_ms INTEGER NOT NULL
) STRICT;
