use std::panic::{AssertUnwindSafe, catch_unwind};

use robot::MissionId;
use tokio_util::sync::CancellationToken;

use super::*;

fn resources() -> Resources {
    let clock = Clock::start();
    Resources::new(LeaseTimes::default(), clock, Arc::new(EventBus::new(clock, CancellationToken::new())))
}

fn mission(id: &str) -> Owner {
    Owner::Mission { agent: robot::AgentId::new("main").unwrap(), id: MissionId::new(id).unwrap() }
}

fn base(robot: &str) -> Resource {
    let text = include_str!("../../../../sim/manifests/rover-1.toml");
    let manifest = robot::Manifest::parse(text, "rover-1").unwrap();
    Resource::actuator(&RobotId::new(robot).unwrap(), &manifest.actuators[0])
}

fn bases(robots: &[&str]) -> ResourceSet {
    robots.iter().map(|robot| base(robot)).collect()
}

fn owner(resources: &Resources, robot: &str) -> Option<Owner> {
    resources.user(&base(robot)).unwrap().map(|(owner, _)| owner)
}

#[test]
fn b6_the_same_owner_gets_the_same_lease_and_the_last_guard_ends_it() {
    let resources = resources();
    let now = Duration::ZERO;
    let first = resources.acquire(&mission("a"), &bases(&["rover-1"]), now).unwrap();
    let refused = resources.acquire(&mission("b"), &bases(&["rover-1"]), now).unwrap_err();
    assert_eq!(refused, Unleased::Refused(LeaseRefused::Taken(mission("a"))));
    let again = resources.acquire(&mission("a"), &bases(&["rover-1"]), now).unwrap();
    assert_eq!(again.0.token, first.0.token);
    drop(first);
    assert_eq!(owner(&resources, "rover-1"), Some(mission("a")));
    drop(again);
    assert_eq!(owner(&resources, "rover-1"), None);
    let next = resources.acquire(&mission("b"), &bases(&["rover-1"]), now).unwrap();
    assert!(next.0.token > FencingToken(1));
}

#[test]
fn a3_two_missions_that_ask_in_opposite_order_both_get_their_turn() {
    /// Enough for the threads to meet in every order on two cores.
    const ROUNDS: usize = 50;
    let resources = resources();
    std::thread::scope(|scope| {
        for (who, robots) in [("a", ["rover-1", "rover-2"]), ("b", ["rover-2", "rover-1"])] {
            let resources = &resources;
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let guard = resources.acquire(&mission(who), &bases(&robots), Duration::from_secs(5)).unwrap();
                    assert_eq!(guard.renew(), Renewal::Kept);
                    assert_eq!(owner(resources, "rover-1"), Some(mission(who)));
                    assert_eq!(owner(resources, "rover-2"), Some(mission(who)));
                }
            });
        }
    });
}

#[test]
fn a3_who_waits_gives_up_at_the_deadline() {
    let resources = resources();
    let _held = resources.acquire(&mission("a"), &bases(&["rover-1"]), Duration::ZERO).unwrap();
    let refused = resources.acquire(&mission("b"), &bases(&["rover-1"]), Duration::from_millis(30)).unwrap_err();
    assert!(matches!(refused, Unleased::Refused(_)));
}

#[test]
fn a10_after_a_panic_under_the_lock_nothing_is_free_and_nothing_panics_again() {
    let resources = resources();
    let guard = resources.acquire(&mission("a"), &bases(&["rover-1"]), Duration::ZERO).unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _held = resources.shared.lock();
        panic!("a holder fails");
    }));
    assert!(panicked.is_err());
    let refused = resources.acquire(&mission("b"), &bases(&["rover-2"]), Duration::ZERO).unwrap_err();
    assert_eq!(refused, Unleased::LockPoisoned);
    assert_eq!(resources.taken(&mission("b"), &base("rover-2")), Err(Unleased::LockPoisoned));
    assert_eq!(resources.user(&base("rover-2")), Err(Unleased::LockPoisoned));
    assert_eq!(guard.renew(), Renewal::Expired);
    drop(guard);
}

#[test]
fn a_revoked_lease_is_renewed_by_nobody() {
    let resources = resources();
    let guard = resources.acquire(&mission("a"), &bases(&["rover-1"]), Duration::ZERO).unwrap();
    let robot = RobotId::new("rover-1").unwrap();
    assert_eq!(resources.revoke(&robot, |_| true), Ok(false));
    assert_eq!(resources.revoke(&robot, |_| false), Ok(true));
    assert_eq!(guard.renew(), Renewal::Ended);
    let other = resources.acquire(&mission("b"), &bases(&["rover-1"]), Duration::ZERO).unwrap();
    drop(guard);
    assert_eq!(other.renew(), Renewal::Kept, "the old guard ends no lease but its own");
}
