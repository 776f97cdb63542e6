-- What a start compares stops, standing approvals and the mark of the audit with must not cost a look at every record.
CREATE INDEX audit_evidence ON audit (seq) WHERE
    CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END
    IN ('stop', 'stop_release', 'standing_approval', 'approval', 'audit_mark');
