//! Hints to the model after a round of tools. They name what is there and prescribe no next step.

use llm::Block;

use crate::Transcript;
use crate::context::mask::query;
use crate::context::visible::VisibleEntries;
use crate::text::cut;

/// Newest texts that the person has heard that the model is reminded of.
const HEARD_MAX: usize = 3;
/// Characters of each.
const HEARD_CHARS: usize = 80;
/// Newest queries that the model is reminded of.
const QUERIES_MAX: usize = 20;

/// That results are there, which tools failed and what the person has heard already.
pub(super) fn results_are_there(failed: &[&str], said: &[String]) -> String {
    let mut lines = vec!["[Tools] The results are above.".to_owned()];
    if !failed.is_empty() {
        lines.push(format!("Failed: {}.", failed.join(", ")));
    }
    let heard = said.iter().rev().take(HEARD_MAX).map(|text| cut(text, HEARD_CHARS));
    let heard: Vec<String> = heard.map(|text| format!("\"{text}\"")).collect();
    if !heard.is_empty() {
        lines.push(format!("The person has heard: {}.", heard.join("; ")));
    }
    lines.join(" ")
}

/// Every query that was made, and that the answer is to come from what they gave; nothing if none was made.
pub(super) fn directive(transcript: &Transcript) -> Option<String> {
    let shown = VisibleEntries::of(transcript);
    let calls = shown.entries.iter().flat_map(|entry| &entry.blocks).filter_map(|block| match block {
        Block::Call { name, args_raw, .. } => Some(format!("- {name}: {}", query(args_raw))),
        Block::Text { .. } | Block::Result { .. } => None,
    });
    let queries: Vec<String> = calls.collect();
    let newest = &queries[queries.len().saturating_sub(QUERIES_MAX)..];
    (!newest.is_empty()).then(|| {
        format!(
            "[Answer now] These searches were made already:\n{}\nAnswer from their results. Search again only for a \
             topic that none of them is about.",
            newest.join("\n")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn b_14_b_15_b_16_the_nudge_names_results_failures_and_what_was_heard() {
        let check = |failed: &[&str], said: &[&str], expected: &str| {
            let said: Vec<String> = said.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(results_are_there(failed, &said), expected);
        };
        check(&[], &[], "[Tools] The results are above.");
        check(&["shell"], &[], "[Tools] The results are above. Failed: shell.");
        check(
            &["shell", "web"],
            &["a", "b", "c", "d"],
            "[Tools] The results are above. Failed: shell, web. The person has heard: \"d\"; \"c\"; \"b\".",
        );
        assert!(results_are_there(&[], &["x".repeat(200)]).chars().count() < 200);
    }

    #[test]
    fn d_07_the_directive_lists_every_query() {
        assert_eq!(directive(&testing::transcript("user hello")), None);
        let told = directive(&testing::transcript("user hello\ncall a b\nresult a\nresult b")).unwrap();
        assert_eq!(told.matches("- look: {}").count(), 2, "{told}");
    }
}
