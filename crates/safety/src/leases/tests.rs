use proptest::prelude::*;

use super::*;
use crate::fixtures::tried;

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

fn mission(id: &str) -> Owner {
    Owner::Mission { agent: AgentId::new("main").unwrap(), id: MissionId::new(id).unwrap() }
}

fn parts(names: &[&str]) -> ResourceSet {
    names.iter().map(|name| Resource((*name).to_owned())).collect()
}

/// Asks without waiting.
fn ask(table: &mut LeaseTable, owner: &str, names: &[&str], ms: u64) -> Asked {
    table.ask(mission(owner), parts(names), at(ms), at(ms))
}

fn leased(token: u64) -> Asked {
    Asked::Leased(FencingToken(token))
}

fn taken(by: &str) -> Asked {
    Asked::Refused(LeaseRefused::Taken(mission(by)))
}

#[test]
fn b6_one_owner_at_a_time_and_the_owner_again() {
    let mut table = LeaseTable::default();
    assert_eq!(ask(&mut table, "a", &["arm-1/body/arm"], 0), leased(1));
    assert_eq!(ask(&mut table, "b", &["arm-1/body/arm"], 1), taken("a"));
    assert_eq!(ask(&mut table, "a", &["arm-1/body/arm"], 2), leased(1));
    assert!(!table.release(FencingToken(2)), "b has nothing to release");
    assert_eq!(ask(&mut table, "b", &["arm-1/body/arm"], 3), taken("a"));
    assert!(table.release(FencingToken(1)));
    assert_eq!(ask(&mut table, "b", &["arm-1/body/arm"], 4), leased(2));
}

#[test]
fn a1_a_lease_that_is_not_renewed_is_over_and_the_next_token_is_higher() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1/body/arm"], 0);
    assert_eq!(table.renew(FencingToken(1), at(1_999)), Renewal::Kept);
    assert_eq!(ask(&mut table, "b", &["arm-1/body/arm"], 3_998), taken("a"));
    assert_ne!(table.renew(FencingToken(1), at(3_999)), Renewal::Kept);
    assert_eq!(ask(&mut table, "b", &["arm-1/body/arm"], 3_999), leased(2));
    assert!(!table.release(FencingToken(1)), "an old token ends nothing");
    let arm = Resource("arm-1/body/arm".into());
    assert_eq!(table.taken(&mission("a"), &arm, at(4_000)), Some(&mission("b")));
    assert_eq!(table.taken(&mission("b"), &arm, at(4_000)), None);
}

#[test]
fn a4_a_part_excludes_what_it_is_part_of_and_the_reverse() {
    for (held, asked, free) in [
        ("arm-1/body", "arm-1/body/arm", false),
        ("arm-1/body/arm", "arm-1/body", false),
        ("arm-1", "arm-1/body/arm", false),
        ("arm-1/body/arm", "arm-1/body/gripper", true),
        ("arm-1/body/arm", "arm-1/body/arm-2", true),
        ("arm-1", "arm-10", true),
    ] {
        let mut table = LeaseTable::default();
        ask(&mut table, "a", &[held], 0);
        assert_eq!(ask(&mut table, "b", &[asked], 0) == leased(2), free, "{held} and {asked}");
    }
}

#[test]
fn a3_sets_asked_in_opposite_order_are_served_one_after_the_other() {
    let mut table = LeaseTable::default();
    assert_eq!(ask(&mut table, "a", &["arm-1/arm", "rover-1/base"], 0), leased(1));
    let Asked::Waits(ticket) = table.ask(mission("b"), parts(&["rover-1/base", "arm-1/arm"]), at(900), at(0)) else {
        panic!("b does not wait")
    };
    assert_eq!(table.ask_again(ticket, at(100)), Asked::Waits(ticket));
    assert_eq!(ask(&mut table, "c", &["rover-1/base"], 100), taken("a"));
    table.release(FencingToken(1));
    assert_eq!(ask(&mut table, "c", &["rover-1/base"], 200), taken("b"), "b asked first");
    assert_eq!(table.ask_again(ticket, at(300)), leased(2));
}

