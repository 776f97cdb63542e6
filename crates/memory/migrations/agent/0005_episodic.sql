CREATE TABLE episodic (
    n          INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    at_ms      INTEGER NOT NULL,
    role       TEXT NOT NULL,
    content    TEXT NOT NULL,
    terms      TEXT NOT NULL,
    origin     TEXT NOT NULL,
    trust      TEXT NOT NULL,
    mission_id TEXT,
    session    TEXT,
    entry      INTEGER,
    cause      TEXT,
    file       TEXT NOT NULL
) STRICT;
CREATE INDEX episodic_at ON episodic (at_ms);
CREATE INDEX episodic_in_file ON episodic (file);

CREATE VIRTUAL TABLE episodic_fts USING fts5 (
    terms, content = 'episodic', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
);
-- What is taken out of the index leaves nothing behind in it.
INSERT INTO episodic_fts (episodic_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER episodic_added AFTER INSERT ON episodic BEGIN
    INSERT INTO episodic_fts (rowid, terms) VALUES (new.n, new.terms);
END;
CREATE TRIGGER episodic_removed AFTER DELETE ON episodic BEGIN
    INSERT INTO episodic_fts (episodic_fts, rowid, terms) VALUES ('delete', old.n, old.terms);
END;
CREATE TRIGGER episodic_changed AFTER UPDATE OF terms ON episodic BEGIN
    INSERT INTO episodic_fts (episodic_fts, rowid, terms) VALUES ('delete', old.n, old.terms);
    INSERT INTO episodic_fts (rowid, terms) VALUES (new.n, new.terms);
END;

CREATE TABLE episodic_file (
    name          TEXT PRIMARY KEY,
    bytes_indexed INTEGER NOT NULL
) STRICT;

CREATE TABLE forget_intent (
    id         TEXT PRIMARY KEY,
    scope      TEXT NOT NULL,
    step       TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;
