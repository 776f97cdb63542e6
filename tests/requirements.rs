//! The requirements of world state, alerts, alarms, memory, the turn loop, providers and missions that this version keeps. Each is carried by at least one
//! test whose name starts with its id, for example `ws_09_…`; one that loses its test fails here.

mod names;

use std::collections::BTreeSet;

/// Area and numbers: world state, predicates, rules, alarms, prompt block, episodes, beliefs, jobs, proposals and notes,
/// isolation, operations, storage, bounds of cost, cases.
/// Of the turn loop: companion, vault, investigator, chat, settings, epochs, loop, permission, steering and crashes, cost,
/// autonomy, channels, commands, view, invariants. Of providers: `w` in general and `wa` to `wu`. Of missions: their life,
/// files and graph. Of security: the attacks; 15 stands for robots' own keys, since this profile has no certificates.
const KEPT: &[(&str, &str)] = &[
    (
        "ws",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 40 41 42 43 44 45 46 47 48 49 50 51 52",
    ),
    ("q", "01 02 03 04 05 06 07 08 09 10 11 12"),
    ("r", "01 02 03 04 05 06 07 08 09 10 11 12 13"),
    ("al", "01 02 03 04 05 06 07 08 09 10 11 12 13 14"),
    ("pb", "01 02 03 04 05"),
    ("e2", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16"),
    ("bl", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16"),
    ("j", "01 02 03 04 05 06 07 08 09 10 11 12 13"),
    ("pn", "01 02 03 04 05 06"),
    ("is", "01 02 03"),
    ("op", "01 02 03 04"),
    ("st", "01 02 03 04 05 06 07 08"),
    ("pf", "01 03"),
    ("cw", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"),
    (
        "b",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41",
    ),
    ("d", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21"),
    (
        "h",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37",
    ),
    (
        "t",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39",
    ),
    (
        "s",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55",
    ),
    ("e", "01 02 03 04 05 06 07 08 09"),
    ("l", "01 02 03 04 05 10 11 12 13 14 15 16 17 20 21 22 23 24 25 26 27 28 29 30 31"),
    ("p", "01 02 03 04 10 11 12 13 14 15 16 17 20 21 21a 22 23 24"),
    ("x", "01 02 03 04 10 11 12"),
    ("k", "01 02 03 04"),
    ("a", "01 02 03 04 05 06 07 08 09"),
    ("c", "01 02 03 04 05 06"),
    ("m", "01 02 03 04 05 06 07 08 09 10"),
    ("v", "01 02 03 04 05 06 07"),
    ("i", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20"),
    ("w", "01 02 03 04 05 06"),
    ("wa", "01 02 03 04 05 06 07 08 09 10 11 12 13"),
    ("wb", "01 02 03 04 05 06 07"),
    ("wc", "01 02 03 04 05 06 07"),
    ("we", "01 02 03 04 05"),
    ("wg", "01 02 03 04 05 06"),
    ("wp", "01 02 03 04 05 06 07"),
    ("wr", "01 02 03"),
    ("wt", "01 02 03 04 05 06 07"),
    ("wu", "01 02 03 04 05"),
    ("ml", "01 02 03 08 09 10 11 13 15 21 22 25 28 31"),
    ("mi", "01 04 05 07 08 15 16"),
    ("mg", "03"),
    (
        "att",
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36",
    ),
];

#[test]
fn every_requirement_has_a_test_that_carries_its_id() {
    let carried: BTreeSet<String> = names::tests().iter().flat_map(|name| names::ids(name)).collect();
    let kept: Vec<String> = KEPT
        .iter()
        .flat_map(|(area, numbers)| numbers.split_whitespace().map(move |number| format!("{area}_{number}")))
        .collect();
    assert_eq!(kept.iter().collect::<BTreeSet<_>>().len(), kept.len(), "a requirement is listed twice");
    let missing: Vec<_> = kept.iter().filter(|id| !carried.contains(*id)).collect();
    assert!(missing.is_empty(), "no test carries {missing:?}");
}
