//! Queries of the search. A query is words and phrases and nothing else: no operator of the search engine reaches it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::fold::{Token, tokens};

/// Terms of a query that are looked for; a text longer than that is searched by its beginning.
pub const TERMS_MAX: usize = 32;

/// The terms that a record must hold: any or all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// At least one.
    #[default]
    Any,
    /// Every one.
    All,
}

/// A word, or words that stand together: folded, with one blank between them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(String);

/// The terms of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
    /// More than [`TERMS_MAX`] terms were given.
    is_cut: bool,
    matching: Match,
}

impl Term {
    /// The term as the search engine takes it: always one quoted string.
    pub(crate) fn quoted(&self) -> String {
        // Folded words hold letters and digits only; there is no quote to escape.
        format!("\"{}\"", self.0)
    }

    /// True if a folded text holds the term as whole words.
    pub(crate) fn is_in(&self, folded: &str) -> bool {
        folded.match_indices(&self.0).any(|(at, found)| {
            // At 0 the index wraps beyond the end: nothing stands before, and a word begins.
            let before = folded.as_bytes().get(at.wrapping_sub(1)).is_none_or(|byte| *byte == b' ');
            before && folded.as_bytes().get(at + found.len()).is_none_or(|byte| *byte == b' ')
        })
    }

    /// True if the tokens from `at` on are this term.
    pub(crate) fn starts_at(&self, tokens: &[Token], at: usize) -> bool {
        let mut rest = tokens[at..].iter();
        self.0.split(' ').all(|word| rest.next().is_some_and(|token| token.term == word))
    }
}

impl Query {
    /// Reads a query; none if nothing to look for is left of it.
    #[must_use]
    pub fn parse(text: &str, matching: Match) -> Option<Self> {
        let mut terms: Vec<Term> = Vec::new();
        let mut parts = text.split('"').peekable();
        let mut is_phrase = false;
        while let Some(part) = parts.next() {
            // A quote that nothing closes is no phrase.
            let found = if is_phrase && parts.peek().is_some() { phrase(part) } else { words(part) };
            for term in found {
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
            is_phrase = !is_phrase;
        }
        let is_cut = terms.len() > TERMS_MAX;
        terms.truncate(TERMS_MAX);
        (!terms.is_empty()).then_some(Self { terms, is_cut, matching })
    }

    /// The terms, in the order of the text.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// True if only the first terms of a longer text are looked for.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The terms that a record must hold: any or all.
    #[must_use]
    pub const fn matching(&self) -> Match {
        self.matching
    }
}

/// The expression of `terms` for the search engine.
pub(crate) fn expression<'a>(terms: impl IntoIterator<Item = &'a Term>, matching: Match) -> String {
    let between = match matching {
        Match::Any => " OR ",
        Match::All => " AND ",
    };
    terms.into_iter().map(Term::quoted).collect::<Vec<_>>().join(between)
}

/// The terms to search by, given in how many records each occurs. A word that is everywhere tells nothing beside a
/// rarer one, and costs most.
pub(crate) fn telling(terms: &[Term], occurrences: &[u64], common_above: u64) -> Vec<Term> {
    let rarer = terms.iter().zip(occurrences).filter(|(_, count)| **count <= common_above);
    let rarer: Vec<Term> = rarer.map(|(term, _)| term.clone()).collect();
    // If every word is common, they are all there is to search by.
    if rarer.is_empty() { terms.to_vec() } else { rarer }
}

fn phrase(text: &str) -> Vec<Term> {
    let words: Vec<String> = tokens(text).into_iter().map(|token| token.term).collect();
    if words.is_empty() { Vec::new() } else { vec![Term(words.join(" "))] }
}

/// Each word is a term; characters of a script without blanks that stand together are one.
fn words(text: &str) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for token in tokens(text) {
        match terms.last_mut() {
            Some(Term(run)) if token.joined => {
                run.push(' ');
                run.push_str(&token.term);
            }
            Some(_) | None => terms.push(Term(token.term)),
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Option<String> {
        Query::parse(text, Match::Any).map(|query| expression(query.terms(), query.matching()))
    }

    #[test]
    fn e2_05_a_query_is_quoted_words_and_phrases() {
        for (text, expected) in [
            ("toddler stairs", Some("\"toddler\" OR \"stairs\"")),
            ("\"near the stairs\" Toddler", Some("\"near the stairs\" OR \"toddler\"")),
            ("front_door", Some("\"front\" OR \"door\"")),
            ("門前 open", Some("\"門 前\" OR \"open\"")),
            ("door door DOOR", Some("\"door\"")),
            ("\"not closed", Some("\"not\" OR \"closed\"")),
            ("\"\" * ^ : ()", None),
            ("", None),
            (
                "a NEAR(b, 2) AND terms:c* - \"d\"x",
                Some("\"a\" OR \"near\" OR \"b\" OR \"2\" OR \"and\" OR \"terms\" OR \"c\" OR \"d\" OR \"x\""),
            ),
        ] {
            assert_eq!(quoted(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn e2_05_a_long_text_is_searched_by_its_first_terms() {
        let text: String = (0..99).map(|number| format!("word{number} ")).collect();
        let query = Query::parse(&text, Match::All).unwrap();
        assert_eq!((query.terms().len(), query.is_cut()), (TERMS_MAX, true));
    }

    #[test]
    fn e2_05_common_words_are_left_out_beside_a_rarer_one() {
        let query = Query::parse("the door key", Match::Any).unwrap();
        for (occurrences, kept) in [
            ([900, 51, 3], "\"key\""),
            ([900, 50, 3], "\"door\" OR \"key\""),
            ([900, 60, 70], "\"the\" OR \"door\" OR \"key\""),
        ] {
            assert_eq!(expression(&telling(query.terms(), &occurrences, 50), Match::Any), kept);
        }
    }

    #[test]
    fn a_term_is_found_as_whole_words_only() {
        let term = |text| phrase(text).remove(0);
        for (text, folded, is_in) in [
            ("near", "it is near", true),
            ("near", "nearer than", false),
            ("is near", "it is near", true),
            ("ear", "near ear", true),
        ] {
            assert_eq!(term(text).is_in(folded), is_in, "{text} in {folded}");
        }
    }

    proptest::proptest! {
        #[test]
        fn e2_05_att_32_whatever_is_typed_is_only_quoted_terms(text in ".{0,120}") {
            for term in Query::parse(&text, Match::Any).iter().flat_map(Query::terms) {
                let quoted = term.quoted();
                let inside = &quoted[1..quoted.len() - 1];
                proptest::prop_assert!(!inside.is_empty());
                proptest::prop_assert!(inside.chars().all(|c| c.is_alphanumeric() || c == ' '), "{quoted}");
            }
        }
    }
}
