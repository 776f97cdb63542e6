-- Whose a constraint is: robot/<id> or mission/<id>. Beside the body, so that a body that cannot be read still has an owner.
ALTER TABLE constraint_row ADD COLUMN owner TEXT NOT NULL DEFAULT '';

UPDATE constraint_row SET owner = CASE
    WHEN NOT json_valid(body) THEN ''
    WHEN json_extract(body, '$.robot') IS NOT NULL THEN 'robot/' || json_extract(body, '$.robot')
    WHEN json_extract(body, '$.mission') IS NOT NULL THEN 'mission/' || json_extract(body, '$.mission')
    ELSE '' END;

-- The hash over an owner's constraints as they were last saved. The audit has it too.
CREATE TABLE constraint_seal (
    owner TEXT PRIMARY KEY,
    seal  TEXT NOT NULL
) STRICT;

-- What the start reads of the audit must not cost a look at every record.
CREATE INDEX audit_of_constraints ON audit (seq) WHERE
    CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END IN ('constraint_set', 'constraint_seal');

-- Signed ends of the chain; signature over station, seq and hash.
CREATE TABLE audit_anchor (
    seq    INTEGER PRIMARY KEY,
    anchor TEXT NOT NULL
) STRICT;

CREATE TRIGGER anchor_is_not_edited BEFORE UPDATE ON audit_anchor BEGIN
    SELECT RAISE(ABORT, 'anchors are only ever appended');
END;

CREATE TRIGGER anchor_is_not_removed BEFORE DELETE ON audit_anchor BEGIN
    SELECT RAISE(ABORT, 'anchors are only ever appended');
END;
