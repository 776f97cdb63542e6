//! Codes that several crates refuse with.

extern crate self as robot;

crate::codes! {
    /// Refusals that are made in more than one crate.
    pub enum SharedCode {
        BadKeyExpression: BadInput,
            "The text is not a Zenoh key expression that may be subscribed to.",
            "Correct it at the column that the message names: chunks between slashes, `*` for one, `**` for any number.";
        InvalidInput: BadInput,
            "The input is not what the operation takes.",
            "Correct the field at `details.path` as the message says.";
        LimitReached: Conflict,
            "There are as many of these as there may be.",
            "Remove one that is no longer needed, then try again; `details.limit` is the number.";
        OutOfRange: BadInput,
            "A number, or the length of a text or list, is outside its range.",
            "Give `details.field` a value from `details.min` to `details.max`.";
    }
}
