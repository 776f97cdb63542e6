use robot::FrameId;

use super::*;
use crate::{Cause, Overall};

fn pose(position_m: [f64; 3], yaw_deg: f64) -> Pose {
    let orientation = Some(UnitQuaternion::from_yaw_rad(yaw_deg.to_radians()));
    Pose { frame: FrameId::new("map").unwrap(), position_m, orientation }
}

fn bound() -> Binding {
    Binding {
        action_hash: "9f86".into(),
        set_version: 3,
        lease_epoch: 7,
        latch_generation: 2,
        start: Some(pose([1.0, 2.0, 0.0], 30.0)),
    }
}

fn check(change: impl FnOnce(&mut Present), expected: Option<Precondition>) {
    let mut present =
        Present { binding: bound(), facts_fresh: true, link_live: true, unstopped: true, overall: Overall::Allow };
    change(&mut present);
    assert_eq!(bound().broken(&present), expected, "{present:?}");
    let failing: Vec<_> = bound().check(&present).into_iter().filter(|(_, holds)| !holds).collect();
    assert_eq!(failing, expected.map(|condition| (condition, false)).into_iter().collect::<Vec<_>>());
}

#[test]
fn an_unchanged_present_holds_and_each_change_breaks_its_own_condition() {
    use Precondition::*;
    check(|_| {}, None);
    check(|now| now.binding.action_hash = "9f87".into(), Some(SameAction));
    check(|now| now.binding.set_version = 4, Some(SameSet));
    check(|now| now.binding.lease_epoch = 8, Some(SameEpoch));
    check(|now| now.binding.latch_generation = 4, Some(NoStopSince));
    check(|now| now.unstopped = false, Some(NoStopSince));
    check(|now| now.facts_fresh = false, Some(FactsFresh));
    check(|now| now.link_live = false, Some(LinkFresh));
    check(|now| now.overall = Overall::Deny, Some(VerdictAllow));
    check(|now| now.overall = Overall::ValidatorError(Cause::Panicked), Some(VerdictAllow));
}

#[test]
fn a_robot_may_have_moved_two_centimetres_and_turned_two_degrees() {
    let at = |x: f64, yaw_deg: f64| move |now: &mut Present| now.binding.start = Some(pose([x, 2.0, 0.0], yaw_deg));
    let moved = Some(Precondition::StartPose);
    check(at(1.0199, 30.0), None);
    check(at(1.0201, 30.0), moved);
    check(at(f64::NAN, 30.0), moved);
    check(at(1.0, 31.99), None);
    check(at(1.0, 28.01), None);
    check(at(1.0, 32.01), moved);
    check(at(1.0, 30.0 + 360.0), None);
    check(|now| now.binding.start = None, moved);
    check(|now| now.binding.start.iter_mut().for_each(|pose| pose.orientation = None), moved);
    check(|now| now.binding.start.iter_mut().for_each(|pose| pose.frame = FrameId::new("odom").unwrap()), moved);
}

#[test]
fn a_condition_that_does_not_hold_says_what_was_expected_and_what_is() {
    let why = |change: &dyn Fn(&mut Present)| {
        let mut present =
            Present { binding: bound(), facts_fresh: true, link_live: true, unstopped: true, overall: Overall::Allow };
        change(&mut present);
        bound().broken(&present).map_or_else(String::new, |condition| bound().why(condition, &present))
    };
    let start = |change: fn(&mut Pose)| move |now: &mut Present| now.binding.start.iter_mut().for_each(change);
    let lines = [
        why(&|now| now.binding.action_hash = "9f87".into()),
        why(&|now| now.unstopped = false),
        why(&|now| now.binding.latch_generation = 3),
        why(&|now| now.link_live = false),
        why(&|now| now.facts_fresh = false),
        why(&|now| now.binding.set_version = 4),
        why(&|now| now.binding.lease_epoch = 8),
        why(&start(|pose| pose.position_m[0] += 0.31)),
        why(&start(|pose| pose.orientation = Some(UnitQuaternion::from_yaw_rad(40_f64.to_radians())))),
        why(&start(|pose| pose.orientation = None)),
        why(&start(|pose| pose.frame = FrameId::new("odom").unwrap())),
        why(&|now| now.binding.start = None),
        why(&|now| now.overall = Overall::Deny),
    ];
    expect_test::expect![[r#"
        the action is another one
        the robot was stopped: expected no stop, found one in force or the robot not armed
        the robot was stopped: expected no stop since then, found one that is over
        the robot does not answer
        what it relied on is old
        the limits have changed: expected version 3, found version 4
        control of the robot has changed: expected claim 7, found claim 8
        the robot has moved: expected within 0.02 m and 2° of where it was judged, found 0.310 m and 0.0°
        the robot has moved: expected within 0.02 m and 2° of where it was judged, found 0.000 m and 10.0°
        the robot has moved: expected within 0.02 m and 2° of where it was judged, found 0.000 m and no orientation
        the robot has moved: expected within 0.02 m and 2° of where it was judged, found a pose in odom and not in map
        the robot has moved: expected within 0.02 m and 2° of where it was judged, found no pose
        it is not allowed now"#]]
    .assert_eq(&lines.join("\n"));
}
