//! Recall: the search query before a turn, and the form in which the model reads the hits.

use llm::Block;

use crate::context::visible::VisibleEntries;
use crate::text::{cut, head};
use crate::{EntryKind, Policy, PromptOrder, Transcript, at_edges};

/// Characters of a query.
const QUERY_CHARS_MAX: usize = 500;
const VAULT_TITLE: &str = "[Vault context for this conversation]";
const TITLE: &str = "[Recalled]";

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Source of the hit, for example the name of a note or the time of a record.
    pub source: String,
    /// Its words.
    pub text: String,
}

/// The query for `message`: the newest words of people, without links and tags. Empty if the policy searches nothing.
#[must_use]
pub fn recall_query(policy: &Policy, transcript: &Transcript, message: &str) -> String {
    let count = usize::try_from(policy.prefetch.messages).unwrap_or(usize::MAX);
    let shown = VisibleEntries::of(transcript).entries;
    let earlier = shown.iter().rev().filter(|entry| entry.kind == EntryKind::User).filter_map(|entry| {
        entry.blocks.iter().find_map(|block| match block {
            Block::Text { text, .. } => Some(text.as_str()),
            Block::Call { .. } | Block::Result { .. } => None,
        })
    });
    // The newest comes first, so that a cut takes the oldest; the message itself may be an entry already.
    let texts = std::iter::once(message).chain(earlier.filter(|text| !text.ends_with(message))).take(count);
    let words: Vec<String> = texts.map(plain).collect();
    head(words.join(" ").trim(), QUERY_CHARS_MAX).to_owned()
}

/// Hits as the model reads them; none if there are none. The same words are shown once.
#[must_use]
pub fn recalled(policy: &Policy, mut hits: Vec<Hit>) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    hits.retain(|hit| seen.insert(hit.text.trim().to_owned()));
    hits.truncate(usize::try_from(policy.prefetch.hits).unwrap_or(usize::MAX));
    let chars = usize::try_from(policy.prefetch.hit_chars).unwrap_or(usize::MAX);
    let lines: Vec<String> =
        at_edges(hits).iter().map(|hit| format!("- {}: {}", hit.source, cut(&hit.text, chars))).collect();
    let title = match policy.prompt.order {
        PromptOrder::Vault => VAULT_TITLE,
        PromptOrder::Companion | PromptOrder::Investigator | PromptOrder::Chat | PromptOrder::Operator => TITLE,
    };
    (!lines.is_empty()).then(|| format!("{title}\n{}", lines.join("\n")))
}

/// Without addresses, tags and the envelope that the words came in.
fn plain(text: &str) -> String {
    let is_word = |word: &&str| !word.contains("://") && !word.starts_with('#') && !word.starts_with('<');
    let text = match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, words)) => words,
        None => text,
    };
    text.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::testing::transcript;

    #[test]
    fn d_02_t_11_s_35_the_query_is_the_newest_words_of_people() {
        let said =
            transcript("user [Desk (@dana, Operator) now] first\nreply no\nuser second https://x.y #tag\nuser third");
        let check = |preset, expected: &str| {
            assert_eq!(recall_query(&Policy::preset(preset), &said, "third"), expected, "{preset:?}");
        };
        check(Preset::Vault, "third second first");
        check(Preset::Chat, "third second first");
        check(Preset::Operator, "third");
        check(Preset::Companion, "");
        check(Preset::Investigator, "");
        let long = recall_query(&Policy::operator(), &said, &"ä".repeat(900));
        assert_eq!(long.chars().count(), 500);
    }

    #[test]
    fn d_02_t_11_s_35_hits_are_few_short_and_shown_once() {
        let hit = |source: &str, text: &str| Hit { source: source.into(), text: text.into() };
        let hits: Vec<Hit> =
            (0..8).map(|number| hit(&format!("n{number}"), &format!("{number}{}", "x".repeat(400)))).collect();
        let text = recalled(&Policy::preset(Preset::Vault), hits).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.len()), ("[Vault context for this conversation]", 6));
        assert!(lines[1].starts_with("- n0: 0x") && lines[5].starts_with("- n1: 1x"), "the best stand at the edges");
        assert_eq!(lines[1].chars().count(), "- n0: ".len() + 301);
        let twice = recalled(&Policy::operator(), vec![hit("a", "same"), hit("b", "same ")]).unwrap();
        assert_eq!(twice, "[Recalled]\n- a: same");
        assert_eq!(recalled(&Policy::operator(), Vec::new()), None);
        assert_eq!(recalled(&Policy::preset(Preset::Investigator), vec![hit("a", "b")]), None);
    }
}
