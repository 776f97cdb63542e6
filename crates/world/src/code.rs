//! Codes of refusals of rules, contexts and alarms.

robot::codes! {
    /// Refusals of the world.
    pub enum WorldCode {
        AlarmChanged: Conflict,
            "Some of the alarms changed after they were shown.",
            "Ask for the list again, look at the alarms in `details.changed`, and repeat the call with the new `seq`.";
        AlarmNotFound: NotFound,
            "There is no alarm with this id.",
            "Take the id from `list_alarms`.";
        AlertNotFound: NotFound,
            "There is no alert rule with this id.",
            "Take the id from `list_alerts`.";
        BadPath: BadInput,
            "The text is not a path into a message.",
            "Write field names with dots and indices in brackets, for example `boxes[0].label`.";
        BadPredicate: BadInput,
            "The text is not a predicate.",
            "Correct it at `details.column`; `details.expected` says what may stand there.";
        BadTemplate: BadInput,
            "The text is not a template of keys.",
            "Write key parts joined by dots, with field paths in braces, for example `{label}.location`.";
        ContextNotFound: NotFound,
            "There is no context with this id.",
            "Take the id from `list_contexts`.";
        DuplicateAlert: Conflict,
            "The mission already has this rule.",
            "Use the rule in `details.id`, or change what the new one watches.";
        DuplicateContext: Conflict,
            "There is a context with the same settings already.",
            "Use the context in `details.existing`, or change the settings of the new one.";
        IncompleteAlarm: BadInput,
            "An alarm lacks something that every alarm needs.",
            "Add the fields in `details.missing`.";
        NotShelvable: Conflict,
            "This alarm is never hidden.",
            "Acknowledge it, and remove its cause.";
        StillActive: Conflict,
            "The alarm's condition still holds, or nobody has acknowledged it.",
            "Acknowledge the alarm, and try again when its condition is gone.";
    }
}
