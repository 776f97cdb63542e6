-- What happened is not edited; but what is forgotten is taken out of the words of what happened.
DROP TRIGGER alarm_event_is_not_edited;
CREATE TRIGGER alarm_event_is_not_edited BEFORE UPDATE OF id, alarm_id, at_ms, kind, by ON alarm_event BEGIN
    SELECT RAISE(ABORT, 'alarm events are only ever appended');
END;
