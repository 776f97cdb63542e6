//! Keys that are not known: the nearest known one, or the reason that there never will be such a key.

use crate::problem::ProblemCode;

/// An unknown key this many edits away from a known one is taken for a slip of the pen.
const SLIP_EDITS_MAX: usize = 2;
/// So is one that starts with the same letters.
const SLIP_START: usize = 4;
/// A name is compared with so many others: those of thousands of missions would take too long.
const COMPARED_MAX: usize = 512;
/// Longer keys are compared with nothing.
const COMPARED_CHARS_MAX: usize = 64;
/// Keys that would grant something.
const FORBIDDEN: [&str; 12] = [
    "role",
    "roles",
    "admin",
    "permissions",
    "allow",
    "mode",
    "tools",
    "unconstrained",
    "supervision",
    "standing_approval",
    "approved_by",
    "status",
];

/// Code, message and help for a key that is not in `known`.
pub(crate) fn refuse(key: &str, known: &[&str]) -> (ProblemCode, String, String) {
    if FORBIDDEN.contains(&key) {
        let message = format!("A mission file cannot grant rights, and `{key}` would.");
        return (ProblemCode::ForbiddenKey, message, "Remove the key; a person decides this in the window.".into());
    }
    let shown: String = key.chars().take(COMPARED_CHARS_MAX).collect();
    let message = format!("There is no key `{shown}` here.");
    let help = match nearest(key, known) {
        Some(nearest) => format!("Did you mean `{nearest}`?"),
        None => format!("Use {}.", one_of(known)),
    };
    (ProblemCode::UnknownKey, message, help)
}

/// The known name that was probably meant.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    if name.chars().count() > COMPARED_CHARS_MAX {
        return None;
    }
    let start: String = name.chars().take(SLIP_START).collect();
    // Shorter beginnings are shared by chance.
    let begins_alike = |known: &str| start.chars().count() == SLIP_START && known.starts_with(&start);
    // Names that differ much in length are more edits apart than that.
    let is_near = |known: &&&str| known.len().abs_diff(name.len()) <= 4 * SLIP_EDITS_MAX || begins_alike(known);
    let compared = known.iter().filter(is_near).take(COMPARED_MAX);
    let edits = compared.map(|known| (strsim::damerau_levenshtein(name, known), *known));
    edits.filter(|(edits, known)| *edits <= SLIP_EDITS_MAX || begins_alike(known)).min().map(|(_, known)| known)
}

/// `a, b or c`, each in quotes.
pub(crate) fn one_of(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".into(),
    }
}
