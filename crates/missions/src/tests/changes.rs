use expect_test::{Expect, expect};
use proptest::prelude::*;
use robot::Role;

use super::site::{NOW, at, id, shared};
use crate::{ChangeKind, Compiled, Edit, changes, compile, edit, parse, role_needed};

/// The meaning of a front matter at the simulated site.
fn meaning(yaml: &str) -> Compiled {
    let compilation = at(shared(), &format!("---\n{yaml}\n---\nGo.\n"));
    compilation.compiled.unwrap_or_else(|| panic!("{yaml}: {:?}", compilation.problems.listed))
}

/// Every change as `kind role: sentence`.
fn told(old: Option<&Compiled>, new: &Compiled) -> String {
    let told = changes(old, new).into_iter().map(|change| {
        let role = if change.role_needed == Role::Admin { " (admin)" } else { "" };
        format!("{} {:?}{role}: {}\n", change.key, change.kind, change.sentence)
    });
    told.collect()
}

fn check(old: &str, new: &str, expected: Expect) {
    expected.assert_eq(&told(Some(&meaning(old)), &meaning(new)));
}

/// A file that uses every key.
const WHOLE: &str = "title: Patrol\nparent: site-watch\ndepends_on: [calibrate]\nrobots: [rover-1]\n\
    resources: [{path: rover-1/body, hold: command}]\n\
    constraints:\n  - {type: max_velocity, params: 0.5}\n  - {type: forbidden_zone, params: {center: [-2, 4, 0], radius: 1.2}, reason: dock}\n\
    fallbacks: {link: [halt_and_wait]}\n\
    providers: [{topic_pattern: lab/rover-1/out/state/battery, world_state_key_template: rover-1.battery, value_field: percent, confidence_default: 1}]\n\
    alerts: [{predicate: gate.status = 'open'}]\n\
    triggers: [{cron: '0 22 * * *'}, {when: gate.status = 'open' for 10 s}]\ntime_zone: Europe/Berlin\n\
    preconditions: [rover-1.battery > 30, {text: Nobody is in the yard.}]\n\
    goals:\n  - {operation: send_command, name: north gate, input: {robot: rover-1, actuator: base, motion: {pose_goal: {position_m: [6, 6, 0], speed_mps: 0.2}}}}\n  - {wait_secs: 20}\n  - The yard is quiet\n\
    schedule: [{name: summary, cron_schedule: '0 * * * *', prompt: Sum up.}]\n\
    completes_when: rover-1.battery < 20\nexpires: 30d\non_failure: {retry: {times: 3}}\napproval: ask\n\
    envelope: [{robot: rover-1, actuator: base, operation: send_command, speed_mps_max: 0.3, count: 5, hours: 2, region: {x: [-1, 1], y: [-1, 1], z: [-1, 1]}}]\n\
    budget_usd: 2";

