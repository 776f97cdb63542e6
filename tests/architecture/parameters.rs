//! Parameters that are packed into a tuple only to be fewer: what belongs together is a struct with a name, what does not
//! is a parameter each.

use crate::repository::{Violation, refuse, rust};

/// True if the code of a line begins a parameter such as `(from, to): (Phase, Phase)`.
fn packs(line: &str) -> bool {
    let line = line.trim();
    let is_parameter = line.starts_with('(') || line.contains("fn ");
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_parameter
        && line.match_indices("): (").any(|(end, _)| {
            let begin = line[..end].rfind('(').map_or(0, |at| at + 1);
            line[begin..end].contains(", ") && line[begin..end].split(", ").all(is_name)
        })
}

#[test]
fn no_parameter_is_packed_into_a_tuple() {
    let is_code = |path: &str| path.contains("/src/") && !path.contains("/tests") && !path.ends_with("test_support.rs");
    let sources = rust("crates").into_iter().filter(|source| is_code(&source.path));
    let places = sources.flat_map(|source| source.places(packs));
    refuse(
        places
            .map(|edge| Violation {
                edge,
                reason: "a tuple has no name: a caller cannot tell what it gives, and a reader not what belongs together",
                remedy: "make each a parameter if there are five at most, else a struct",
            })
            .collect(),
    );
}

#[test]
fn a_packed_parameter_is_told_from_a_return_and_a_local() {
    for line in ["fn a(x: u8, (from, to): (Phase, Phase)) {", "        (id, version): (&str, u64),"] {
        assert!(packs(line), "{line}");
    }
    for line in ["let (a, b): (u8, u8) = c;", "fn a() -> (u8, u8) {", "fn a(pair: (u8, u8)) {", "|(a, b): (u8, u8)| a"]
    {
        assert!(!packs(line), "{line}");
    }
}
