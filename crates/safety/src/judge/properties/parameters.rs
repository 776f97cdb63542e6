//! The same of the numbers of the limits themselves.

use super::*;
use crate::{Limits, parse_params};

/// Puts `number` into the place `which` of the limit, if it has one that can hold it.
fn poisoned(kind: &ConstraintKind, which: usize, number: f64) -> ConstraintKind {
    let mut poisoned = kind.clone();
    match &mut poisoned {
        ConstraintKind::Workspace { x, y, z } => [x, y, z][which % 3][which % 2] = number,
        ConstraintKind::ForbiddenZone { center, radius } => {
            if which == 3 {
                *radius = number
            } else {
                center[which % 3] = number
            }
        }
        ConstraintKind::KeepOutBox { min, max } => [min, max][which % 2][which % 3] = number,
        ConstraintKind::MaxVelocity(limit) | ConstraintKind::MaxForce(limit) => *limit = number,
        ConstraintKind::MaxAcceleration(limit) | ConstraintKind::GoalJump(limit) => *limit = number,
        ConstraintKind::StoppingDistance(limit) => *limit = number,
        ConstraintKind::ApproachSpeed { decel_mps2, floor_mps } => {
            *[decel_mps2, floor_mps][which % 2] = number;
        }
        ConstraintKind::CommandRate { hz, .. } => *hz = number,
        ConstraintKind::JointLimits(limits) => limits.position[which % 2] = number,
    }
    poisoned
}

/// The text of the parameters, as `params_json` holds it.
fn printed(kind: &ConstraintKind) -> String {
    let tagged = serde_json::to_value(kind).unwrap();
    tagged[tagged.as_object().unwrap().keys().next().unwrap()].to_string()
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn prop_05_a_limit_with_a_number_that_is_not_finite_makes_no_set(
        (scene, _) in case(), kind in kind(), which in 0..6usize, number in not_finite(),
    ) {
        let scene = scene.with(poisoned(&kind, which, number));
        prop_assert!(Limits::compile(&scene.manifest, &scene.constraints, 3).is_err());
    }

    #[test]
    fn prop_08_what_is_printed_of_a_limit_reads_back_as_the_same(kind in kind()) {
        let text = printed(&kind);
        let again = parse_params(kind.type_name(), &text).unwrap();
        prop_assert_eq!(printed(&again), text);
        prop_assert_eq!(again, kind);
    }

    #[test]
    fn prop_08_no_text_makes_the_parser_of_limits_panic(
        kind in kind(), text in ".{0,60}", at in any::<prop::sample::Index>(), part in "[-0-9eE.,:{}\\[\\]\"a-z]{0,4}",
    ) {
        let _ = parse_params(kind.type_name(), &text).is_err();
        let mut damaged = printed(&kind);
        damaged.insert_str(at.index(damaged.len()), &part);
        let _ = parse_params(kind.type_name(), &damaged).is_err();
    }
}
