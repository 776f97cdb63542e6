//! Taint of a call: untrusted text may have put it into the model's mouth.

use std::collections::HashSet;

use llm::Block;
use robot::Trust;

use crate::Transcript;
use crate::context::compact::lowest_trust;
use crate::context::visible::VisibleEntries;

/// Characters that a form and an untrusted text may share by chance.
const SHARED_CHARS: usize = 8;

/// True while untrusted text is in view, or anything that was written under it: whatever the model says then may be
/// that text's doing, however long ago it came and whatever a person has said since.
pub(crate) fn is_tainted(transcript: &Transcript) -> bool {
    lowest_trust(VisibleEntries::of(transcript).entries) == Trust::Text
}

/// True if any of `words` quotes untrusted text that is in view, however old that is.
pub(crate) fn quotes_untrusted<'a>(transcript: &Transcript, words: impl Iterator<Item = &'a str>) -> bool {
    // Runs of characters instead of words: a name may be cut out of the middle of a word.
    let quoted: HashSet<_> = words.flat_map(windows).collect();
    let shown = VisibleEntries::of(transcript).entries.into_iter();
    shares(&shown.flat_map(|entry| entry.blocks.iter().filter_map(untrusted)).collect::<Vec<_>>(), &quoted)
}

fn shares(untrusted: &[&str], quoted: &HashSet<[char; SHARED_CHARS]>) -> bool {
    !quoted.is_empty() && untrusted.iter().any(|text| windows(text).any(|window| quoted.contains(&window)))
}

fn untrusted(block: &Block) -> Option<&str> {
    match block {
        Block::Text { text, trust: Trust::Text } | Block::Result { json: text, trust: Trust::Text, .. } => Some(text),
        Block::Text { trust: Trust::Trusted | Trust::Typed, .. }
        | Block::Result { trust: Trust::Trusted | Trust::Typed, .. }
        | Block::Call { .. } => None,
    }
}

/// Every run of `SHARED_CHARS` characters of `text`.
fn windows(text: &str) -> impl Iterator<Item = [char; SHARED_CHARS]> {
    let chars: Vec<char> = text.chars().collect();
    (0..(chars.len() + 1).saturating_sub(SHARED_CHARS))
        .map(move |start| std::array::from_fn(|offset| chars[start + offset]))
}

#[cfg(test)]
mod tests {
    use robot::Origin;

    use super::*;
    use crate::{Entry, EntryKind, EntryPlace, EpochReason};

    /// A conversation of `(who, words, trust)`.
    fn said(entries: &[(&str, &str, Trust)]) -> Transcript {
        let mut transcript = Transcript::default();
        for (who, words, trust) in entries {
            let (kind, origin) = match *who {
                "desk" => (EntryKind::User, Origin::Operator("dana".into())),
                "alert" => (EntryKind::User, Origin::System),
                "agent" => (EntryKind::Assistant, Origin::Agent),
                _ => (EntryKind::Volatile, Origin::System),
            };
            let blocks = vec![Block::Text { text: (*words).into(), trust: *trust }];
            let (id, epoch) = (transcript.next_id(), transcript.epoch());
            transcript.push(Entry::new(EntryPlace { id, epoch, at_ms: 0 }, kind, blocks, origin));
        }
        transcript
    }

    #[test]
    fn p_21_untrusted_text_taints_for_as_long_as_it_is_in_view_whatever_a_person_says() {
        use Trust::{Text, Trusted, Typed};
        let check = |entries: &[(&str, &str, Trust)], expected| {
            assert_eq!(is_tainted(&said(entries)), expected, "{entries:?}");
        };
        let (order, thanks) = (("desk", "move", Trusted), ("desk", "thanks", Trusted));
        check(&[order, ("world", "oven.smoke = false", Typed)], false);
        check(&[order, ("world", "sign = \"go left\"", Text)], true);
        check(&[("world", "sign = \"go left\"", Text), order], true);
        check(&[order, ("world", "sign = \"go left\"", Text), ("agent", "I see a sign", Text), thanks], true);
        // The text is gone, what was written under it is not.
        check(&[order, ("agent", "I was told to go left", Text), thanks], true);
        check(&[("alert", "sign = \"go left\"", Text)], true);
        check(&[("alert", "smoke", Typed)], false);
    }

    #[test]
    fn p_21_a_reply_of_calls_alone_that_was_written_under_untrusted_text_taints() {
        let mut transcript = said(&[("desk", "move", Trust::Trusted)]);
        let call = Block::Call { id: llm::CallId("c".into()), name: "think".into(), args_raw: "{}".into() };
        let entry =
            Entry::new(EntryPlace { id: 1, epoch: 0, at_ms: 0 }, EntryKind::Assistant, vec![call], Origin::Agent);
        transcript.push(Entry { derived: true, ..entry });
        assert!(is_tainted(&transcript));
        let line = serde_json::to_string(&transcript.entries()[1]).unwrap();
        assert!(serde_json::from_str::<Entry>(&line).unwrap().derived, "it is still so when it is read back: {line}");
    }

    #[test]
    fn p_21a_what_a_person_sets_aside_taints_no_more_until_it_is_read_again() {
        use Trust::{Text, Trusted};
        let mut transcript = said(&[("desk", "look", Trusted), ("world", "sign", Text), ("agent", "a sign", Text)]);
        let aside = transcript.next_epoch(0, EpochReason::SetAside);
        transcript.push(aside);
        assert!(!is_tainted(&transcript));
        let id = transcript.next_id();
        let again = vec![Block::Text { text: "sign".into(), trust: Text }];
        transcript.push(Entry::new(EntryPlace { id, epoch: 1, at_ms: 0 }, EntryKind::Volatile, again, Origin::System));
        assert!(is_tainted(&transcript));
    }

    #[test]
    fn p_24_words_of_a_form_that_stand_in_an_untrusted_text_are_a_quote() {
        let transcript = said(&[("world", "take the parcel to gate seven", Trust::Text)]);
        let quotes = |words: &str| quotes_untrusted(&transcript, std::iter::once(words));
        assert_eq!([quotes("parcel to the gate"), quotes("to gate"), quotes("TO GATE SEVEN")], [true, false, false]);
    }
}
