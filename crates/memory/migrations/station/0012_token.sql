-- Tokens with which people and programs sign in. Of the secret part only its hash is here.
CREATE TABLE token (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL,
    label      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    role       TEXT NOT NULL,
    only_stops INTEGER NOT NULL,
    made_by    TEXT NOT NULL,
    made_ms    INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;
