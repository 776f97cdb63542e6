//! The part of a long text that shows why it was found.

use super::fold::tokens;
use super::query::Term;

/// Characters of a record that a list of hits shows.
pub const EXCERPT_CHARS_MAX: usize = 500;
/// Characters before the match: most of what explains it comes after.
const BEFORE_CHARS: usize = 100;

/// At most [`EXCERPT_CHARS_MAX`] characters of `text` around the first of `terms` in it; `…` marks what is left out.
pub(crate) fn excerpt(text: &str, terms: &[Term]) -> String {
    if text.chars().count() <= EXCERPT_CHARS_MAX {
        return text.to_owned();
    }
    let tokens = tokens(text);
    let is_match = |at: &usize| terms.iter().any(|term| term.starts_at(&tokens, *at));
    let match_at = (0..tokens.len()).find(is_match).map_or(0, |at| tokens[at].range.start);
    let chars_before = text[..match_at].chars().count();
    // The marks take a character each.
    let room = EXCERPT_CHARS_MAX - 2;
    let skipped = chars_before.saturating_sub(BEFORE_CHARS).min(text.chars().count().saturating_sub(room));
    let mut rest = text.chars().skip(skipped);
    let mut shown: String = if skipped > 0 { "…".into() } else { String::new() };
    shown.extend(rest.by_ref().take(room));
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::query::{Match, Query};
    use super::*;

    #[test]
    fn e2_09_a_hit_shows_the_part_that_matches() {
        let query = Query::parse("\"open door\"", Match::Any).unwrap();
        let filling = "ä filling ".repeat(100);
        for (text, start, end) in [
            ("the open door".to_owned(), "the open door", "the open door"),
            (format!("open door {filling}"), "open door ä", "…"),
            (format!("{filling}open door {filling}"), "…", "…"),
            (format!("{filling}open door"), "…", "open door"),
        ] {
            let shown = excerpt(&text, query.terms());
            assert!(shown.contains("open door") && shown.starts_with(start) && shown.ends_with(end), "{shown}");
            assert!(shown.chars().count() <= EXCERPT_CHARS_MAX);
        }
    }
}
