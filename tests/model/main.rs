//! Two stations, each with a person, and one robot between which every message may be lost, doubled or reordered; each
//! station may crash once, and the robot may. Every way this can go is walked, within the bounds of [`scene`].
//!
//! Code that decides is not modelled but called: `safety::judge`, `safety::Fence` and the core of `bridge::robot_gate`.
//! The model adds the people, the wire and the record of events, by which the rest is judged.
#![expect(clippy::unwrap_used, reason = "a model that cannot be built has failed")]

mod robot_side;
mod scene;
mod station_side;

use stateright::{Checker, Expectation, HasDiscoveries, Model};

use scene::{BOTH, Bounds, CIRCLE, Scene, TWO_STOPS};

/// Both cores of the smallest machine this is tested on.
const THREADS: usize = 2;

/// Nothing happens but what a test adds.
const NONE: Bounds = Bounds { claims: 0, commands: 0, stops: 0, strangers: 0, silences: 0, crashes: 0, restarts: 0 };

/// Walks all there is within `bounds`; nothing may break, and each of `reached` must happen somewhere.
fn check(bounds: Bounds, reached: &[&'static str]) {
    let walk =
        Scene::new(bounds).checker().threads(THREADS).finish_when(HasDiscoveries::AnyFailures).spawn_bfs().join();
    println!("{} states within {bounds:?}", walk.unique_state_count());
    for property in walk.model().properties() {
        match property.expectation {
            Expectation::Always | Expectation::Eventually => walk.assert_no_discovery(property.name),
            Expectation::Sometimes if reached.contains(&property.name) => {
                drop(walk.assert_any_discovery(property.name))
            }
            Expectation::Sometimes => {}
        }
    }
}

#[test]
fn a_stopped_robot_moves_again_only_after_its_release() {
    check(Bounds { claims: 2, commands: 2, stops: 1, ..NONE }, &[CIRCLE]);
    check(Bounds { claims: 3, commands: 1, stops: 1, ..NONE }, &[]);
}

#[test]
fn a_release_does_not_cover_the_stop_that_came_meanwhile() {
    check(Bounds { claims: 2, stops: 2, ..NONE }, &[TWO_STOPS]);
}

#[test]
fn a13_a_release_does_not_cover_the_strangers_stop_that_came_meanwhile() {
    check(Bounds { claims: 2, strangers: 2, ..NONE }, &[]);
    check(Bounds { claims: 2, stops: 1, strangers: 1, ..NONE }, &[TWO_STOPS]);
    check(Bounds { claims: 2, commands: 1, strangers: 1, restarts: 1, ..NONE }, &[]);
}

#[test]
fn f20_two_stations_never_command_at_once_even_after_a_silence() {
    check(Bounds { claims: 2, commands: 2, silences: 1, ..NONE }, &[BOTH]);
    check(Bounds { claims: 2, commands: 1, stops: 1, silences: 1, ..NONE }, &[]);
    check(Bounds { claims: 3, commands: 2, silences: 2, ..NONE }, &[BOTH]);
}

#[test]
fn stations_that_crash_forget_stops_and_the_robot_does_not() {
    check(Bounds { claims: 1, commands: 1, stops: 1, crashes: 2, ..NONE }, &[]);
    check(Bounds { claims: 2, commands: 1, stops: 1, crashes: 1, ..NONE }, &[]);
}

#[test]
fn a_robot_that_crashes_forgets_neither_its_epoch_nor_its_latch() {
    check(Bounds { claims: 2, commands: 2, restarts: 1, ..NONE }, &[CIRCLE, BOTH]);
    check(Bounds { claims: 2, commands: 1, stops: 1, restarts: 1, ..NONE }, &[]);
    check(Bounds { claims: 2, commands: 1, restarts: 1, crashes: 1, silences: 1, ..NONE }, &[]);
}
