use expect_test::{Expect, expect};
use robot::{ActuatorId, ConstraintId};
use safety::{Constraint, ConstraintKind};

use super::site::{at, front, id, robot, sentences, site};
use crate::graph::Standing;
use crate::{Catalog, Severity, parse};

/// The problems of a front matter at the simulated site.
fn check(yaml: &str, expected: Expect) {
    expected.assert_eq(&sentences(&front(yaml)));
}

/// The problems of a front matter at another site.
fn check_at(catalog: &Catalog, yaml: &str, expected: Expect) {
    expected.assert_eq(&sentences(&at(catalog, &format!("---\n{yaml}\n---\nGo.\n"))));
}

/// A limit registered for the robot itself.
fn bound(mut catalog: Catalog, name: &str, kind: ConstraintKind) -> Catalog {
    let own = catalog.robots.get_mut(&robot(name)).unwrap();
    own.constraints.push(Constraint {
        id: ConstraintId::new(format!("con-{}", own.constraints.len())).unwrap(),
        robot: Some(robot(name)),
        mission: None,
        actuator: None,
        frame: None,
        kind,
        created_by: "dana".into(),
        reason: None,
    });
    catalog
}

/// A step that moves the base of `rover-1`.
fn drive(position_m: &str, more: &str) -> String {
    format!(
        "robots: [rover-1]\ngoals: [{{operation: send_command, input: {{robot: rover-1, actuator: base, motion: \
         {{pose_goal: {{position_m: {position_m}, speed_mps: 0.2}}}}{more}}}}}]"
    )
}

