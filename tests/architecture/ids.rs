//! Ids of turns, proposals, sessions, conversations and jobs have types of their own, so that none is taken for another.

use crate::repository::{Violation, refuse, rust};

/// Names of fields and parameters that hold such an id.
const NAMES: &[&str] = &[
    "conversation",
    "conversation_id",
    "job",
    "job_id",
    "proposal",
    "proposal_id",
    "session",
    "session_id",
    "turn",
    "turn_id",
];

/// Texts that an id is not.
const TEXTS: &[&str] = &["String", "str", "Arc<str>", "Box<str>"];

/// True if the code of a line declares an id as a text, such as `turn: Option<String>`.
fn is_text(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    NAMES.iter().any(|name| {
        let declared = format!("{name}: ");
        line.match_indices(&declared).any(|(at, _)| {
            let kind = line[at + declared.len()..].trim_start_matches("Option<").trim_start_matches('&');
            let kind = kind.strip_prefix("'a ").unwrap_or(kind);
            let ends = |rest: &str| !rest.starts_with(is_part) && !rest.starts_with(':');
            !line[..at].ends_with(is_part) && TEXTS.iter().any(|text| kind.strip_prefix(text).is_some_and(ends))
        })
    })
}

#[test]
fn an_id_is_no_text() {
    let is_code = |path: &str| path.contains("/src/") && !path.ends_with("test_support.rs");
    let sources = rust("crates").into_iter().filter(|source| is_code(&source.path));
    let places = sources.flat_map(|source| source.places(is_text));
    refuse(
        places
            .map(|edge| Violation {
                edge,
                reason: "a text is handed over where another id is wanted, and nobody notices",
                remedy: "take `TurnId`, `ProposalId`, `SessionId`, `ConversationId` or `JobId` of crate `robot`",
            })
            .collect(),
    );
}

#[test]
fn an_id_as_a_text_is_told_from_a_type_a_value_and_another_name() {
    for line in ["    pub turn: Option<String>,", "fn of(session: &str) {", "job_id: String,", "session: &'a str,"] {
        assert!(is_text(line), "{line}");
    }
    for line in ["pub turn: TurnId,", "session: String::new(),", "not_a_turn: String,", "turns: &str", "job: StrayJob,"]
    {
        assert!(!is_text(line), "{line}");
    }
}