#[test]
fn nobody_waits_beyond_the_deadline_or_in_a_queue_that_is_full() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1"], 0);
    let wait = |table: &mut LeaseTable| table.ask(mission("b"), parts(&["arm-1"]), at(60_000), at(0));
    let Asked::Waits(first) = wait(&mut table) else { panic!("b does not wait") };
    for _ in 1..WAITING_MAX {
        assert!(matches!(wait(&mut table), Asked::Waits(_)));
    }
    assert_eq!(wait(&mut table), Asked::Refused(LeaseRefused::QueueFull));
    for ms in (0..5_000).step_by(1_000) {
        assert_eq!(table.renew(FencingToken(1), at(ms)), Renewal::Kept);
    }
    assert_eq!(table.ask_again(first, at(4_999)), Asked::Waits(first));
    assert_eq!(table.ask_again(first, at(5_000)), taken("a"));
    table.expire(at(5_000));
    assert!(table.waiting.is_empty());
}

#[test]
fn who_loses_a_robot_loses_its_parts_and_no_others() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1/body/arm"], 0);
    ask(&mut table, "b", &["arm-1/body/gripper"], 0);
    ask(&mut table, "a", &["rover-1/base"], 0);
    let robot = RobotId::new("arm-1").unwrap();
    assert!(table.revoke(&robot, |owner| *owner == mission("b")));
    let owners: Vec<_> = table.leased(at(0)).into_iter().map(|(part, (owner, _))| format!("{part} {owner}")).collect();
    assert_eq!(owners, ["arm-1/body/gripper mission b", "rover-1/base mission a"]);
    assert!(!table.revoke(&robot, |owner| *owner == mission("b")));
    table.void();
    assert!(table.leased(at(0)).is_empty());
}

#[test]
fn a3_those_who_wait_for_one_part_are_served_in_the_order_in_which_they_asked() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1"], 0);
    let mut wait = |owner: &str| match table.ask(mission(owner), parts(&["arm-1"]), at(1_000), at(0)) {
        Asked::Waits(ticket) => ticket,
        Asked::Leased(_) | Asked::Refused(_) => panic!("{owner} does not wait"),
    };
    let (first, second) = (wait("b"), wait("c"));
    assert_ne!(first, second);
    table.release(FencingToken(1));
    assert_eq!(table.ask_again(second, at(100)), Asked::Waits(second));
    assert_eq!(table.ask_again(first, at(200)), leased(2));
    assert_eq!(table.user(&Resource("arm-1".into()), at(200)), Some((&mission("b"), FencingToken(2))));
    assert_eq!(table.ask_again(second, at(999)), Asked::Waits(second));
    assert_eq!(table.ask_again(second, at(1_000)), taken("b"), "its time is over");
}

#[test]
fn a1_a_lease_is_over_at_its_end_for_everybody_who_looks() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1"], 0);
    let arm = Resource("arm-1".into());
    assert_eq!((table.user(&arm, at(1_999)).is_some(), table.leased(at(1_999)).len()), (true, 1));
    assert_eq!((table.user(&arm, at(2_000)), table.leased(at(2_000)).len()), (None, 0));
    let waits = table.ask(mission("b"), parts(&["arm-1"]), at(3_000), at(1_000));
    let Asked::Waits(ticket) = waits else { panic!("b does not wait") };
    assert_eq!(table.ask_again(ticket, at(1_999)), Asked::Waits(ticket));
    assert_eq!(table.ask_again(ticket, at(2_000)), leased(2));
}

#[test]
fn who_loses_a_robot_waits_no_longer_for_it() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1"], 0);
    ask(&mut table, "a", &["rover-1"], 0);
    let mut wait = |owner: &str, part: &str| match table.ask(mission(owner), parts(&[part]), at(1_000), at(0)) {
        Asked::Waits(ticket) => ticket,
        Asked::Leased(_) | Asked::Refused(_) => panic!("{owner} does not wait"),
    };
    let (lost, kept, elsewhere) = (wait("b", "arm-1"), wait("c", "arm-1"), wait("b", "rover-1"));
    assert!(table.revoke(&RobotId::new("arm-1").unwrap(), |owner| *owner != mission("b") && *owner != mission("a")));
    assert_eq!(table.ask_again(lost, at(1)), Asked::Refused(LeaseRefused::Withdrawn));
    assert_eq!(table.ask_again(kept, at(1)), leased(3));
    assert_eq!(table.ask_again(elsewhere, at(1)), Asked::Waits(elsewhere));
}

