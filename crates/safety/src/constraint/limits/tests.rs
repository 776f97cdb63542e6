use expect_test::{Expect, expect};
use robot::FrameId;

use super::*;
use crate::fixtures::*;

fn check(change: impl FnOnce(&mut Constraint), expected: Expect) {
    let mut scene = scene().with(zone([2.0, 0.0, 0.0], 0.5));
    change(&mut scene.constraints[1]);
    let error = Limits::compile(&scene.manifest, &scene.constraints, 1).unwrap_err();
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_constraint_that_does_not_fit_the_robot_is_named() {
    check(
        |constraint| constraint.frame = Some(FrameId::new("odom").unwrap()),
        expect!["constraint con-1: frame odom is not connected to the robot's default frame by static transforms"],
    );
    check(
        |constraint| constraint.actuator = Some(actuator("leg")),
        expect!["constraint con-1: robot arm-1 has no actuator leg"],
    );
    check(
        |constraint| constraint.kind = rate("leg", 10.0, 1),
        expect!["constraint con-1: robot arm-1 has no actuator leg"],
    );
    check(
        |constraint| {
            constraint.kind = rate("arm", 10.0, 1);
            constraint.actuator = Some(actuator("gripper"));
        },
        expect!["constraint con-1: params_json.actuator: must be gripper, the actuator the constraint binds"],
    );
    check(
        |constraint| constraint.robot = Some(RobotId::new("arm-2").unwrap()),
        expect!["constraint con-1 binds robot arm-2, not arm-1"],
    );
    check(
        |constraint| constraint.kind = zone([0.0; 3], f64::NAN),
        expect!["constraint con-1: params_json.radius: must be above 0"],
    );
    check(
        |constraint| constraint.id = ConstraintId::new("con-room").unwrap(),
        expect!["constraint con-room occurs twice"],
    );
}

#[test]
fn the_manifests_limits_are_part_of_the_set() {
    let limits = (
        "goal_jump_m_max = 30.0",
        "goal_jump_m_max = 30.0, force_n_max = 60.0, workspace = { x = [-1.0, 1.0], y = [-1.0, 1.0], z = [0.0, 1.5] }",
    );
    let compiled = Limits::compile(&manifest_with(&[limits]), &[], 1).unwrap();
    let ids: Vec<_> = compiled.constraints().iter().map(|constraint| constraint.id.as_str()).collect();
    assert_eq!(
        ids,
        ["manifest-acceleration", "manifest-force", "manifest-goal_jump", "manifest-speed", "manifest-workspace"]
    );
}

#[test]
fn the_hash_follows_the_constraints_and_nothing_else() {
    let scene = scene().with(zone([2.0, 0.0, 0.0], 0.5));
    let hash =
        |constraints: &[Constraint], version| Limits::compile(&scene.manifest, constraints, version).unwrap().hash();
    let reversed: Vec<_> = scene.constraints.iter().rev().cloned().collect();
    assert_eq!(hash(&scene.constraints, 1), hash(&reversed, 2));
    assert_ne!(hash(&scene.constraints, 1), hash(&scene.constraints[..1], 1));
}

#[test]
fn a_hash_is_hexadecimal_text() {
    let hash = scene().limits().hash();
    let text = serde_json::to_value(hash).unwrap();
    assert_eq!(text.as_str().map(str::len), Some(64));
    assert_eq!(text.as_str(), Some(&*format!("{hash:?}")), "a log shows the same");
    assert_eq!(serde_json::from_value::<SetHash>(text).unwrap(), hash);
    for text in ["", "ff", &"F".repeat(64), &"é".repeat(32)] {
        assert!(SetHash::try_from(text.to_owned()).is_err(), "{text:?} was accepted");
    }
}

#[test]
fn mc_02_every_constraint_that_does_not_fit_the_robot_is_named_not_only_the_first() {
    let scene = scene().with_in("moon", ConstraintKind::MaxVelocity(1.0)).with(rate("wheel", 10.0, 5));
    let errors = Limits::errors_of(&scene.manifest, &scene.constraints);
    let named: Vec<&str> = errors.iter().filter_map(|error| Some(error.constraint()?.as_str())).collect();
    assert_eq!(named, ["con-1", "con-2"]);
    assert!(matches!(errors[0], CompileError::UnknownFrame { .. }), "{errors:?}");
    assert!(matches!(errors[1], CompileError::UnknownActuator { .. }), "{errors:?}");
    assert_eq!(Limits::errors_of(&scene.manifest, &scene.constraints[..1]), []);
}

#[test]
fn too_many_constraints_are_refused() {
    let of_manifest = Limits::compile(&scene().manifest, &[], 1).unwrap().constraints().len();
    let speeds = (of_manifest..=CONSTRAINTS_MAX)
        .fold(scene().only(&[]), |scene, _| scene.with(ConstraintKind::MaxVelocity(1.0)));
    let compile = |constraints: &[Constraint]| Limits::compile(&speeds.manifest, constraints, 1);
    let error = compile(&speeds.constraints).unwrap_err();
    assert!(matches!(error, CompileError::TooMany { count, .. } if count == CONSTRAINTS_MAX + 1), "{error}");
    assert_eq!(compile(&speeds.constraints[1..]).unwrap().constraints().len(), CONSTRAINTS_MAX);
}

#[test]
fn a_site_that_lets_approvals_wait_for_less_has_them_end_sooner() {
    let scene = scene();
    let valid_until = |limits: &Limits| {
        let command = scene.command(goal([0.1, 0.0, 0.0], 0.1));
        crate::judge(limits, &scene.state, command, NOW).into_approved().unwrap().valid_until()
    };
    let approved_for = Duration::from_millis(120);
    let numbers = JudgeNumbers { approved_for, ..JudgeNumbers::default() };
    assert_eq!(valid_until(&scene.limits().with_numbers(numbers)), NOW.plus(approved_for));
    assert!(valid_until(&scene.limits()) > NOW.plus(approved_for));
}
