-- One record a row, as the JSON that was hashed into the chain. Read a field with json_extract(record, '$.actor').
CREATE TABLE audit (
    seq    INTEGER PRIMARY KEY,
    record TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit is only ever appended to');
END;

CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit is only ever appended to');
END;
