use expect_test::{Expect, expect};

use super::*;
use crate::fixtures::*;
use crate::{ConstraintKind, ReasonArgs};

fn check(change: impl FnOnce(&mut Item), expected: Expect) {
    let mut item = Item::precondition(Reason::Workspace, ReasonArgs::default());
    (item.kind, item.unit) = (Kind::Workspace, Unit::M);
    item.reason.args.axis = Some(Axis::X);
    change(&mut item);
    expected.assert_eq(&sentence(&item));
}

#[test]
fn a_short_length_is_in_millimetres_and_a_tiny_one_has_no_digits() {
    for (number, expected) in [
        (0.0, "0.00 m"),
        (0.0004, "less than 1 mm"),
        (-0.0004, "less than 1 mm"),
        (0.0005, "0.5 mm"),
        (-0.0099, "-9.9 mm"),
        (0.01, "0.01 m"),
        (f64::NAN, "an unknown amount"),
    ] {
        assert_eq!(quantity(number, Unit::M), expected, "{number}");
    }
    assert_eq!(quantity(0.0004, Unit::Mps), "0.00 m/s");
}

#[test]
fn a_robot_with_a_body_is_told_whether_its_point_or_its_body_is_over() {
    let at = |predicted: f64| {
        move |item: &mut Item| {
            (item.limit, item.predicted, item.margin) = (1.0, predicted, 0.75 - predicted);
            item.reason.args.inflation_m = Some(0.25);
        }
    };
    check(
        at(1.5),
        expect!["Workspace x 1.50 m, with 0.25 m for body, error and margin, is over the limit 1.00 m by 0.75 m."],
    );
    check(
        at(1.0),
        expect!["Workspace x 1.00 m is 0.00 m from the limit 1.00 m, closer than 0.25 m (body, error and margin)."],
    );
    check(
        at(0.875),
        expect!["Workspace x 0.88 m is 0.12 m from the limit 1.00 m, closer than 0.25 m (body, error and margin)."],
    );
}

#[test]
fn a_way_past_a_zone_is_told_by_the_zone_or_by_the_body() {
    let at = |predicted: f64| {
        move |item: &mut Item| {
            (item.kind, item.reason.code) = (Kind::ForbiddenZone, Reason::ForbiddenZone);
            (item.limit, item.predicted, item.margin) = (0.5, predicted, predicted - 0.75);
            item.reason.args.inflation_m = Some(0.25);
        }
    };
    check(
        at(0.625),
        expect!["The way passes 0.12 m from forbidden zone of 0.50 m, closer than 0.25 m (body, error and margin)."],
    );
    check(
        at(0.4375),
        expect![
            "The way passes 0.44 m from the centre of forbidden zone of 0.50 m, with 0.25 m for body, error and margin, 0.31 m too near."
        ],
    );
}

#[test]
fn a_speed_or_a_force_that_makes_no_sense_is_told_with_what_would() {
    let expected = |reason: Reason| {
        move |item: &mut Item| {
            item.reason.code = reason;
            item.reason.args.expected = Some("a number from 0 up".into());
        }
    };
    check(expected(Reason::Velocity), expect!["The speed makes no sense: expected a number from 0 up."]);
    check(expected(Reason::Force), expect!["The force makes no sense: expected a number from 0 up."]);
}

#[test]
fn what_is_not_listed_is_counted() {
    let crowded = (0..20).fold(scene(), |scene, i| scene.with(zone([1.0, 0.0, 0.0], 0.5 + f64::from(i) / 100.0)));
    let told = |scene: Scene| scene.judge(scene.command(goal([1.0, 0.0, 0.0], 0.0))).sentence();
    assert!(told(crowded).ends_with(" 4 more violations are not listed."));
    let two = scene().with(zone([1.0, 0.0, 0.0], 0.5)).with(ConstraintKind::GoalJump(0.5));
    assert!(!told(two).contains("not listed"));
}
