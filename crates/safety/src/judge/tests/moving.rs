//! Rows about frames that move.

use robot::{Isometry, UnitQuaternion};

use super::*;
use crate::MovingTransform;

/// `odom` lies 1 m to the left of `map`, as seen `age_ms` ago.
fn odometry(age_ms: u64) -> Scene {
    let frame = |id: &str| FrameId::new(id).unwrap();
    let parent_from_child = Isometry { translation_m: [0.0, 1.0, 0.0], rotation: UnitQuaternion::IDENTITY };
    let value = MovingTransform { parent: frame("map"), child: frame("odom"), parent_from_child, max_age_ms: 1_000 };
    let observed = NOW.minus(Duration::from_millis(age_ms));
    scene().state(|state| state.transforms = vec![Measured { value, observed }])
}

#[test]
fn a_moving_frame_is_met_through_its_newest_transform() {
    let wall = || odometry(100).with(zone([2.0, 0.0, 0.0], 0.5));
    // `map` is 1 m behind `base_link`.
    check(
        wall(),
        in_frame("odom", goal([3.0, -1.0, 0.0], 0.0)),
        expect![
            "ForbiddenZone | Denied: the way passes 0.00 m from the centre of forbidden zone con-1 of 0.50 m, 0.50 m too near at (3.00, -1.00, 0.00)."
        ],
    );
    check(wall(), in_frame("odom", goal([1.0, 1.0, 0.0], 0.0)), ALLOWED);
    let there = pose("odom", [3.0, -1.0, 0.0]);
    let moved = wall().state(|state| state.pose.known_mut().value = there);
    let verdict = moved.judge(moved.command(goal([2.0, 0.0, 0.0], 0.0)));
    assert_eq!(
        (verdict.items[0].reason.code, verdict.items[0].point_m),
        (Reason::ForbiddenZone, Some([2.0, 0.0, 0.0]))
    );
}

#[test]
fn g12_a_transform_that_is_too_old_is_denied() {
    check(odometry(1_000), in_frame("odom", goal([1.0, 0.0, 0.0], 0.0)), ALLOWED);
    check(
        odometry(3_000),
        in_frame("odom", goal([1.0, 0.0, 0.0], 0.0)),
        expect!["StaleTransform | Denied: the transform of frame odom is 3000 ms old, limit 1000 ms."],
    );
    let lost = odometry(3_000).state(|state| state.pose.known_mut().value.frame = FrameId::new("odom").unwrap());
    check(
        lost,
        goal([1.0, 0.0, 0.0], 0.0),
        expect!["StaleTransform | Denied: the transform of frame odom is 3000 ms old, limit 1000 ms."],
    );
}

#[test]
fn a_moving_frame_may_be_the_parent_of_one_that_is_known() {
    let mut scene = odometry(100).with(zone([2.0, 0.0, 0.0], 0.5));
    let transform = &mut scene.state.transforms[0].value;
    (transform.parent, transform.child) = (transform.child.clone(), transform.parent.clone());
    transform.parent_from_child.translation_m = [0.0, -1.0, 0.0];
    let denied = scene.judge(scene.command(in_frame("odom", goal([3.0, -1.0, 0.0], 0.0))));
    assert_eq!(denied.items[0].reason.code, Reason::ForbiddenZone);
    check(scene, in_frame("odom", goal([1.0, 1.0, 0.0], 0.0)), ALLOWED);
}
