-- Where records stand by their meaning, as a model for embeddings has placed them: 32-bit floats, little-endian, of length 1.
CREATE TABLE episodic_vector (
    n      INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
-- A place tells of the words it was made from: it goes with them.
CREATE TRIGGER episodic_vector_removed AFTER DELETE ON episodic BEGIN
    DELETE FROM episodic_vector WHERE n = old.n;
END;
CREATE TRIGGER episodic_vector_changed AFTER UPDATE OF content, terms ON episodic BEGIN
    DELETE FROM episodic_vector WHERE n = old.n;
END;
