//! Finds texts that repeat what has been said: the message itself, and a question that was asked before, fill no place
//! among what is recalled.

use std::collections::BTreeSet;

/// Of all words of two texts, the share in percent from which on one repeats the other.
const SAME_PERCENT: usize = 75;

/// The texts that have been said, each as its words.
pub(super) struct PastTexts(Vec<BTreeSet<String>>);

impl PastTexts {
    /// Only `text`.
    pub fn with(text: &str) -> Self {
        Self(vec![words(text)])
    }

    /// True if `text` differs from all before it; from now on it has been said.
    pub fn is_new(&mut self, text: &str) -> bool {
        let words = words(text);
        let is_new = !self.0.iter().any(|said| repeats(said, &words));
        if is_new {
            self.0.push(words);
        }
        is_new
    }
}

fn repeats(said: &BTreeSet<String>, words: &BTreeSet<String>) -> bool {
    let (shared, all) = (said.intersection(words).count(), said.union(words).count());
    shared.saturating_mul(100) >= all.saturating_mul(SAME_PERCENT)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l_15_a_question_and_its_repetitions_are_not_recalled_for_it() {
        let mut said = PastTexts::with("Move the arm up 10 cm.");
        let mut check = |text: &str, expected| assert_eq!(said.is_new(text), expected, "{text}");
        check("Move the arm up 10 cm.", false);
        check("move the ARM up 10 cm", false);
        check("please move the arm up 10 cm", false);
        check("The arm stands at its upper limit", true);
        check("the arm stands at its upper limit!", false);
        check("Move the rover to the dock", true);
    }
}
