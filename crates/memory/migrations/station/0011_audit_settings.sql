-- The configuration that was accepted last is looked for at each start.
CREATE INDEX audit_settings ON audit (seq) WHERE
    CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END = 'settings';
