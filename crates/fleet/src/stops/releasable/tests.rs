use memory::OpenStop;

use super::*;
use crate::test_support::Rig;
use bridge::envelope::OpenStop as GateStop;
use safety::Fresh;

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

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_nobody_known_has_signed_is_released_by_an_administrator_alone() {
    let rig = Rig::start_with_gate().await;
    let refusal = |role| {
        let by = Session::program("program", role);
        check_strangers(&rig.fleet, &rig.unit, &by).err().map(|error| error.code.to_string())
    };
    let held = |by: &[StoppedBy]| {
        let stops = by.iter().map(|by| GateStop { by: by.clone(), stop_id: 7 });
        rig.unit.control().beats.gate_stops = stops.collect();
    };
    held(&[StoppedBy::Restart, StoppedBy::Station(rig.fleet.runtime.id.clone())]);
    assert_eq!((refusal(Role::Operator), refusal(Role::Admin)), (None, None));
    held(&[StoppedBy::Restart, StoppedBy::Stranger]);
    assert_eq!((refusal(Role::Operator).as_deref(), refusal(Role::Admin)), (Some("strangers_stop"), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_is_released_once_it_is_known_to_stand_still() {
    let force = ("goal_jump_m_max = 1.0", "goal_jump_m_max = 1.0, force_n_max = 60.0");
    let pose = "state = [{ kind = \"pose\", key = \"lab/gate-1/out/state/pose\", codec = \"json\", max_age_ms = 500 }]";
    let rig = Rig::start_patient(&[("\"switch\"", "\"gripper\""), force, ("state = []", pose)]).await;
    let refusal = |speed_mps: Option<f64>| {
        let measured = speed_mps.map(|value| safety::Measured { value, observed: rig.now() });
        rig.unit.control().beats.speed_mps = measured.into();
        crate::stops::check_still(&rig.fleet, &rig.unit).err().map(|error| error.code.to_string())
    };
    assert_eq!(refusal(None).as_deref(), Some("no_motion_data"));
    assert_eq!(refusal(Some(0.02)).as_deref(), Some("not_standing_still"));
    assert_eq!(refusal(Some(0.01)), None);
    rig.unit.control().beats.stands = Fresh::at(false, rig.now());
    assert_eq!(refusal(Some(0.0)).as_deref(), Some("not_standing_still"), "its gate sees it turn in place");
    rig.unit.control().beats.stands = Fresh::at(true, rig.now());
    assert_eq!(refusal(Some(0.0)), None);
    assert!(rig.unit.moved_at(rig.now()).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_turns_in_place_by_its_velocity_source_is_not_released() {
    let source = |kind: &str| {
        format!("{{ kind = \"{kind}\", key = \"lab/gate-1/out/state/{kind}\", codec = \"json\", max_age_ms = 500 }}")
    };
    let sources = format!("state = [{}, {}]", source("pose"), source("velocity"));
    let force = ("goal_jump_m_max = 1.0", "goal_jump_m_max = 1.0, force_n_max = 60.0");
    let rig = Rig::start_patient(&[("\"switch\"", "\"gripper\""), force, ("state = []", &sources)]).await;
    let refusal = |turn_radps: f64| {
        let now = rig.now();
        rig.unit.measure(|known| {
            known.speed_mps = Fresh::at(0.0, now);
            known.turn_radps = Fresh::at(turn_radps, now);
        });
        let refused = crate::stops::check_still(&rig.fleet, &rig.unit).err().map(|error| error.code.to_string());
        (refused, rig.unit.moved_at(now).is_some())
    };
    assert_eq!(refusal(0.0), (None, false));
    assert_eq!(refusal(-1.0), (Some("not_standing_still".to_owned()), true));
}