#[test]
fn me_13_a_first_version_adds_everything_that_it_says() {
    expect![[r#"
        title Added: Adds the title “Patrol”.
        parent Added: Adds the parent site-watch.
        depends_on Added: Adds the dependency on calibrate.
        robots Added: Adds the robot rover-1.
        resources Added: Adds the lock on rover-1/body for each command.
        constraints Added: Adds a limit on rover-1: forbidden zone of 1.2 m around (-2, 4, 0) m, in map.
        constraints Added: Adds a limit on rover-1: speed at most 0.5 m/s.
        fallbacks Added: Adds the response to the class “link”: stop actuators, then alert agent, then halt and wait.
        providers Added (admin): Adds the provider of rover-1.battery from percent of lab/rover-1/out/state/battery.
        alerts Added (admin): Adds the alert when gate.status = 'open'.
        triggers Added: Adds the start at 22:00 every day.
        triggers Added: Adds the start whenever gate.status = 'open' for 10 s.
        time_zone Added: Adds the time zone Europe/Berlin.
        preconditions Added: Adds the precondition rover-1.battery > 30.
        preconditions Added: Adds the precondition “Nobody is in the yard.”.
        goals Added: Adds goal 1: north gate: rover-1/base goes to (6, 6, 0) m, at most 0.2 m/s.
        goals Added: Adds goal 2: wait 20 s.
        goals Added: Adds goal 3: “The yard is quiet”.
        schedule Added: Adds the job summary: “Sum up.” at minute 0 of every hour.
        completes_when Added: Adds the completion rule rover-1.battery < 20.
        expires Added: Ends 30 days after activation.
        on_failure Added: Adds the response to a failure: the goal is tried again up to 3 times, first after 30 s.
        approval Added: Asks a person before every step that moves something.
        envelope Added: Adds the request for a standing approval: 5 motions of rover-1/base in 2 h, at most 0.3 m/s within x -1 to 1 m, y -1 to 1 m, z -1 to 1 m.
        budget_usd Added: May spend 2 USD on models.
        text Added: Adds the text for the agent: “Go.”.
    "#]].assert_eq(&told(None, &meaning(WHOLE)));
    expect![[r#"
        title Added: Adds the title “patrol”.
        triggers Added: Adds the start at once.
        time_zone Added: Adds the time zone UTC.
        on_failure Added: Adds the response to a failure: the mission fails.
        approval Added: Asks a person before every step that moves something.
        text Added: Adds the text for the agent: “Go.”.
    "#]]
    .assert_eq(&told(None, &meaning("")));
    let first = changes(None, &meaning("robots: [rover-1]\nconstraints: [{type: max_velocity, params: 0.5}]"));
    assert_eq!(role_needed(&first), Role::Operator);
    assert_eq!(role_needed(&changes(None, &meaning(WHOLE))), Role::Admin);
    assert_eq!(role_needed(&[]), Role::Operator);
}

#[test]
fn me_13_every_key_that_goes_is_told() {
    check(
        WHOLE,
        "",
        expect![[r#"
            title Changed: Changes the title “Patrol” → “patrol”.
            parent Removed: Removes the parent site-watch.
            depends_on Removed: Removes the dependency on calibrate.
            robots Removed: Removes the robot rover-1.
            resources Removed: Removes the lock on rover-1/body for each command.
            constraints Removed (admin): Removes a limit on rover-1: forbidden zone of 1.2 m around (-2, 4, 0) m, in map.
            constraints Removed (admin): Removes a limit on rover-1: speed at most 0.5 m/s.
            fallbacks Removed: Removes the response to the class “link”: stop actuators, then alert agent, then halt and wait.
            providers Removed (admin): Removes the provider of rover-1.battery from percent of lab/rover-1/out/state/battery.
            alerts Removed (admin): Removes the alert when gate.status = 'open'.
            triggers Added: Adds the start at once.
            triggers Removed: Removes the start at 22:00 every day.
            triggers Removed: Removes the start whenever gate.status = 'open' for 10 s.
            time_zone Changed: Changes the time zone Europe/Berlin → UTC.
            preconditions Removed: Removes the precondition rover-1.battery > 30.
            preconditions Removed: Removes the precondition “Nobody is in the yard.”.
            goals Removed: Removes goal 1: north gate: rover-1/base goes to (6, 6, 0) m, at most 0.2 m/s.
            goals Removed: Removes goal 2: wait 20 s.
            goals Removed: Removes goal 3: “The yard is quiet”.
            schedule Removed: Removes the job summary: “Sum up.” at minute 0 of every hour.
            completes_when Removed: Removes the completion rule rover-1.battery < 20.
            expires Loosened: Has no end, where it ended 30 days after activation.
            on_failure Changed: Changes the response to a failure: the goal is tried again up to 3 times, first after 30 s → the mission fails.
            envelope Removed: Removes the request for a standing approval: 5 motions of rover-1/base in 2 h, at most 0.3 m/s within x -1 to 1 m, y -1 to 1 m, z -1 to 1 m.
            budget_usd Loosened: Has no budget of its own, where it had 2 USD.
        "#]],
    );
}

/// Compares two lists of limits of two rovers.
fn of(old: &str, new: &str, expected: Expect) {
    let limits = |entries: &str| format!("robots: [rover-1, rover-2]\nconstraints: [{entries}]");
    check(&limits(old), &limits(new), expected);
}

#[test]
fn ml_04_ml_05_limits_that_allow_more_need_an_admin() {
    let speed = |most: &str| format!("{{type: max_velocity, params: {most}, robot: rover-1}}");
    of(
        &speed("0.5"),
        &speed("0.4"),
        expect![[r#"
        constraints Tightened: Tightens a limit on rover-1: speed at most 0.5 m/s → speed at most 0.4 m/s.
    "#]],
    );
    of(
        &speed("0.5"),
        &speed("0.6"),
        expect![[r#"
        constraints Loosened (admin): Loosens a limit on rover-1: speed at most 0.5 m/s → speed at most 0.6 m/s.
    "#]],
    );
    of(
        &speed("0.5"),
        &format!("{}, {}", speed("0.5"), speed("0.6")),
        expect![[r#"
        constraints Added: Adds a limit on rover-1: speed at most 0.6 m/s.
    "#]],
    );
    of(
        &format!("{}, {}", speed("0.5"), speed("0.6")),
        &speed("0.5"),
        expect![[r#"
        constraints Removed (admin): Removes a limit on rover-1: speed at most 0.6 m/s.
    "#]],
    );
    // Bound to one actuator, to one robot, in another frame, or for another reason.
    of(
        &speed("0.5"),
        "{type: max_velocity, params: 0.5, robot: rover-1, actuator: base}",
        expect![[r#"
        constraints Removed (admin): Removes a limit on rover-1: speed at most 0.5 m/s.
        constraints Added: Adds a limit on rover-1/base: speed at most 0.5 m/s.
    "#]],
    );
    of(
        "{type: max_velocity, params: 0.5, robot: rover-1, actuator: base}",
        &speed("0.5"),
        expect![[r#"
        constraints Tightened: Tightens a limit on rover-1/base: speed at most 0.5 m/s → speed at most 0.5 m/s on rover-1.
    "#]],
    );
    of(
        "{type: max_velocity, params: 0.5}",
        &speed("0.5"),
        expect![[r#"
        constraints Removed (admin): Removes a limit on rover-2: speed at most 0.5 m/s.
    "#]],
    );
    of(
        &speed("0.5"),
        "{type: max_velocity, params: 0.5, robot: rover-1, reason: wet floor}",
        expect![[r#"
        constraints Changed: Changes the reason of a limit on rover-1: speed at most 0.5 m/s.
    "#]],
    );
}

#[test]
fn ml_05_a_place_is_tighter_only_if_it_holds_the_old_one() {
    let zone = |x: &str, radius: &str| {
        format!("{{type: forbidden_zone, params: {{center: [{x}, 0, 0], radius: {radius}}}, robot: rover-1}}")
    };
    of(
        &zone("4", "1"),
        &zone("4", "2"),
        expect![[r#"
        constraints Tightened: Tightens a limit on rover-1: forbidden zone of 1 m around (4, 0, 0) m, in map → forbidden zone of 2 m around (4, 0, 0) m, in map.
    "#]],
    );
    of(
        &zone("4", "1"),
        &zone("5", "1"),
        expect![[r#"
        constraints Loosened (admin): Loosens a limit on rover-1: forbidden zone of 1 m around (4, 0, 0) m, in map → forbidden zone of 1 m around (5, 0, 0) m, in map.
    "#]],
    );
    of(
        &format!("{}, {}", zone("4", "1"), zone("-4", "1")),
        &format!("{}, {}", zone("-4", "2"), zone("4", "3")),
        expect![[r#"
            constraints Tightened: Tightens a limit on rover-1: forbidden zone of 1 m around (-4, 0, 0) m, in map → forbidden zone of 2 m around (-4, 0, 0) m, in map.
            constraints Tightened: Tightens a limit on rover-1: forbidden zone of 1 m around (4, 0, 0) m, in map → forbidden zone of 3 m around (4, 0, 0) m, in map.
        "#]],
    );
}

#[test]
fn me_13_every_type_of_limit_is_a_phrase() {
    let limits = "robots: [arm-1]\nconstraints:\n  - {type: workspace, params: {x: [0.1, 0.9], y: [-0.5, 0.5], z: [0.0, 1.2]}}\n  \
        - {type: max_velocity, params: 0.25}\n  - {type: forbidden_zone, params: {center: [0, 0.5, 0.5], radius: 0.1}, actuator: arm}\n  \
        - {type: max_force, params: 30.0}\n  - {type: keep_out_box, params: {min: [0, 0, 1], max: [0.1, 0.1, 1.2]}, frame: map}\n  \
        - {type: joint_limits, params: {joint: turn, position_rad: [-1, 1], velocity_radps: 0.5, acceleration_radps2: 2, effort_nm: 9}}\n  \
        - {type: joint_limits, params: {joint: lift, position_m: [0, 1], velocity_mps: 0.5}}\n  - {type: max_acceleration, params: 1.5}\n  \
        - {type: command_rate, params: {actuator: arm, hz: 10, burst: 5}}\n  - {type: goal_jump, params: 0.5}\n  \
        - {type: stopping_distance, params: 0.3}\n  - {type: approach_speed, params: {decel_mps2: 1, floor_mps: 0.05}}";
    expect![[r#"
        title Added: Adds the title “patrol”.
        robots Added: Adds the robot arm-1.
        constraints Added: Adds a limit on arm-1: near limits no faster than 1 m/s² of braking allows, 0.05 m/s anywhere.
        constraints Added: Adds a limit on arm-1: at most 10 commands a second for arm, 5 at once.
        constraints Added: Adds a limit on arm-1/arm: forbidden zone of 0.1 m around (0, 0.5, 0.5) m, in base_link.
        constraints Added: Adds a limit on arm-1: goals at most 0.5 m away.
        constraints Added: Adds a limit on arm-1: joint lift 0 to 1 m, at most 0.5 m/s.
        constraints Added: Adds a limit on arm-1: joint turn -1 to 1 rad, at most 0.5 rad/s, 2 rad/s², 9 Nm.
        constraints Added: Adds a limit on arm-1: keep-out box from (0, 0, 1) m to (0.1, 0.1, 1.2) m, in map.
        constraints Added: Adds a limit on arm-1: acceleration at most 1.5 m/s².
        constraints Added: Adds a limit on arm-1: force at most 30 N.
        constraints Added: Adds a limit on arm-1: speed at most 0.25 m/s.
        constraints Added: Adds a limit on arm-1: at most 0.3 m to stop.
        constraints Added: Adds a limit on arm-1: workspace x 0.1 to 0.9 m, y -0.5 to 0.5 m, z 0 to 1.2 m, in base_link.
        triggers Added: Adds the start at once.
        time_zone Added: Adds the time zone UTC.
        on_failure Added: Adds the response to a failure: the mission fails.
        approval Added: Asks a person before every step that moves something.
        text Added: Adds the text for the agent: “Go.”.
    "#]].assert_eq(&told(None, &meaning(limits)));
}

#[test]
fn me_13_every_kind_of_goal_start_end_and_answer_is_a_phrase() {
    let step = |actuator: &str, motion: &str| {
        format!("{{operation: send_command, input: {{robot: arm-1, actuator: {actuator}, motion: {motion}}}}}")
    };
    let yaml = format!(
        "robots: [arm-1, gate-1]\ngoals:\n  - {}\n  - {}\n  - {}\n  - {{operation: send_command, input: {{robot: gate-1, actuator: latch, motion: {{switch: {{on: true}}}}}}}}\n  \
         - {{operation: list_world_state}}\n  - {{operation: world_history, input: {{key: gate.status}}}}\n  - {{goal: Quiet, done_when: gate.status = 'closed'}}\n  \
         - {{wait_for: gate.status = 'open', timeout_secs: 90}}\ntriggers: [immediate, spawn, {{at: 2026-03-10T06:00:00Z}}, {{when: gate.status = 'open', once: true}}]\n\
         schedule: [{{operation: list_world_state, every_secs: 3600}}, {{prompt: Look., at: '07:00'}}]\nexpires: 2026-04-01T00:00:00Z\non_failure: alert",
        step("arm", "{path: {points_m: [[0.5, 0, 0.5], [0.6, 0, 0.5]], speed_mps: 0.1}}"),
        step("arm", "{joints: {names: [turn, lift, boom], positions_rad: [0, 0.5, 0.8], speed_radps: 0.1}}"),
        step("gripper", "{gripper: {opening_m: 0.04, speed_mps: 0.05}}"),
    );
    expect![[r#"
        title Added: Adds the title “patrol”.
        robots Added: Adds the robot arm-1.
        robots Added: Adds the robot gate-1.
        resources Added: Adds the lock on arm-1/body/arm for the whole run.
        resources Added: Adds the lock on arm-1/body/gripper for the whole run.
        resources Added: Adds the lock on gate-1/latch for the whole run.
        triggers Added: Adds the start at once.
        triggers Added: Adds the start when a mission fails that names this one.
        triggers Added: Adds the start at 2026-03-10T06:00:00Z.
        triggers Added: Adds the start the first time that gate.status = 'open'.
        time_zone Added: Adds the time zone UTC.
        goals Added: Adds goal 1: arm-1/arm follows 2 points to (0.6, 0, 0.5) m, at most 0.1 m/s.
        goals Added: Adds goal 2: arm-1/arm brings its joints to turn 0, lift 0.5, boom 0.8, at most 0.1 rad/s or m/s.
        goals Added: Adds goal 3: arm-1/gripper opens 0.04 m, at most 0.05 m/s.
        goals Added: Adds goal 4: gate-1/latch switches on.
        goals Added: Adds goal 5: list_world_state.
        goals Added: Adds goal 6: world_history {"key":"gate.status"}.
        goals Added: Adds goal 7: “Quiet”, done when gate.status = 'closed'.
        goals Added: Adds goal 8: wait until gate.status = 'open', at most 1 min.
        schedule Added: Adds the job list_world_state every 1 h.
        schedule Added: Adds the job “Look.” at 07:00.
        expires Added: Ends at 2026-04-01T00:00:00Z.
        on_failure Added: Adds the response to a failure: the mission pauses and tells the agent.
        approval Added: Asks a person before every step that moves something.
        text Added: Adds the text for the agent: “Go.”.
    "#]]
    .assert_eq(&told(None, &meaning(&yaml)));
}

#[test]
fn me_13_bounds_of_time_money_and_approval_have_a_direction() {
    check(
        "expires: 8h\nbudget_usd: 2\napproval: ask",
        "expires: 7h\nbudget_usd: 1\napproval: activation",
        expect![[r#"
        expires Tightened: Ends 7 h after activation, where it ended 8 h after activation.
        approval Loosened: Lets steps below the High tier move something without asking again.
        budget_usd Tightened: May spend 1 USD on models, where it was 2 USD.
    "#]],
    );
    check(
        "expires: 8h\nbudget_usd: 2\napproval: activation",
        "expires: 9h\nbudget_usd: 3",
        expect![[r#"
        expires Loosened: Ends 9 h after activation, where it ended 8 h after activation.
        approval Tightened: Asks a person before every step that moves something.
        budget_usd Loosened: May spend 3 USD on models, where it was 2 USD.
    "#]],
    );
    check(
        "expires: 8h\nbudget_usd: 2",
        "",
        expect![[r#"
        expires Loosened: Has no end, where it ended 8 h after activation.
        budget_usd Loosened: Has no budget of its own, where it had 2 USD.
    "#]],
    );
    check(
        "",
        "expires: 8h\nbudget_usd: 2",
        expect![[r#"
        expires Tightened: Ends 8 h after activation, where it had no end.
        budget_usd Tightened: May spend 2 USD on models, where it had no budget.
    "#]],
    );
    check(
        "expires: 8h",
        "expires: 2026-04-01T00:00:00Z",
        expect![[r#"
        expires Changed: Ends at 2026-04-01T00:00:00Z, where it ended 8 h after activation.
    "#]],
    );
}

#[test]
fn me_13_goals_and_rules_change_by_their_names() {
    check(
        "goals: [Look, Listen]\nalerts: [{predicate: gate.status = 'open'}]",
        "goals: [Look, Speak, Rest]\nalerts: [{predicate: gate.status = 'open', debounce_secs: 5}]",
        expect![[r#"
            alerts Changed (admin): Changes the alert when gate.status = 'open'.
            goals Changed: Changes goal 2: “Listen” → “Speak”.
            goals Added: Adds goal 3: “Rest”.
        "#]],
    );
    check(
        "on_failure: stop\ntime_zone: UTC",
        "on_failure: {spawn: park}\ntime_zone: Europe/Berlin",
        expect![[r#"
        time_zone Changed: Changes the time zone UTC → Europe/Berlin.
        on_failure Changed: Changes the response to a failure: the mission fails → the mission fails and starts park.
    "#]],
    );
}

#[test]
fn mc_06_the_hash_follows_the_meaning_and_nothing_else() {
    let hash = |text: &str| at(shared(), text).compiled.unwrap().hash().unwrap();
    let one = hash(
        "---\ntitle: Patrol\nrobots: [rover-1, rover-2]\nconstraints: [{type: max_velocity, params: 0.5}, {type: goal_jump, params: 2}]\n---\nGo.\n",
    );
    let other = hash(
        "---\n# the night\nconstraints:\n  - {params: 2.0, type: goal_jump}\n  - type: max_velocity\n    params: 0.5\nrobots:\n  - rover-2\n  - 'rover-1'\ntitle: \"Patrol\"\napproval: ask\n---\n<!-- x -->Go.\n",
    );
    assert_eq!(one, other);
    assert!(one.len() == 64 && one.bytes().all(|byte| byte.is_ascii_hexdigit()), "{one}");
    for different in ["---\ntitle: Patrol\n---\nGo.\n", "Go.", "Go now.", "---\nbudget_usd: 1\n---\nGo.\n"] {
        assert_ne!(one, hash(different), "{different}");
    }
}

/// Front matters that compile without an error.
fn any_yaml() -> impl Strategy<Value = String> {
    let keys = [
        vec!["title: Patrol", "title: 'Night patrol'", ""],
        vec!["depends_on: [a, b]", "depends_on: [a]", ""],
        vec![
            "alerts: [{predicate: gate.status = 'open'}]",
            "alerts: [{predicate: gate.status = 'open', debounce_secs: 9}]",
            "",
        ],
        vec!["triggers: [{cron: '0 22 * * *'}]", "triggers: [spawn]", ""],
        vec!["goals: [Look, {wait_secs: 5}]", "goals:\n  - Look # twice\n  - Look", ""],
        vec!["expires: 8h", "expires: 2026-04-01T00:00:00Z", ""],
        vec!["on_failure: alert", "on_failure: {retry: {times: 2}}", ""],
        vec!["approval: ask", "approval: activation", ""],
        vec!["budget_usd: 2", "budget_usd: 3", ""],
        vec!["fallbacks: {link: [halt_and_wait]}", ""],
    ];
    (keys.map(prop::sample::select), prop::collection::vec(any_limit(), 0..5)).prop_map(|(keys, limits)| {
        let mut yaml = keys.join("\n");
        yaml.push_str("\nrobots: [rover-1, rover-2]\n");
        if !limits.is_empty() {
            yaml.push_str(&format!(
                "constraints: [{}]\n",
                limits.iter().map(Limit::yaml).collect::<Vec<_>>().join(", ")
            ));
        }
        yaml
    })
}

/// A limit by numbers, and by how much it is tightened.
#[derive(Debug, Clone)]
struct Limit {
    form: usize,
    size: u32,
    robot: Option<u32>,
}

impl Limit {
    fn yaml(&self) -> String {
        let Self { form, size, robot } = self;
        let params = match form {
            0 => format!("type: max_velocity, params: {}", f64::from(20 - size) / 10.0),
            1 => format!("type: max_force, params: {}", 20 - size),
            2 => format!("type: forbidden_zone, params: {{center: [9, 9, 0], radius: {}}}", f64::from(1 + size) / 10.0),
            3 => format!("type: goal_jump, params: {}", 20 - size),
            _ => format!("type: workspace, params: {{x: [-{0}, {0}], y: [-9, 9], z: [-4, 4]}}", 25 - size),
        };
        let robot = robot.map_or_else(String::new, |robot| format!(", robot: rover-{robot}"));
        format!("{{{params}{robot}}}")
    }
}

fn any_limit() -> impl Strategy<Value = Limit> {
    (0..5_usize, 0..9_u32, prop::option::of(1..=2_u32)).prop_map(|(form, size, robot)| Limit { form, size, robot })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn mc_06_equal_files_mean_the_same_and_differ_in_nothing(yaml in any_yaml()) {
        let (one, other) = (meaning(&yaml), meaning(&yaml));
        prop_assert_eq!(one.hash().unwrap(), other.hash().unwrap());
        prop_assert_eq!(changes(Some(&one), &other), []);
        // Equal JSON, and so equal hashes, go with equal meanings alone.
        let without = meaning("");
        prop_assert_eq!(changes(Some(&one), &without).is_empty(), one.hash().unwrap() == without.hash().unwrap());
    }

    #[test]
    fn mc_09_what_changes_no_byte_or_no_value_changes_no_meaning(yaml in any_yaml()) {
        let text = format!("---\n{yaml}\n---\nGo.\n");
        let before = at(shared(), &text);
        let dependency = before.compiled.as_ref().unwrap().depends_on.first().cloned();
        let budget = before.compiled.as_ref().unwrap().budget_usd;
        let mut edits: Vec<Edit> = dependency.map(Edit::AddDependency).into_iter().collect();
        edits.extend(budget.map(|value| Edit::Set { key: "budget_usd".into(), value: value.into() }));
        edits.push(Edit::RemoveDependency(id("nobody")));
        edits.push(Edit::SetBody("Go.\n".into()));
        let edited = edit(text.as_bytes(), &edits).unwrap();
        let after = compile(&parse(&edited), &id("patrol"), shared(), NOW);
        prop_assert_eq!(&after.compiled, &before.compiled);
        // And there and back again.
        let there = edit(&edited, &[Edit::AddDependency(id("z"))]).unwrap();
        let back = edit(&there, &[Edit::RemoveDependency(id("z"))]).unwrap();
        let again = compile(&parse(&back), &id("patrol"), shared(), NOW);
        prop_assert_eq!(&again.compiled, &before.compiled);
    }

    #[test]
    fn ml_05_tightenings_alone_are_never_told_as_loosenings(
        limits in prop::collection::vec((any_limit(), 0..9_u32), 1..6), added in prop::collection::vec(any_limit(), 0..3),
        turned in any::<bool>(),
    ) {
        let file = |limits: &[Limit]| {
            meaning(&format!("robots: [rover-1, rover-2]\nconstraints: [{}]",
                limits.iter().map(Limit::yaml).collect::<Vec<_>>().join(", ")))
        };
        let old: Vec<Limit> = limits.iter().map(|(limit, _)| limit.clone()).collect();
        let tightened = limits.iter().map(|(limit, by)| Limit { size: limit.size + by, ..limit.clone() });
        let mut new: Vec<Limit> = tightened.chain(added).collect();
        if turned {
            new.reverse();
        }
        let found = changes(Some(&file(&old)), &file(&new));
        let is_tightening = |kind| matches!(kind, ChangeKind::Added | ChangeKind::Tightened);
        prop_assert!(found.iter().all(|change| is_tightening(change.kind)), "{found:?}");
        prop_assert_eq!(role_needed(&found), Role::Operator);
        // The other way round something is loosened, removed, or nothing happened at all.
        let back = changes(Some(&file(&new)), &file(&old));
        prop_assert_eq!(back.is_empty(), found.is_empty());
        prop_assert!(back.is_empty() || role_needed(&back) == Role::Admin, "{back:?}");
    }
}
