//! Clauses as sentences for people.

/// The clause with a capital letter at its beginning and a full stop at its end; empty if it is.
#[must_use]
pub fn sentence_of(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