#[derive(Debug, Clone)]
enum Event {
    Ask { owner: usize, parts: Vec<usize>, wait_ms: u64 },
    AskAgain(usize),
    Renew(usize),
    Release(usize),
    Pass(u64),
}

const PARTS: [&str; 5] = ["arm-1", "arm-1/body", "arm-1/body/arm", "arm-1/body/gripper", "rover-1/base"];

fn event() -> impl Strategy<Value = Event> {
    let parts = proptest::collection::vec(0..PARTS.len(), 1..3);
    prop_oneof![
        (0..3_usize, parts, 0..3_000_u64).prop_map(|(owner, parts, wait_ms)| Event::Ask { owner, parts, wait_ms }),
        (0..8_usize).prop_map(Event::AskAgain),
        (0..8_usize).prop_map(Event::Renew),
        (0..8_usize).prop_map(Event::Release),
        (0..1_500_u64).prop_map(Event::Pass),
    ]
}

proptest! {
    #![proptest_config(tried(2_000))]

    /// Property 10: one valid token for each part, parts and wholes exclude each other, tokens only rise.
    #[test]
    fn prop_10_one_valid_token_a_part_and_tokens_only_rise(events in proptest::collection::vec(event(), 1..40)) {
        let (mut table, mut now_ms, mut newest) = (LeaseTable::default(), 0, 0);
        let (mut tokens, mut tickets) = (Vec::new(), Vec::new());
        for event in events {
            let asked = match event {
                Event::Ask { owner, parts: chosen, wait_ms } => {
                    let names: Vec<&str> = chosen.iter().map(|part| PARTS[*part]).collect();
                    let owner = mission(&format!("m{owner}"));
                    Some(table.ask(owner, parts(&names), at(now_ms + wait_ms), at(now_ms)))
                }
                Event::AskAgain(n) => tickets.get(n).map(|ticket| table.ask_again(*ticket, at(now_ms))),
                Event::Renew(n) => {
                    tokens.get(n).map(|token| table.renew(*token, at(now_ms)));
                    None
                }
                Event::Release(n) => {
                    tokens.get(n).map(|token| table.release(*token));
                    None
                }
                Event::Pass(ms) => {
                    now_ms += ms;
                    None
                }
            };
            match asked {
                Some(Asked::Leased(token)) if !tokens.contains(&token) => {
                    prop_assert!(token.0 > newest, "{token:?} after {newest}");
                    newest = token.0;
                    tokens.push(token);
                }
                Some(Asked::Waits(ticket)) => tickets.push(ticket),
                Some(Asked::Leased(_) | Asked::Refused(_)) | None => {}
            }
            let leased: Vec<_> = table.leased(at(now_ms)).into_iter().map(|(part, (_, token))| (part, token)).collect();
            for (part, token) in &leased {
                let others = leased.iter().filter(|(_, other)| other != token);
                for (other, _) in others {
                    prop_assert!(!part.excludes(other), "{part} and {other} have two owners");
                }
            }
            prop_assert!(table.waiting.len() <= WAITING_MAX);
        }
    }
}

#[test]
fn a2_who_renews_too_late_learns_that_the_lease_has_expired_and_who_lost_it_that_it_was_ended() {
    let mut table = LeaseTable::default();
    ask(&mut table, "a", &["arm-1"], 0);
    assert_eq!(table.renew(FencingToken(1), at(1_999)), Renewal::Kept);
    assert_eq!(table.renew(FencingToken(1), at(3_999)), Renewal::Expired);
    assert_eq!(ask(&mut table, "b", &["arm-1"], 4_000), leased(2));
    assert_eq!(table.renew(FencingToken(1), at(4_000)), Renewal::Ended);
}
