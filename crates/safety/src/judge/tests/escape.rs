//! Rows about the way out of a place where the robot may not be.

use super::*;

/// 0.1 m inside a zone on its right.
fn in_a_zone() -> Scene {
    scene().with(zone([0.4, 0.0, 0.0], 0.5))
}

#[test]
fn g6_escape_only_by_a_person_slowly_and_outwards_all_along() {
    check(in_a_zone(), escape([-0.5, 0.0, 0.0], 0.1), ALLOWED);
    check(in_a_zone(), escape([-0.05, 0.0, 0.0], 0.1), ALLOWED);
    check(
        in_a_zone(),
        goal([-0.5, 0.0, 0.0], 0.1),
        expect![
            "ForbiddenZone | Denied: the way passes 0.40 m from the centre of forbidden zone con-1 of 0.50 m, 0.10 m too near at (0.00, 0.00, 0.00)."
        ],
    );
    check(
        in_a_zone(),
        escape([-0.5, 0.0, 0.0], 0.11),
        expect!["Velocity | Denied: the speed 0.11 m/s is over the limit 0.10 m/s by 0.01 m/s."],
    );
    check(
        in_a_zone(),
        escape([0.01, -0.9, 0.0], 0.1),
        expect![
            "ForbiddenZone | Denied: the way passes 0.40 m from the centre of forbidden zone con-1 of 0.50 m, 0.10 m too near at (0.00, 0.00, 0.00)."
        ],
    );
    for source in [robot::Source::Agent, robot::Source::Mission(robot::MissionId::new("weld").unwrap())] {
        check_changed(
            in_a_zone(),
            escape([-0.5, 0.0, 0.0], 0.1),
            |command| command.source = source,
            expect!["Arbitration | Denied: nobody else may ask for this: expected a person in control."],
        );
    }
}

#[test]
fn g6_escape_only_from_where_a_limit_is_violated() {
    check(
        scene(),
        escape([-0.5, 0.0, 0.0], 0.1),
        expect![
            "NotProvable | Denied: the motion cannot be shown to be safe: expected a start where a limit is violated."
        ],
    );
    let still = in_a_zone();
    let outcome = still.outcome(still.command(escape([0.0; 3], 0.1)));
    assert!(outcome.starts_with("ForbiddenZone"), "{outcome}");
}

#[test]
fn g6_escape_only_if_every_violated_limit_gets_better_and_all_others_hold() {
    let between = || in_a_zone().with(zone([-0.45, 0.0, 0.0], 0.5));
    let outcome = |scene: &Scene, raw| scene.outcome(scene.command(raw));
    assert!(outcome(&between(), escape([-0.2, 0.0, 0.0], 0.1)).starts_with("ForbiddenZone"));
    let aside = between().at([0.0, 0.05, 0.0]);
    check(aside, escape([0.0, 0.9, 0.0], 0.1), ALLOWED);
    let walled = in_a_zone().with(keep_out([-1.0, -1.0, -1.0], [-0.3, 1.0, 1.0]));
    assert!(outcome(&walled, escape([-0.5, 0.0, 0.0], 0.1)).starts_with("KeepOut"));
    check(walled, escape([-0.2, 0.0, 0.0], 0.1), ALLOWED);
}

#[test]
fn g6_escape_only_back_into_a_workspace_and_out_of_a_box() {
    let outside = || scene().only(&[cube(1.0)]).at([1.5, 0.0, 1.2]);
    check(outside(), escape([0.9, 0.0, 0.8], 0.1), ALLOWED);
    check(outside(), escape([1.4, 0.0, 1.1], 0.1), ALLOWED);
    let outcome = |scene: Scene, raw| scene.outcome(scene.command(raw));
    assert!(outcome(outside(), escape([0.9, 0.0, 1.2], 0.1)).starts_with("Workspace"));
    assert!(outcome(outside(), escape([0.9, 1.1, 0.8], 0.1)).starts_with("Workspace"));
    let boxed = || scene().with(keep_out([-0.2, -0.5, -0.5], [0.3, 0.5, 0.5]));
    check(boxed(), escape([-0.3, 0.0, 0.0], 0.1), ALLOWED);
    assert!(outcome(boxed(), escape([0.4, 0.0, 0.0], 0.1)).starts_with("KeepOut"));
}

#[test]
fn g6_escape_only_arming_lets_nothing_else_pass() {
    let armed = |state: &mut RobotState| state.escape_only = true;
    check(in_a_zone().state(armed), escape([-0.5, 0.0, 0.0], 0.1), ALLOWED);
    check(
        scene().state(armed),
        switch(),
        expect!["NotArmed | Denied: the robot is armed to escape only: expected an escape."],
    );
}

#[test]
fn g6_escape_only_by_a_way_that_leads_out_from_its_first_step_on() {
    let codes = |scene: &Scene, to| {
        let items = crate::explain(&scene.limits(), &scene.state, &scene.command(escape(to, 0.1)), NOW);
        items.iter().filter(|item| item.is_violated()).map(|item| item.reason.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&in_a_zone(), [0.0, 0.9, 0.0]), [Reason::ForbiddenZone], "across, not out");
    let at_its_centre = scene().with(zone([0.0; 3], 0.5));
    assert_eq!(codes(&at_its_centre, [0.0; 3]), [Reason::ForbiddenZone], "no way at all");
    assert_eq!(codes(&at_its_centre, [0.6, 0.0, 0.0]), []);
    let beside = scene().at([-9.0, 9.5, 0.0]);
    assert_eq!(codes(&beside, [-9.0, 8.5, 0.0]), [], "along a face that it does not leave");
}
