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