#[test]
fn mc_03_robots_and_what_is_in_them_are_looked_up() {
    check(
        "robots: [rover-1, rovr-2, moon]",
        expect![[r#"
        2:19 unknown_robot robots[1]: There is no robot `rovr-2` at this site. Did you mean `rover-2`?
        2:27 unknown_robot robots[2]: There is no robot `moon` at this site. Use `arm-1`, `gate-1`, `rover-1` or `rover-2`.
    "#]],
    );
    check(
        "robots: [rover-1]\nconstraints: [{type: max_velocity, params: 0.5, robot: rover-2}]",
        expect![[r#"
        3:56 unknown_robot constraints[0].robot: `rover-2` is no robot of this mission. Add `rover-2` to `robots`.
    "#]],
    );
    check(
        "robots: [rover-1]\nconstraints: [{type: max_velocity, params: 0.5, actuator: bas}]",
        expect![[r#"
        3:59 unknown_actuator constraints[0].actuator: `rover-1` has no actuator `bas`. Did you mean `base`?
    "#]],
    );
    check(
        "robots: [rover-1]\nconstraints: [{type: workspace, params: {x: [0, 1], y: [0, 1], z: [0, 1]}, frame: mapp}]",
        expect![[r#"
            3:83 constraint_invalid constraints[0].frame: The frame `mapp` is not joined to those of `rover-1`. Did you mean `map`?
        "#]],
    );
    check(
        "robots: [rover-1]\nresources: [rover-1/base, rover-1/body, rover-1/gripper]",
        expect![[r#"
        3:13 unknown_resource resources[0]: `rover-1` has no part `rover-1/base`. Did you mean `rover-1/body/base`?
        3:41 unknown_resource resources[2]: `rover-1` has no part `rover-1/gripper`. Did you mean `rover-1/body`?
    "#]],
    );
    check(
        "robots: [arm-1]\nconstraints: [{type: joint_limits, params: {joint: turn, position_rad: [-2, 2], velocity_radps: 1}}]",
        expect![[r#"
            3:73 constraint_invalid constraints[0].params.position_rad[0]: The limit is not one that `arm-1` can keep: must not be wider than the manifest's -1.3. Correct its parameters.
        "#]],
    );
    check(
        "constraints: [{type: max_velocity, params: 0.5}]",
        expect![[r#"
        warning 2:15 no_effect constraints[0]: The mission names no robot, so that this limit binds nothing. Add `robots`, or remove the limit.
    "#]],
    );
}

#[test]
fn mi_09_a_step_is_an_operation_that_a_mission_may_call() {
    let of = |operation: &str| format!("goals:\n  - {{operation: {operation}}}");
    check(
        &of("list_wrld_state"),
        expect![[r#"
        3:17 unknown_operation goals[0].operation: There is no operation `list_wrld_state`. Did you mean `list_world_state`?
    "#]],
    );
    for (operation, why) in [
        ("arm_robot", "it is not offered to agents"),
        ("run_shell_tool", "it cannot be undone"),
        ("pause_mission", "it is about missions"),
        ("schedule_task", "it is about missions"),
        ("create_proposal", "it is about missions"),
    ] {
        let told = sentences(&front(&of(operation)));
        assert!(told.starts_with("3:17 unknown_operation goals[0].operation") && told.contains(why), "{told}");
    }
    assert_eq!(sentences(&front(&of("list_world_state"))), "");
    check(
        "goals:\n  - {operation: world_history, input: {kye: gate.status}}",
        expect![[r#"
        3:39 bad_input goals[0].input: `world_history` does not take this input: Additional properties are not allowed ('kye' was unexpected). Correct it as the sentence says.
        3:39 bad_input goals[0].input: `world_history` does not take this input: "key" is a required property. Correct it as the sentence says.
    "#]],
    );
    check(
        "schedule: [{operation: remember_note, input: {}, every_secs: 60}]",
        expect![[r#"
        2:46 bad_input schedule[0].input: `remember_note` does not take this input: "text" is a required property. Correct it as the sentence says.
    "#]],
    );
    check(
        "schedule: [{operation: arm_robot, every_secs: 60}]",
        expect![[r#"
        2:24 unknown_operation schedule[0].operation: `arm_robot` cannot be a job: it is not offered to agents. Use an operation that an agent may call, or a `prompt`.
    "#]],
    );
}

#[test]
fn mi_10_a_job_that_moves_a_robot_is_held_against_robots_and_limits_like_a_step() {
    let of = |robots: &str, position_m: &str| {
        format!(
            "robots: [{robots}]\nschedule: [{{operation: send_command, every_secs: 600, input: {{robot: rover-1, \
             actuator: base, motion: {{pose_goal: {{position_m: {position_m}, speed_mps: 0.2}}}}}}}}]"
        )
    };
    let told = sentences(&front(&of("arm-1", "[1, 0, 0]")));
    assert!(told.contains("unknown_robot schedule[0].input.robot: `rover-1` is no robot of this mission."), "{told}");
    let as_step = sentences(&front(&drive("[12, 0, 0]", "")));
    let as_job = sentences(&front(&of("rover-1", "[12, 0, 0]")));
    assert!(as_step.contains("goal_never_allowed goals[0].input"), "{as_step}");
    assert!(as_job.contains("goal_never_allowed schedule[0].input"), "{as_job}");
    assert_eq!(sentences(&front(&of("rover-1", "[1, 0, 0]"))), "");
    let told = sentences(&front("robots: [rover-1]\nschedule: [{operation: send_command, every_secs: 600}]"));
    assert!(told.contains("bad_input schedule[0]"), "{told}");
}

#[test]
fn mi_09_a_motion_is_checked_by_the_form_of_commands() {
    let of = |input: &str| format!("robots: [arm-1]\ngoals: [{{operation: send_command, input: {input}}}]");
    check(
        &of("{robot: arm-1, actuator: arm}"),
        expect![[r#"
        3:42 bad_input goals[0].input: This value does not fit: missing field `motion`. Correct it as the sentence says.
    "#]],
    );
    check(
        &of("{robot: rover-1, actuator: base, motion: {switch: {on: true}}}"),
        expect![[r#"
        3:50 unknown_robot goals[0].input.robot: `rover-1` is no robot of this mission. Add `rover-1` to `robots`.
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: amr, motion: {switch: {on: true}}}"),
        expect![[r#"
        3:67 unknown_actuator goals[0].input.actuator: `arm-1` has no actuator `amr`. Did you mean `arm`?
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, motion: {switch: {on: true}}}"),
        expect![[r#"
        3:80 bad_input goals[0].input.motion: `arm-1` takes no such motion. Expected a motion that a tool actuator can do.
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, motion: {pose_goal: {position_m: [1, 2]}}}"),
        expect![[r#"
        3:105 bad_input goals[0].input.motion.pose_goal.position_m: `arm-1` takes no such motion. Expected 3 numbers, not 2.
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, motion: {pose_goal: {positon_m: [1, 2, 3]}}}"),
        expect![[r#"
        3:93 bad_input goals[0].input.motion.pose_goal.positon_m: There is no key `positon_m` here. Did you mean `position_m`?
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, ttl_ms: 500, motion: {switch: {on: true}}}"),
        expect![[r#"
        3:72 bad_input goals[0].input.ttl_ms: There is no key `ttl_ms` here. Use `robot`, `actuator`, `frame`, `force_n` or `motion`.
    "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, motion: {velocity: {linear_mps: [0.1, 0, 0], angular_radps: [0, 0, 0]}}}"),
        expect![[r#"
            3:80 bad_input goals[0].input.motion: Only a person drives a robot by hand or out of a place where it may not be. Use a pose goal, a path, joints, a gripper or a switch.
        "#]],
    );
    check(
        &of("{robot: arm-1, actuator: arm, motion: {joints: {names: [shoulder], positions_rad: [0.0]}}}"),
        expect![[r#"
            3:97 bad_input goals[0].input.motion.joints.names: `arm-1` takes no such motion. Expected exactly turn, lift, boom.
        "#]],
    );
    check(
        "robots: [arm-1]\ngoals: [{operation: send_command}]",
        expect![[r#"
        3:9 bad_input goals[0].input: `send_command` needs an input. Add `input` with `robot`, `actuator` and `motion`.
    "#]],
    );
}

#[test]
fn mi_10_a_step_that_no_limit_could_let_pass_is_told_with_limit_and_distance() {
    assert_eq!(sentences(&front(&drive("[6, 6, 0]", ""))), "");
    check(
        &drive("[12, 0, 0]", ""),
        expect![[r#"
        3:83 goal_never_allowed goals[0].input.motion: This motion is not allowed, wherever `rover-1` is. Workspace x 12.00 m, with 0.45 m for body, error and margin, is over the limit 10.00 m by 2.45 m at (12.00, 0.00, 0.00). Change the motion so that every limit in force lets it pass.
    "#]],
    );
    check(
        &drive("[6, 6, 0]", ", frame: mapp"),
        expect![[r#"
        3:144 goal_never_allowed goals[0].input.frame: This motion is not allowed, wherever `rover-1` is. Frame mapp is not connected to the robot. Did you mean `map`?
    "#]],
    );
    // The mission's own limits count as well.
    check(
        &format!(
            "{}\nconstraints:\n  - {{type: forbidden_zone, params: {{center: [6, 6, 0], radius: 1}}}}\n  - {{type: max_velocity, params: 0.1}}",
            drive("[6, 6, 0]", "")
        ),
        expect![[r#"
            3:83 goal_never_allowed goals[0].input.motion: This motion is not allowed, wherever `rover-1` is. The way passes 0.00 m from the centre of forbidden zone `constraints[0]` of 1.00 m, with 0.45 m for body, error and margin, 1.45 m too near at (6.00, 6.00, 0.00). Change the motion so that every limit in force lets it pass.
            3:83 goal_never_allowed goals[0].input.motion: This motion is not allowed, wherever `rover-1` is. The speed 0.20 m/s is over the limit 0.10 m/s by 0.10 m/s. Change the motion so that every limit in force lets it pass.
        "#]],
    );
    // The frame of the tray moves, so that only the robot knows where a goal in it is.
    let tray = "robots: [arm-1]\ngoals: [{operation: send_command, input: {robot: arm-1, actuator: arm, frame: tray, \
                motion: {pose_goal: {position_m: [9, 9, 9], speed_mps: 0.1}}}}]";
    assert_eq!(sentences(&front(tray)), "");
}

#[test]
fn mi_12_a_limit_looser_than_what_binds_already_has_no_effect() {
    let of = |limit: &str| format!("robots: [rover-1]\nconstraints: [{limit}]");
    check(
        &of("{type: max_velocity, params: 2.0}"),
        expect![[r#"
        warning 3:15 no_effect constraints[0]: This limit is looser than the limit `manifest-speed` that binds `rover-1` already: speed at most 1.5 m/s. Make it stricter, or remove it: of several limits the strictest binds.
    "#]],
    );
    for tighter in
        ["{type: max_velocity, params: 0.5}", "{type: max_velocity, params: 1.5}", "{type: max_force, params: 5}"]
    {
        assert_eq!(sentences(&front(&of(tighter))), "", "{tighter}");
    }
    let zone = ConstraintKind::ForbiddenZone { center: [1.0, 1.0, 0.0], radius: 2.0 };
    check_at(
        &bound(site(), "rover-1", zone),
        &of("{type: forbidden_zone, params: {center: [1.0, 1.5, 0.0], radius: 1.0}, reason: the dock}"),
        expect![[r#"
            warning 3:15 no_effect constraints[0]: This limit is looser than the limit `con-0` that binds `rover-1` already: forbidden zone of 2 m around (1, 1, 0) m. Make it stricter, or remove it: of several limits the strictest binds.
        "#]],
    );
}

#[test]
fn mc_05_a_robot_moves_only_with_limits_that_agree() {
    let mut bare = site();
    let rover = bare.robots.get_mut(&robot("rover-1")).unwrap();
    rover.manifest.limits.workspace = None;
    check_at(
        &bare,
        &drive("[1, 0, 0]", ""),
        expect![[r#"
        3:69 motion_without_limits goals[0].input.actuator: `base` of `rover-1` may not move: it has no limit of type `workspace`. Add the limit to `constraints`, or register it for the robot.
    "#]],
    );
    check_at(
        &bare,
        "robots: [rover-1]",
        expect![[r#"
        warning 2:10 motion_without_limits robots[0]: `base` of `rover-1` has no limit of type `workspace`, so it cannot be armed. Add the limit to `constraints`, or register it for the robot.
    "#]],
    );
    let room = "constraints: [{type: workspace, params: {x: [-2, 2], y: [-2, 2], z: [-2, 2]}}]";
    assert_eq!(sentences(&at(&bare, &format!("---\n{}\n{room}\n---\n", drive("[1, 0, 0]", "")))), "");
    check(
        "robots: [rover-1]\nconstraints:\n  - {type: workspace, params: {x: [0, 0.5], y: [0, 1], z: [0, 1]}}",
        expect![[r#"
            4:5 constraint_conflict constraints[0]: The limits on `rover-1` contradict one another: the workspaces of actuator base leave no place for the robot (`constraints[0]` among them). Change one of them so that the robot has a place to be.
        "#]],
    );
    check(
        "robots: [rover-1]\nconstraints:\n  - {type: workspace, params: {x: [0, 2], y: [0, 2], z: [-1, 1]}}\n  \
         - {type: forbidden_zone, params: {center: [1, 1, 0], radius: 5}}",
        expect![[r#"
            5:5 constraint_conflict constraints[1]: The limits on `rover-1` contradict one another: `constraints[1]` covers the whole workspace of actuator base. Change one of them so that the robot has a place to be.
        "#]],
    );
}

#[test]
fn mc_04_what_may_come_right_by_itself_is_a_warning() {
    let site = site().with("spawned", "---\ntriggers: [spawn]\n---\n", Standing::Draft);
    check_at(
        &site,
        "depends_on: [calibrate]\nparent: weld\non_failure: {spawn: spwned}",
        expect![[r#"
        warning 2:14 dependency_missing depends_on[0]: There is no mission `calibrate`. Use `spawned`.
        warning 3:9 dependency_missing parent: There is no mission `weld`. Use `spawned`.
        warning 4:21 spawn_missing on_failure.spawn: There is no mission `spwned`, so that the failure would start nothing. Did you mean `spawned`?
    "#]],
    );
    check_at(
        &site,
        "depends_on: [spawned]\non_failure: {spawn: spawned}",
        expect![[r#"
        warning 2:14 dependency_never_completes depends_on[0]: `spawned` never completes by itself, so that this mission waits until a person completes it. Give `spawned` a key `completes_when`, or wait for another mission.
    "#]],
    );
    let site = site.with("plain", "Go.", Standing::Draft);
    check_at(
        &site,
        "on_failure: {spawn: plain}",
        expect![[r#"
        warning 2:21 spawn_missing on_failure.spawn: `plain` has no trigger `spawn`, so that the failure would not start it. Add `spawn` to the triggers of `plain`.
    "#]],
    );
    check(
        "alerts: [{predicate: person.locaton = 'street'}]\ncompletes_when: gate.status = 'open'",
        expect![[r#"
        warning 2:22 dangling_key alerts[0].predicate: Nothing writes `person.locaton`, so that what asks about it stays unknown. Add a provider that writes it.
    "#]],
    );
    check(
        "preconditions: [a.b = 1]\ntriggers: [{when: a.c = 1}]\ngoals: [{goal: x, done_when: a.d = 1}, {wait_for: a.e = 1}]",
        expect![[r#"
            warning 2:17 dangling_key preconditions[0]: Nothing writes `a.b`, so that what asks about it stays unknown. Add a provider that writes it.
            warning 3:19 dangling_key triggers[0].when: Nothing writes `a.c`, so that what asks about it stays unknown. Add a provider that writes it.
            warning 4:30 dangling_key goals[0].done_when: Nothing writes `a.d`, so that what asks about it stays unknown. Add a provider that writes it.
            warning 4:51 dangling_key goals[1].wait_for: Nothing writes `a.e`, so that what asks about it stays unknown. Add a provider that writes it.
        "#]],
    );
    check(
        "providers:\n  - {topic_pattern: lab/rover-1/out/state/battery, world_state_key_template: rover-1.battery, value_field: percent}\n  \
         - {topic_pattern: lab/gate-1/out/status, world_state_key_template: gate.status, value_field: status, confidence_default: 1}\n\
         preconditions: [rover-1.battery > 30]",
        expect![[r#"
            warning 3:5 provider_warning providers[0]: The provider is legal and odd: no field says how sure the source is. Change it, or accept it when you activate.
            warning 4:70 provider_warning providers[1].world_state_key_template: `cp-2` can write the same keys. Use the keys that are written already, or give this provider keys of its own.
        "#]],
    );
    let compilation = front("depends_on: [calibrate]\nparent: weld\nalerts: [{predicate: a.b = 1}]");
    assert_eq!(compilation.warnings().count(), 3);
    assert!(compilation.compiled.is_some() && !compilation.problems.has_error);
}

#[test]
fn mc_03_times_that_are_over_and_ids_that_are_final_are_errors() {
    check(
        "triggers: [{at: 2026-03-09T05:59:59Z}, {at: 2026-03-09T06:00:01Z}]\nexpires: 2026-03-08T00:00:00Z",
        expect![[r#"
            2:17 time_in_past triggers[0].at: This time is over: 2026-03-09T05:59:59+00:00. Write a time that is still to come.
            3:10 time_in_past expires: This time is over: 2026-03-08T00:00:00+00:00. Write a time that is still to come.
        "#]],
    );
    check(
        "time_zone: Europe/Berlin\nexpires: 2026-03-09T07:00:00",
        expect![[r#"
        3:10 time_in_past expires: This time is over: 2026-03-09T07:00:00+01:00. Write a time that is still to come.
    "#]],
    );
    let cancelled = site()
        .with("patrol", "Go.", Standing::Cancelled)
        .changed("patrol", |mission| mission.is_cancelled_for_good = true);
    expect![[r#"
        1:1 id_cancelled: A person cancelled the mission `patrol`, which is final. Save it under another id.
    "#]]
    .assert_eq(&sentences(&at(&cancelled, "Go.")));
}

#[test]
fn ml_25_a_standing_approval_is_asked_for_within_the_limits_alone() {
    let of = |more: &str| {
        format!(
            "robots: [rover-1]\nenvelope: [{{robot: rover-1, actuator: base, operation: send_command, count: 3, hours: 1, {more}}}]"
        )
    };
    let room = "region: {x: [-1, 1], y: [-1, 1], z: [-1, 1]}";
    assert_eq!(sentences(&front(&of(&format!("speed_mps_max: 1.5, {room}")))), "");
    check(
        &of("speed_mps_max: 1.6, region: {x: [-11, 1], y: [-1, 1], z: [-1, 1]}"),
        expect![[r#"
        3:105 envelope_too_wide envelope[0].speed_mps_max: The standing approval asks for more than 1.5 m/s, which a limit of `rover-1` forbids. Ask for no more than the limits in force allow.
        3:118 envelope_too_wide envelope[0].region: The standing approval asks for a region that reaches out of the workspace, which a limit of `rover-1` forbids. Ask for no more than the limits in force allow.
    "#]],
    );
    check(
        &of("speed_mps_max: 1, region: {x: [1, -1], y: [-1, 1], z: [-1, 1]}"),
        expect![[r#"
        3:116 out_of_range envelope[0].region: The region is empty. Write `[lowest, highest]` per axis.
    "#]],
    );
    check(
        &of("speed_mps_max: 1").replace("send_command", "stop_all"),
        expect![[r#"
        3:56 bad_input envelope[0].operation: A standing approval is for motions, and `stop_all` is none. Write `send_command`.
    "#]],
    );
    check(
        &of("speed_mps_max: 1").replace("actuator: base", "actuator: arm"),
        expect![[r#"
        3:39 unknown_actuator envelope[0].actuator: `rover-1` has no actuator `arm`. Use `base`.
    "#]],
    );
    check(
        &of("speed_mps_max: 1").replace("robot: rover-1", "robot: rover-2"),
        expect![[r#"
        3:20 unknown_robot envelope[0].robot: `rover-2` is no robot of this mission. Add `rover-2` to `robots`.
    "#]],
    );
    let slow = format!("{}\nconstraints: [{{type: max_velocity, params: 0.5}}]", of("speed_mps_max: 0.6"));
    check(
        &slow,
        expect![[r#"
        3:105 envelope_too_wide envelope[0].speed_mps_max: The standing approval asks for more than 0.5 m/s, which a limit of `rover-1` forbids. Ask for no more than the limits in force allow.
    "#]],
    );
}

#[test]
fn mc_02_problems_of_the_file_and_of_its_meaning_are_told_together() {
    check(
        "robots: [moon]\ntitel: x\ngoals: [{operation: sned_command}, 5]",
        expect![[r#"
        2:10 unknown_robot robots[0]: There is no robot `moon` at this site. Use `arm-1`, `gate-1`, `rover-1` or `rover-2`.
        3:1 unknown_key titel: There is no key `titel` here. Did you mean `title`?
        4:21 unknown_operation goals[0].operation: There is no operation `sned_command`. Did you mean `send_command`?
        4:36 wrong_type goals[1]: Expected a sentence, or a mapping with `goal`, `operation`, `wait_for` or `wait_secs`, found a number. Write it without quotes.
    "#]],
    );
    let many = (0..16).map(|n| format!("r{n}")).collect::<Vec<_>>().join(", ");
    let goals = vec!["{operation: nothing}"; 120].join(", ");
    let problems = front(&format!("robots: [{many}]\ngoals: [{goals}]")).problems;
    assert_eq!((problems.listed.len(), problems.unlisted, problems.has_error), (100, 36, true));
    assert!(problems.listed.is_sorted_by_key(|problem| (problem.bytes.from, problem.code)));
}

#[test]
fn mc_01_every_problem_names_the_characters_it_is_about() {
    let text = "---\nrobots: [rover-1]\ngoals:\n  - {operation: send_command, input: {robot: rover-1, actuator: base, motion: \
                {pose_goal: {position_m: [12, 0, 0]}}}}\n---\n";
    let compilation = at(&site(), text);
    let spans: Vec<&str> = compilation.problems.listed.iter().map(|problem| problem.bytes.of(text)).collect();
    assert_eq!(spans, vec!["{pose_goal: {position_m: [12, 0, 0]}}"; spans.len()]);
    assert!(compilation.problems.listed.iter().all(|problem| problem.severity == Severity::Error));
    assert_eq!(compilation.compiled, None);
}

#[test]
fn mc_07_what_the_site_loses_is_a_problem_of_the_same_file() {
    let text = format!("---\n{}\n---\n", drive("[6, 6, 0]", ""));
    let parsed = parse(text.as_bytes());
    let before = crate::compile(&parsed, &id("patrol"), &site(), super::site::NOW);
    assert_eq!(sentences(&before), "");
    let mut after = site();
    after.robots.remove(&robot("rover-1"));
    expect![[r#"
        2:10 unknown_robot robots[0]: There is no robot `rover-1` at this site. Did you mean `rover-2`?
    "#]]
    .assert_eq(&sentences(&crate::compile(&parsed, &id("patrol"), &after, super::site::NOW)));
    let mut after = site();
    after.robots.get_mut(&robot("rover-1")).unwrap().manifest.actuators[0].id = ActuatorId::new("wheels").unwrap();
    expect![[r#"
        3:69 unknown_actuator goals[0].input.actuator: `rover-1` has no actuator `base`. Use `wheels`.
    "#]]
    .assert_eq(&sentences(&crate::compile(&parsed, &id("patrol"), &after, super::site::NOW)));
}
