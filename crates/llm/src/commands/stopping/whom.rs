//! Robots that a stop is for. A name counts only where it clearly belongs to the stop; in doubt all robots stop.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::table::{BESIDE, CONJUNCTIONS, LINKS, is_in};
use super::{Clause, StopAsked, WORDS, Word, Words, is_beside};

/// The robots that the clauses of one command ask to stop; none if they ask for no stop.
pub(super) fn whom(clauses: &[Clause]) -> Option<StopAsked> {
    let is_asking = |(at, clause): (usize, &Clause)| clause.asks(at == 0);
    let asking: Vec<bool> = clauses.iter().enumerate().map(is_asking).collect();
    if !asking.contains(&true) {
        return None;
    }
    let others = || clauses.iter().zip(&asking).filter(|(_, asks)| !**asks).map(|(clause, _)| clause);
    let called: Vec<String> =
        others().filter(|clause| clause.only_calls()).flat_map(|clause| clause.named.clone()).collect();
    // A clause that tells of a robot makes it unclear whom the order is for (decision 0099).
    let tells_of_robots = others().any(|clause| !clause.named.is_empty() && !clause.only_calls());
    let shouts = others().any(|clause| clause.only_names() && !clause.only_calls());
    let are_called = !called.is_empty() && !tells_of_robots;
    let asking = || clauses.iter().zip(&asking).filter(|(_, asks)| **asks).map(|(clause, _)| clause);
    let is_about_all = shouts
        || clauses.iter().any(|clause| clause.is_about_all)
        || asking().any(|clause| !clause.means_its_names() || (clause.named.is_empty() && !are_called));
    if is_about_all {
        return Some(StopAsked::All);
    }
    Some(StopAsked::Robots(asking().flat_map(|clause| clause.named.clone()).chain(called).collect()))
}

impl Clause {
    /// True if it does nothing but call robots: `rover-1,` and `the gate:`. The beginning of a name that is shouted
    /// may be what the robots are about to hit.
    fn only_calls(&self) -> bool {
        self.only_names() && (self.is_call || !self.has_begun_name)
    }

    fn only_names(&self) -> bool {
        let is_between = |word: &Word| is_beside(word) || is_in(CONJUNCTIONS, &word.text);
        !self.named.is_empty() && self.words.iter().all(is_between)
    }

    /// True if every robot that it names is one that it asks to stop.
    fn means_its_names(&self) -> bool {
        if self.named.is_empty() {
            return true;
        }
        let orders: Vec<_> = self.orders().collect();
        if orders.is_empty() {
            // A sign, or a script in which the words are not set apart.
            return !self.has_sign || self.words.iter().all(is_beside);
        }
        // Only words that tie a name to the order may stand between them; others may tell of a danger.
        let mut linked = BTreeSet::new();
        for (at, length) in orders {
            let before = self.words[..at].iter().rev().take_while(|word| is_link(word)).count();
            let behind = self.words[at + length..].iter().take_while(|word| is_link(word)).count();
            linked.extend(at - before..at + length + behind);
        }
        let is_meant = |(at, word): (usize, &Word)| linked.contains(&at) || !(word.names || self.has_begun_name);
        self.words.iter().enumerate().all(is_meant) && !self.names_a_stranger(&linked)
    }

    /// True if something that is no robot's name stands where another one is expected: `rover-1 and roover-2`.
    fn names_a_stranger(&self, linked: &BTreeSet<usize>) -> bool {
        let Some(last) = self.words.iter().rposition(|word| word.names) else { return false };
        let is_joined = self.words.get(last + 1).is_some_and(|next| is_in(CONJUNCTIONS, &next.text));
        is_joined && self.words.len() > last + 2 && !linked.contains(&(last + 2))
    }
}

/// Words that may stand between a robot's name and the order.
static LINKED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let spaced = WORDS.iter().filter(|words| !words.language.is_unspaced);
    let phrases = |words: &'static Words| words.requests.iter().chain(&words.all).chain(&words.not_before).flatten();
    spaced.flat_map(|words| words.between.iter().chain(phrases(words))).cloned().collect()
});

fn is_link(word: &Word) -> bool {
    let is_listed = |list| is_in(list, &word.text);
    word.names || [BESIDE, LINKS, CONJUNCTIONS].into_iter().any(is_listed) || LINKED.contains(&word.text)
}
