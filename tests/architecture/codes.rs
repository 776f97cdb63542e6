//! Codes of refusals: each is made somewhere, says what it means and what to do, and stands in the document.

use std::collections::BTreeSet;
use std::fmt::Debug;

use agent_runner::AgentCode;
use api::HostCode;
use api::generated::errors::{codes, markdown, typescript};
use bridge::BridgeCode;
use fleet::FleetCode;
use missions::MissionCode;
use robot::SharedCode;
use runtime::error::RuntimeCode;
use safety::SafetyCode;
use sensing::SensingCode;
use station::StationCode;
use world::WorldCode;

use crate::repository::{Violation, crates_but, has_word, read, refuse};

/// Every code as the program names it, for example `StationCode::Busy`.
fn known() -> Vec<String> {
    fn of(table: &str, all: &[impl Debug]) -> Vec<String> {
        all.iter().map(|code| format!("{table}::{code:?}")).collect()
    }
    [
        of("SharedCode", SharedCode::ALL),
        of("WorldCode", WorldCode::ALL),
        of("SafetyCode", SafetyCode::ALL),
        of("MissionCode", MissionCode::ALL),
        of("BridgeCode", BridgeCode::ALL),
        of("RuntimeCode", RuntimeCode::ALL),
        of("SensingCode", SensingCode::ALL),
        of("FleetCode", FleetCode::ALL),
        of("AgentCode", AgentCode::ALL),
        of("StationCode", StationCode::ALL),
        of("HostCode", HostCode::ALL),
    ]
    .concat()
}

#[test]
fn every_code_is_one_that_something_refuses_with() {
    let known = known();
    assert_eq!(known.len(), codes().len(), "a table of codes is missing here or in `api::generated::errors`");
    let sources = crates_but(&[]);
    let unused = known
        .into_iter()
        .filter(|name| !sources.iter().any(|source| source.code().any(|(_, line)| has_word(line, name))));
    refuse(
        unused
            .map(|edge| Violation {
                edge,
                reason: "docs/errors.md tells of a refusal that never comes",
                remedy: "take its row out of the table",
            })
            .collect(),
    );
}

#[test]
fn a_code_is_made_by_its_table_only() {
    let sources = crates_but(&[]);
    let others = sources.iter().filter(|source| source.path != "crates/robot/src/refusal.rs");
    let places = others.flat_map(|source| source.places(|line| line.contains("Code::of_row(")));
    refuse(
        places
            .map(|edge| Violation {
                edge,
                reason: "a code outside the tables has no meaning, no remedy and no line in docs/errors.md",
                remedy: "add a row to the table of the crate, and use its variant",
            })
            .collect(),
    );
}

#[test]
fn every_code_says_in_one_sentence_what_is_the_case_and_what_to_do() {
    let mut rows = BTreeSet::new();
    for code in codes() {
        let row = code.row();
        for sentence in [row.meaning, row.remedy] {
            let is_sentence = sentence.starts_with(char::is_uppercase) && sentence.ends_with('.');
            assert!(is_sentence && !sentence.contains('|'), "{code}: {sentence}");
        }
        assert!(rows.insert(format!("{code} {:?}", code.kind())), "{code} stands in the tables twice with one status");
    }
}

#[test]
fn the_document_and_the_type_of_the_codes_are_those_of_the_tables() {
    let remedy = "run `cargo xtask gen`";
    assert!(read("docs/errors.md") == markdown(), "docs/errors.md is not what the tables say: {remedy}");
    assert!(
        read("ui/src/generated/error-codes.ts") == typescript(),
        "error-codes.ts is not what the tables say: {remedy}"
    );
}
