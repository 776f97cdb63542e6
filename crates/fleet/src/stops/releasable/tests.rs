use memory::OpenStop;

use super::*;

fn robot(id: &str) -> RobotId {
    RobotId::new(id).unwrap()
}

fn stop(stop_id: u64, robots: &[&str]) -> OpenStop {
    OpenStop {
        stop_id,
        by: "dana".into(),
        asked: true,
        reason: None,
        reason_kind: None,
        at_ms: 5,
        robots: robots.iter().copied().map(robot).collect(),
        released: BTreeSet::new(),
    }
}

/// The refusal of a release of `named` for `robots` while `open` is open; none if it begins.
fn refusal(open: &[OpenStop], named: &[u64], robots: &[&str]) -> Option<String> {
    let (stops, named) = (Stops::new(9, open.to_vec()), named.iter().copied().collect());
    let robots: Vec<RobotId> = robots.iter().copied().map(robot).collect();
    stops.begin_release(&named, &robots).err().map(|error| error.code.to_string())
}

#[test]
fn a_release_names_exactly_the_stops_that_bind_its_robots() {
    let open = [stop(1, &["arm-1", "rover-1"]), stop(2, &["rover-1"]), stop(3, &[])];
    for (named, robots) in [(vec![1, 2], vec!["rover-1"]), (vec![1], vec!["arm-1"]), (vec![3], vec![])] {
        assert_eq!(refusal(&open, &named, &robots), None, "{named:?} {robots:?}");
    }
    for (named, robots) in [
        (vec![1], vec!["rover-1"]),
        (vec![2], vec!["rover-1"]),
        (vec![1, 2], vec!["arm-1"]),
        (vec![1, 2, 3], vec!["rover-1"]),
        (vec![], vec!["rover-1"]),
        (vec![], vec!["gate-1"]),
        (vec![3], vec!["gate-1"]),
        (vec![1], vec![]),
        (vec![], vec![]),
    ] {
        assert_eq!(refusal(&open, &named, &robots).as_deref(), Some("stop_set_changed"), "{named:?} {robots:?}");
    }
}

#[test]
fn a_release_without_a_robot_ends_no_stop_that_binds_one() {
    let open = [stop(1, &["arm-1"])];
    assert_eq!(refusal(&open, &[1], &[]).as_deref(), Some("nothing_to_release"));
    assert_eq!(refusal(&open, &[], &["gate-1"]).as_deref(), Some("stop_set_changed"));
}
