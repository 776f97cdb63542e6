use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use robot::MissionId;

use super::site::{NOW, at, id, sentences, site};
use crate::graph::Standing;
use crate::{Catalog, MissionEnd, Parsed, compile, parse};

/// The problems of a front matter at a site.
fn check_at(catalog: &Catalog, yaml: &str, expected: Expect) {
    expected.assert_eq(&sentences(&at(catalog, &format!("---\n{yaml}\n---\nGo.\n"))));
}

/// A mission that moves `rover-1`.
const MINE: &str = "robots: [rover-1]\ngoals: [{operation: send_command, input: {robot: rover-1, actuator: base, motion: {pose_goal: {position_m: [6, 6, 0], speed_mps: 0.2}}}}]";

#[test]
fn mc_04_two_missions_that_could_want_one_part_at_once_are_told_of_one_another() {
    let other = "---\nrobots: [rover-1]\nresources:\n  - rover-1/body\ngoals: [x]\n---\n";
    let mine = MINE;
    let with = |text: &str, standing| site().with("clean", text, standing);
    check_at(
        &with(other, Standing::Draft),
        mine,
        expect![[r#"
        warning 3:9 resource_conflict goals[0]: This mission and `clean` could both want `rover-1/body/base` at once; one would wait for the other. Let one depend on the other, for example with `depends_on: [clean]`.
          clean 4:5 `clean` locks `rover-1/body` here.
    "#]],
    );
    // An ended mission locks nothing, another robot is none, and an order makes the two safe.
    let ordered = "---\nrobots: [rover-1]\nresources: [rover-1/body]\ndepends_on: [patrol]\n---\n";
    let elsewhere = "---\nrobots: [rover-2]\nresources: [rover-2/body]\n---\n";
    for (text, standing) in [(other, Standing::Completed), (ordered, Standing::Held), (elsewhere, Standing::Running)] {
        assert_eq!(sentences(&at(&with(text, standing), &format!("---\n{mine}\n---\n"))), "", "{text}");
    }
    let after = format!("{mine}\ndepends_on: [clean]");
    assert_eq!(sentences(&at(&with(other, Standing::Draft), &format!("---\n{after}\n---\n"))), "");
}

#[test]
fn mg_05_an_edge_on_a_circle_is_an_error_with_the_places_of_the_other_edges() {
    let circle = site()
        .with("a", "---\ndepends_on:\n  - b\n---\n", Standing::Draft)
        .with("b", "---\ndepends_on: [x, patrol]\n---\n", Standing::Draft)
        .with("x", "Go.", Standing::Completed);
    check_at(
        &circle,
        "depends_on: [x, a]",
        expect![[r#"
        2:17 dependency_cycle depends_on[1]: The mission waits for itself: `patrol` → `a` → `b` → `patrol`. Take one of these edges away.
          a 3:5 `a` names `b` here.
          b 2:17 `b` names `patrol` here.
        warning 2:17 dependency_never_completes depends_on[1]: `a` never completes by itself, so that this mission waits until a person completes it. Give `a` a key `completes_when`, or wait for another mission.
    "#]],
    );
    check_at(
        &circle,
        "depends_on: [patrol]",
        expect![[r#"
        2:14 out_of_range depends_on[0]: A mission cannot depend on itself. Remove its id from `depends_on`.
    "#]],
    );
    check_at(
        &circle,
        "parent: patrol",
        expect![[r#"
        2:9 dependency_cycle parent: The mission waits for itself: `patrol` → `patrol`. Take one of these edges away.
    "#]],
    );
    let part = site().with("part", "---\nparent: patrol\ngoals: [x]\n---\n", Standing::Draft);
    check_at(
        &part,
        "depends_on: [part]\ngoals: [x]",
        expect![[r#"
        2:14 dependency_cycle depends_on[0]: The mission waits for itself: `patrol` → `part` → `patrol`. Take one of these edges away.
          part 2:9 `part` names `patrol` here.
    "#]],
    );
}

#[test]
fn mg_07_parts_of_parts_are_nested_eight_deep_and_no_deeper() {
    let chain = |levels: usize| {
        (0..levels).fold(site(), |site, level| {
            let parent = if level == 0 { String::new() } else { format!("parent: p{}\n", level - 1) };
            site.with(&format!("p{level}"), &format!("---\n{parent}goals: [x]\n---\n"), Standing::Draft)
        })
    };
    assert_eq!(sentences(&at(&chain(8), "---\nparent: p7\n---\n")), "");
    let told = sentences(&at(&chain(9), "---\nparent: p8\n---\n"));
    expect![[r#"
        2:9 too_deep parent: Parts of parts are nested more than 8 deep. Make it a part of a mission further up.
          p8 2:9 `p8` is a part of `p7`.
          p7 2:9 `p7` is a part of `p6`.
          p6 2:9 `p6` is a part of `p5`.
          p5 2:9 `p5` is a part of `p4`.
          p4 2:9 `p4` is a part of `p3`.
          p3 2:9 `p3` is a part of `p2`.
          p2 2:9 `p2` is a part of `p1`.
          p1 2:9 `p1` is a part of `p0`.
    "#]]
    .assert_eq(&told);
    // What hangs below counts too.
    let below = chain(8).with("child", "---\nparent: patrol\n---\n", Standing::Draft);
    assert!(sentences(&at(&below, "---\nparent: p7\n---\n")).contains("2:9 too_deep parent"));
    assert_eq!(sentences(&at(&below, "---\nparent: p6\n---\n")), "");
}

/// A site with a folder of missions, each of which waits for the four before it, and their texts.
fn folder(count: usize) -> (Catalog, Vec<(MissionId, Parsed)>) {
    let text = |n: usize| {
        let before: Vec<String> = (1..=4).filter(|back| *back <= n).map(|back| format!("m{:04}", n - back)).collect();
        format!("---\ndepends_on: [{}]\n---\nGo.\n", before.join(", "))
    };
    let texts: Vec<_> = (0..count).map(|n| (id(&format!("m{n:04}")), parse(text(n).as_bytes()))).collect();
    let mut catalog = site();
    let rows = texts.iter().map(|(id, parsed)| (id.clone(), catalog.mission(parsed, None)));
    catalog.missions = rows.collect::<BTreeMap<_, _>>().into();
    (catalog, texts)
}

#[test]
fn mc_16_the_meaning_of_every_file_of_a_folder_takes_work_in_proportion_to_their_number() {
    let work = |count: usize| {
        let (catalog, texts) = folder(count);
        let all = || texts.iter().for_each(|(id, parsed)| drop(compile(parsed, id, &catalog, NOW)));
        allocation_counter::measure(all).bytes_total
    };
    let (few, many) = (work(100), work(800));
    assert!(many <= 10 * few, "{few} bytes for 100 and {many} for 800");
}

#[test]
fn mg_05_a_text_that_the_site_has_and_the_same_text_beside_it_are_told_of_the_same_circles() {
    let circle = |own: Option<&str>| {
        let site = site().with("a", "---\nparent: patrol\n---\n", Standing::Running).with(
            "b",
            "---\ndepends_on: [a]\n---\n",
            Standing::Failed,
        );
        own.into_iter().fold(site, |site, text| site.with("patrol", text, Standing::Completed))
    };
    for text in ["---\ndepends_on: [a, b]\n---\n", "---\nparent: b\n---\n", "---\nparent: patrol\n---\n"] {
        let told = |own: Option<&str>| sentences(&at(&circle(own), text));
        assert_eq!(told(Some(text)), told(None), "{text}");
        assert_eq!(told(Some("Go.")), told(None), "another text is in force: {text}");
        assert!(told(None).contains("dependency_cycle"), "{}", told(None));
    }
}

#[test]
fn mg_05_a_mission_that_begins_or_rests_gives_no_other_text_another_meaning() {
    let ends =
        [Standing::Draft, Standing::Held, Standing::Begun, Standing::Running, Standing::Paused].map(MissionEnd::of);
    assert_eq!(ends, [None; 5]);
    let done = [Standing::Completed, Standing::Failed, Standing::Cancelled].map(MissionEnd::of);
    assert_eq!(done, [Some(MissionEnd::Completed), Some(MissionEnd::Undone), Some(MissionEnd::Undone)]);
}
