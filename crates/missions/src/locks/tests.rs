//! Locks of runs, and that no order of missions ends in a deadlock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;
use robot::{AgentId, Instant, MissionId};
use safety::leases::{Asked, FencingToken, LeaseTable, LeaseTimes, Owner, Resource, ResourceSet};

use super::{Needed, needed};
use crate::format::front::Hold;
use crate::goals::GoalEnd;
use crate::run::{Run, RunOutcome, RunStart};

fn run(goals: usize) -> Run {
    Run::new(RunStart { id: "run-1".into(), number: 1, start: None }, goals, 0)
}

fn locks(of: &[(&str, Hold)]) -> BTreeMap<String, Hold> {
    of.iter().map(|(part, hold)| ((*part).to_owned(), *hold)).collect()
}

fn set(parts: &[&str]) -> BTreeSet<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}

#[test]
fn ml_27_a_run_needs_its_parts_from_its_first_motion_to_its_end_and_nothing_while_it_asks() {
    let locks = locks(&[("arm-1/body", Hold::Run), ("gate-1/latch", Hold::Command)]);
    let moves = [false, true, false];
    let mut run = run(3);
    let needs = |run: &Run| needed(&locks, &moves, run, 0);
    assert!(needs(&run).is_empty(), "it has not come to its first motion");
    run.end_wait(0, GoalEnd::done(), 1);
    let both = Needed { run: set(&["arm-1/body"]), command: set(&["gate-1/latch"]) };
    assert_eq!(needs(&run), both);
    run.dispatch(2);
    assert_eq!(needs(&run), both);
    run.end_step(1, GoalEnd::done(), 3);
    assert_eq!(needs(&run), Needed { run: set(&["arm-1/body"]), command: BTreeSet::new() });
    let mut asks = run.clone();
    asks.interrupt(true);
    assert!(needs(&asks).is_empty(), "what asks a person holds nothing");
    run.end_wait(2, GoalEnd::done(), 4);
    assert!(!needs(&run).run.is_empty(), "every goal is done, and the run goes on");
    run.end(RunOutcome::Done, 5);
    assert!(needs(&run).is_empty());
}

#[test]
fn ml_27_a_part_around_one_of_the_run_is_had_with_it_and_one_inside_is_had_already() {
    let locks = locks(&[
        ("arm-1/body", Hold::Command),
        ("arm-1/body/arm", Hold::Run),
        ("arm-1/body/arm/tip", Hold::Command),
        ("arm-1/bodywork", Hold::Command),
    ]);
    let needs = needed(&locks, &[true], &run(1), 0);
    assert_eq!((needs.run, needs.command), (set(&["arm-1/body", "arm-1/body/arm"]), set(&["arm-1/bodywork"])));
}

/// A mission of a made-up site: its locks, and the number of its steps, all of which move a robot.
#[derive(Debug, Clone)]
struct Mission {
    locks: BTreeMap<String, Hold>,
    steps: usize,
}

fn mission() -> impl Strategy<Value = Mission> {
    let part = prop::sample::select(vec!["a/b", "a/b/c", "a/b/d", "b/x", "b/y", "c/z"]);
    let hold = prop::sample::select(vec![Hold::Run, Hold::Command]);
    let locks = prop::collection::btree_map(part.prop_map(str::to_owned), hold, 1..4);
    (locks, 1_usize..4).prop_map(|(locks, steps)| Mission { locks, steps })
}

fn resources(parts: &BTreeSet<String>) -> ResourceSet {
    parts.iter().map(|part| Resource::part(part)).collect()
}

fn give_back(table: &mut LeaseTable, tokens: &mut Vec<FencingToken>) {
    for token in tokens.drain(..) {
        table.release(token);
    }
}

/// Asks as a runner does: the parts of the run, then those of the command; what waits for one holds none.
fn take(table: &mut LeaseTable, owner: &Owner, needs: &Needed, now: Instant) -> Option<Vec<FencingToken>> {
    let mut tokens = Vec::new();
    for parts in [&needs.run, &needs.command].into_iter().filter(|parts| !parts.is_empty()) {
        match table.ask(owner.clone(), resources(parts), now, now) {
            Asked::Leased(token) => tokens.push(token),
            Asked::Waits(_) | Asked::Refused(_) => {
                give_back(table, &mut tokens);
                return None;
            }
        }
    }
    Some(tokens)
}

proptest! {
    #[test]
    fn ml_27_whatever_missions_lock_and_in_whatever_order_each_comes_to_its_end(
        missions in prop::collection::vec(mission(), 1..8),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let now = Instant::default();
        let times = LeaseTimes { ttl: Duration::from_secs(3_600), ..LeaseTimes::default() };
        let mut table = LeaseTable::new(times);
        let agent = AgentId::new("main").unwrap();
        let owner = |at: usize| Owner::Mission { agent: agent.clone(), id: MissionId::new(format!("m{at}")).unwrap() };
        let mut runs: Vec<Run> = missions.iter().map(|mission| run(mission.steps)).collect();
        let mut held: Vec<Vec<FencingToken>> = vec![Vec::new(); missions.len()];
        // First the order that was drawn, then everybody in turn: then all of them end.
        let drawn = order.iter().map(|index| index.index(missions.len()));
        let in_turn = (0..missions.len() * missions.len() * 8).map(|at| at % missions.len());
        for at in drawn.chain(in_turn) {
            let (mission, run) = (&missions[at], &mut runs[at]);
            give_back(&mut table, &mut held[at]);
            let needs = needed(&mission.locks, &vec![true; mission.steps], run, 0);
            let Some(tokens) = take(&mut table, &owner(at), &needs, now) else { continue };
            for part in resources(&needs.run).iter().chain(&resources(&needs.command)) {
                prop_assert!(table.taken(&owner(at), part, now).is_none(), "{part} has two users");
            }
            held[at] = tokens;
            if run.dispatch(0) {
                continue;
            }
            let attempt = run.goal().map_or(0, |goal| goal.attempt);
            run.end_step(attempt, GoalEnd::done(), 0);
            if run.current().is_none() {
                run.end(RunOutcome::Done, 0);
                give_back(&mut table, &mut held[at]);
            }
        }
        prop_assert!(runs.iter().all(Run::has_ended), "one of them waits for ever: {runs:?}");
    }
}
