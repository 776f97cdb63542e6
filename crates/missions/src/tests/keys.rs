use expect_test::expect;

use super::{front, sentences, told};
use crate::format::front::{Approval, Expiry, Front, Goal, Hold, OnFailure, Trigger};

fn accepted(yaml: &str) -> Front {
    let parsed = front(yaml);
    assert_eq!(sentences(&parsed), "", "{yaml}");
    parsed.front
}

/// Each of `texts` is refused with one problem, `expected` being its code and key.
fn refused(expected: &str, texts: &[&str]) {
    for text in texts {
        let told = told(&front(text));
        assert_eq!(told.split_once(' ').map_or("", |(_, rest)| rest), expected, "{text}");
    }
}

fn list(count: usize, entry: impl Fn(usize) -> String) -> String {
    format!("[{}]", (0..count).map(entry).collect::<Vec<_>>().join(", "))
}

#[test]
fn mi_08_every_key_has_its_default() {
    for empty in ["", "title: null\nparent: ~\nrobots:\ngoals: []\non_failure: null\napproval: null\nbudget_usd:"] {
        let front = accepted(empty);
        assert_eq!(front, Front { triggers: front.triggers.clone(), ..Front::default() });
        assert_eq!((&front.on_failure, front.approval), (&OnFailure::Stop, Approval::Ask));
        assert_eq!(front.triggers[0].value, Trigger::Immediate);
    }
    let front = accepted(
        "robots: [a]\nresources: [a/arm]\ngoals: [{operation: x}, {wait_for: k = 1}]\non_failure: {retry: {times: 1}}",
    );
    assert_eq!(front.resources.unwrap()[0].value.hold, Hold::Run);
    assert!(matches!(front.goals[0].value, Goal::Step { timeout_secs: 120, .. }));
    assert!(matches!(front.goals[1].value, Goal::WaitFor { timeout_secs: 3_600, .. }));
    assert_eq!(front.on_failure, OnFailure::Retry { times: 1, delay_secs: 30 });
}

#[test]
fn mi_07_nothing_is_removed_by_an_empty_list() {
    refused("out_of_range constraints", &["constraints: []", "constraints:", "constraints: null"]);
    refused("out_of_range triggers", &["triggers: []", "triggers:"]);
}

#[test]
fn mi_07_an_unknown_key_names_the_nearest_known_one_of_its_level() {
    expect![[r#"
        2:1 unknown_key robot: There is no key `robot` here. Did you mean `robots`?
        3:1 unknown_key depends: There is no key `depends` here. Did you mean `depends_on`?
        4:9 out_of_range goals[0]: This value is not allowed here. Write exactly one of `goal`, `operation`, `wait_for` and `wait_secs`.
        4:10 unknown_key goals[0].opperation: There is no key `opperation` here. Did you mean `operation`?
        4:28 unknown_key goals[0].x: There is no key `x` here. Use `goal`, `done_when`, `operation`, `input`, `name`, `timeout_secs`, `wait_for` or `wait_secs`.
        5:12 unknown_key alerts[0].predicat: There is no key `predicat` here. Did you mean `predicate`?
    "#]]
    .assert_eq(&sentences(&front(
        "robot: [rover-1]\ndepends: [a]\ngoals: [{opperation: move, x: y}]\nalerts: [ {predicat: a = 1}]",
    )));
}

#[test]
fn mi_11_a_key_that_would_grant_a_right_is_forbidden_at_every_level() {
    for key in [
        "role",
        "roles",
        "admin",
        "permissions",
        "allow",
        "mode",
        "tools",
        "unconstrained",
        "supervision",
        "standing_approval",
        "approved_by",
        "status",
    ] {
        assert_eq!(told(&front(&format!("{key}: true"))), format!("2:1 forbidden_key {key}"));
        let inner = format!(
            "envelope: [{{{key}: 1, robot: a, actuator: b, operation: c, speed_mps_max: 1, count: 1, hours: 1}}]"
        );
        assert_eq!(told(&front(&inner)), format!("2:13 forbidden_key envelope[0].{key}"));
    }
}

#[test]
fn mi_06_numbers_and_durations_are_plain() {
    let budget = |number: &str| told(&front(&format!("budget_usd: {number}")));
    for plain in ["0.5", "1", "1e2", "1000", "1.5E-3"] {
        assert_eq!(budget(plain), "", "{plain}");
    }
    for other in ["\"0.5\"", ".inf", ".nan", "0x1", "1_000", "1.", "+1", "01", "true", "many", "[1]"] {
        assert_eq!(budget(other), "2:13 wrong_type budget_usd", "{other}");
    }
    for (text, seconds) in [("60s", 60), ("1min", 60), ("12h", 43_200), ("366d", 31_622_400)] {
        assert_eq!(accepted(&format!("expires: {text}")).expires.unwrap().value, Expiry::After(seconds));
    }
    refused("out_of_range expires", &["expires: 59s", "expires: 0h", "expires: 367d", "expires: 8785h"]);
    refused(
        "bad_time expires",
        &["expires: 1.5h", "expires: 5 d", "expires: 01h", "expires: -1h", "expires: soon", "expires: '12'"],
    );
    refused("wrong_type expires", &["expires: 12", "expires: [1h]"]);
    for time in ["2026-03-09T07:00:00+01:00", "2026-03-09T06:00:00Z"] {
        let Expiry::At(time) = accepted(&format!("expires: {time}")).expires.unwrap().value else { panic!("{time}") };
        assert_eq!(time.ms_in(&world::cron::Zone::utc()), Some(1_773_036_000_000));
    }
    let front = accepted("time_zone: Europe/Berlin\nexpires: 2026-03-09T07:00");
    let (Some(zone), Some(Expiry::At(time))) = (front.time_zone, front.expires.map(|expires| expires.value)) else {
        panic!()
    };
    assert_eq!(time.ms_in(&zone.value), Some(1_773_036_000_000));
    // What YAML 1.1 took for false.
    for word in ["no", "off", "n", "No", "FALSE"] {
        assert_eq!(accepted(&format!("title: {word}")).title.unwrap().value, word);
    }
    refused("wrong_type title", &["title: true", "title: 5", "title: [x]", "title: {a: b}"]);
}

#[test]
fn mi_08_titles_parents_and_lists_of_ids() {
    accepted(&format!("title: {}", "ä".repeat(120)));
    refused(
        "out_of_range title",
        &[&format!("title: {}", "ä".repeat(121)), "title: ' '", "title: ''", "title: \"a\\nb\""],
    );
    assert_eq!(accepted("parent: weld").parent.unwrap().value.as_str(), "weld");
    refused("bad_id parent", &["parent: Weld 1"]);
    refused("wrong_type parent", &["parent: [a]", "parent: 5"]);
    for (key, most) in [("depends_on", 64), ("robots", 16)] {
        let ids = |count| format!("{key}: {}", list(count, |i| format!("m{i}")));
        accepted(&ids(most));
        refused(&format!("out_of_range {key}"), &[&ids(most + 1)]);
        refused(&format!("duplicate_value {key}"), &[&format!("{key}: [a, b, a]")]);
        refused(&format!("bad_id {key}[1]"), &[&format!("{key}: [a, B]")]);
        refused(&format!("wrong_type {key}"), &[&format!("{key}: a"), &format!("{key}: {{a: b}}")]);
    }
}

#[test]
fn mi_08_locked_parts_lie_under_a_robot_of_the_mission() {
    let front = accepted("resources: [a/arm, {path: a/body/arm, hold: command}]\nrobots: [a]");
    let parts = front.resources.unwrap();
    assert_eq!((parts[1].value.part.join("/").as_str(), parts[1].value.hold), ("body/arm", Hold::Command));
    let of = |entry: &str| format!("robots: [a]\nresources: [{entry}]");
    refused(
        "out_of_range resources[0]",
        &[&of("a"), &of("b/arm"), &of("a//arm"), &of("A/arm"), &of("a/b/c/d/e/f/g/h/i/j")],
    );
    refused("out_of_range resources[0].hold", &[&of("{path: a/arm, hold: ever}")]);
    refused("wrong_type resources[0]", &[&of("{hold: run}"), &of("5")]);
    let many = |count| format!("robots: [a]\nresources: {}", list(count, |i| format!("a/p{i}")));
    accepted(&many(32));
    refused("out_of_range resources", &[&many(33)]);
}

#[test]
fn mi_08_limits_are_those_of_the_safety_engine() {
    let front =
        accepted("constraints: [{type: max_velocity, params: 0.5, robot: a, actuator: b, frame: c, reason: d}]");
    let limit = &front.constraints[0].value;
    assert_eq!((limit.robot.as_ref().unwrap().as_str(), limit.reason.as_deref()), ("a", Some("d")));
    let of = |entry: &str| format!("constraints: [{entry}]");
    refused(
        "constraint_invalid constraints[0].params",
        &[
            &of("{type: max_velocity, params: -1}"),
            &of("{type: max_velocity, params: fast}"),
            &of("{type: workspace, params: {x: [1, 0], y: [0, 1], z: [0, 1]}}"),
        ],
    );
    refused("constraint_invalid constraints[0].type", &[&of("{type: max_speed, params: 1}")]);
    refused("wrong_type constraints[0]", &[&of("{type: max_velocity}"), &of("{params: 1}"), &of("x")]);
    // The place is that of the number.
    let place = told(&super::front("constraints:\n  - type: workspace\n    params: {x: [0, 1], y: [2, 1], z: [0, 1]}"));
    assert_eq!(place, "4:28 constraint_invalid constraints[0].params");
    let many = |count| format!("constraints: {}", list(count, |_| "x".into()));
    assert!(!told(&super::front(&many(1_024))).contains("out_of_range"));
    assert!(told(&super::front(&many(1_025))).starts_with("2:14 out_of_range constraints"));
}

#[test]
fn mi_08_fallbacks_name_classes_and_steps() {
    let front = accepted("fallbacks: {link: [pause_all_missions, halt_and_wait], denied: [alert_agent]}");
    assert_eq!(front.fallbacks.values().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    refused("wrong_type fallbacks.links", &["fallbacks: {links: [alert_agent]}"]);
    refused("wrong_type fallbacks.link[0]", &["fallbacks: {link: [ignore]}", "fallbacks: {link: [5]}"]);
    refused("wrong_type fallbacks.link", &["fallbacks: {link: alert_agent}"]);
    refused("out_of_range fallbacks.link", &["fallbacks: {link: []}"]);
    refused("wrong_type fallbacks", &["fallbacks: [link]"]);
}

#[test]
fn mi_08_providers_and_alerts_are_inputs_of_their_operations() {
    let provider = "topic_pattern: lab/a/out/b, world_state_key_template: a.b, value_field: c";
    let of = |more: &str| format!("providers: [{{{provider}{more}}}]");
    assert_eq!(accepted(&of("")).providers[0].value.max_age_secs.to_string(), "30");
    accepted(&of(", max_age_secs: 0.1"));
    accepted(&of(", max_age_secs: 86400, closed_sets: {c: [x, y]}, unit: degC"));
    refused("out_of_range providers[0].max_age_secs", &[&of(", max_age_secs: 0.09"), &of(", max_age_secs: 86401")]);
    refused("wrong_type providers[0].max_age_secs", &[&of(", max_age_secs: '30'"), &of(", max_age_secs: [1]")]);
    refused("bad_predicate providers[0].filter", &[&of(", filter: a ="), &of(", filter: a = 1 AND")]);
    refused("unknown_key providers[0].mission_id", &[&of(", mission_id: x")]);
    refused("wrong_type providers[0]", &["providers: [{topic_pattern: lab/a/out/b}]", "providers: [x]"]);
    let alert = |more: &str| format!("alerts: [{{predicate: a.b > 1{more}}}]");
    accepted(&alert(", debounce_secs: 1, arousal_boost: 100"));
    refused(
        "out_of_range alerts[0].debounce_secs",
        &[&alert(", debounce_secs: 0.9"), &alert(", debounce_secs: 86401")],
    );
    refused("out_of_range alerts[0].arousal_boost", &[&alert(", arousal_boost: 101"), &alert(", arousal_boost: -1")]);
    refused("bad_predicate alerts[0].predicate", &["alerts: [{predicate: a.b >}]"]);
    refused("unknown_key alerts[0].mission_id", &[&alert(", mission_id: x")]);
    for (key, entry) in [("providers", "x: 1"), ("alerts", "y: 1")] {
        let many = |count| told(&front(&format!("{key}: {}", list(count, |_| format!("{{{entry}}}")))));
        assert!(!many(64).contains("out_of_range") && many(65).contains(&format!("out_of_range {key}\n")));
    }
}

#[test]
fn mi_08_triggers_are_words_times_or_predicates() {
    let front = accepted(
        "triggers: [immediate, spawn, {cron: '0 22 * * *'}, {at: 2026-03-09T07:00:00Z}, {when: a.b = 1 for 10 s, once: true}, \
         {when: a.b = 1}]",
    );
    let recurs: Vec<bool> = front.triggers.iter().map(|trigger| trigger.value.recurs()).collect();
    assert_eq!(recurs, [false, true, true, false, false, true]);
    let of = |entry: &str| format!("triggers: [{entry}]");
    refused(
        "invalid_cron triggers[0].cron",
        &[&of("{cron: '0 25 * * *'}"), &of("{cron: often}"), &of("{cron: '* * * * * *'}")],
    );
    refused("bad_time triggers[0].at", &[&of("{at: tomorrow}"), &of("{at: 2026-13-09T07:00:00Z}")]);
    refused("bad_predicate triggers[0].when", &[&of("{when: a.b ~ 1}")]);
    refused(
        "out_of_range triggers[0]",
        &[&of("later"), &of("{cron: '0 1 * * *', at: 2026-03-09T07:00}"), &of("{once: true}")],
    );
    refused("out_of_range triggers[0]", &[&of("{cron: '0 1 * * *', once: true}")]);
    refused("wrong_type triggers[0].once", &[&of("{when: a.b = 1, once: yes}")]);
    refused("wrong_type triggers[0]", &[&of("5"), &of("[immediate]")]);
    let many = |count| format!("triggers: {}", list(count, |_| "immediate".into()));
    accepted(&many(8));
    refused("out_of_range triggers", &[&many(9)]);
    refused("bad_time time_zone", &["time_zone: Europe/Atlantis"]);
    refused("wrong_type time_zone", &["time_zone: 1"]);
}

#[test]
fn mi_08_goals_are_sentences_steps_and_waits() {
    let front = accepted(
        "goals:\n  - Look even\n  - {goal: Clean, done_when: a.b = 1}\n  - {operation: send_command, name: n, timeout_secs: 3600, \
         input: {robot: a, force_n: 5, motion: {switch: {on: true}}}}\n  - {wait_for: a.b = 1, timeout_secs: 86400}\n  - {wait_secs: 1}",
    );
    assert_eq!(front.goals.len(), 5);
    let Goal::Step { input, .. } = &front.goals[2].value else { panic!() };
    assert_eq!(serde_json::to_string(input).unwrap(), r#"{"force_n":5,"motion":{"switch":{"on":true}},"robot":"a"}"#);
    let of = |entry: &str| format!("goals: [{entry}]");
    let text = |chars: usize| of(&"x".repeat(chars));
    accepted(&text(500));
    refused("out_of_range goals[0]", &[&text(501), &of("{goal: a, operation: b}"), &of("{name: a}"), &of("''")]);
    refused(
        "out_of_range goals[0].timeout_secs",
        &[
            &of("{operation: a, timeout_secs: 0}"),
            &of("{operation: a, timeout_secs: 3601}"),
            &of("{operation: a, timeout_secs: 1.5}"),
            &of("{wait_for: a.b = 1, timeout_secs: 86401}"),
        ],
    );
    refused("out_of_range goals[0].wait_secs", &[&of("{wait_secs: 0}"), &of("{wait_secs: 86401}")]);
    refused("wrong_type goals[0].wait_secs", &[&of("{wait_secs: '5'}"), &of("{wait_secs:}")]);
    refused("wrong_type goals[0].input", &[&of("{operation: a, input: [1]}"), &of("{operation: a, input: b}")]);
    refused("bad_predicate goals[0].done_when", &[&of("{goal: a, done_when: b}")]);
    refused("unknown_key goals[0].input", &[&of("{wait_secs: 5, input: {}}")]);
    refused("wrong_type goals[0]", &[&of("5"), &of("[a]")]);
    let many = |count| format!("goals: {}", list(count, |_| "a".into()));
    accepted(&many(128));
    refused("out_of_range goals", &[&many(129)]);
}

#[test]
fn mi_08_preconditions_completion_and_failure() {
    let text = |chars: usize| format!("preconditions: [a.b > 30, {{text: {}}}]", "x".repeat(chars));
    accepted(&text(300));
    refused("out_of_range preconditions[1].text", &[&text(301)]);
    refused("bad_predicate preconditions[0]", &["preconditions: [Nobody is inside]"]);
    refused("wrong_type preconditions[0]", &["preconditions: [{}]", "preconditions: [5]"]);
    let many = |count| format!("preconditions: {}", list(count, |i| format!("a.b = {i}")));
    accepted(&many(16));
    refused("out_of_range preconditions", &[&many(17)]);
    accepted("completes_when: a.b = 1");
    refused("bad_predicate completes_when", &["completes_when: done"]);
    assert_eq!(accepted("on_failure: alert").on_failure, OnFailure::Alert);
    assert!(matches!(accepted("on_failure: {spawn: park-arm}").on_failure, OnFailure::Spawn(_)));
    let retry = |times: u32, delay: u32| format!("on_failure: {{retry: {{times: {times}, delay_secs: {delay}}}}}");
    accepted(&retry(1, 1));
    accepted(&retry(10, 3_600));
    refused("out_of_range on_failure.retry.times", &[&retry(0, 1), &retry(11, 1)]);
    refused("out_of_range on_failure.retry.delay_secs", &[&retry(1, 0), &retry(1, 3_601)]);
    refused("wrong_type on_failure.retry", &["on_failure: {retry: {delay_secs: 5}}", "on_failure: {retry: 3}"]);
    refused("bad_id on_failure.spawn", &["on_failure: {spawn: Park}"]);
    refused(
        "out_of_range on_failure",
        &["on_failure: go on", "on_failure: {retry: {times: 1}, spawn: a}", "on_failure: {}"],
    );
    refused("wrong_type on_failure", &["on_failure: 5", "on_failure: [stop]"]);
    assert_eq!(accepted("approval: ask").approval, Approval::Ask);
    assert_eq!(accepted("approval: activation").approval, Approval::Activation);
    refused("out_of_range approval", &["approval: none"]);
    refused("wrong_type approval", &["approval: true"]);
}

#[test]
fn mi_08_jobs_envelopes_and_budget() {
    let job = |more: &str| format!("schedule: [{{prompt: Sum up., {more}}}]");
    accepted(&job("cron_schedule: '0 * * * *', missed: skip, grace_secs: 0, max_retries: 10"));
    accepted(&job("every_secs: 604800, name: a, time_zone: Europe/Berlin"));
    refused(
        "out_of_range schedule[0]",
        &[
            &job("every_secs: 59"),
            &job("every_secs: 604801"),
            &job("at: '07:00', every_secs: 60"),
            &job("name: a"),
            &job("operation: b, every_secs: 60"),
            &job("every_secs: 60, max_retries: 11"),
            &job("every_secs: 60, grace_secs: 604801"),
        ],
    );
    refused("bad_time schedule[0]", &[&job("every_secs: 60, time_zone: Nowhere")]);
    refused("unknown_key schedule[0].mission_id", &[&job("every_secs: 60, mission_id: a")]);
    refused("wrong_type schedule[0].cron_schedule", &[&job("cron_schedule: often")]);
    let many = |count| format!("schedule: {}", list(count, |_| "{prompt: a, every_secs: 60}".into()));
    accepted(&many(32));
    refused("out_of_range schedule", &[&many(33)]);
    let envelope = |speed: &str, count: &str, hours: &str| {
        format!(
            "envelope: [{{robot: a, actuator: b, operation: c, speed_mps_max: {speed}, count: {count}, hours: {hours}, \
             region: {{x: [0, 1], y: [0, 1], z: [0, 1]}}, force_n_max: 5}}]"
        )
    };
    accepted(&envelope("0.1", "1", "0.1"));
    accepted(&envelope("100", "100", "8"));
    refused("out_of_range envelope[0].speed_mps_max", &[&envelope("0", "1", "1"), &envelope("101", "1", "1")]);
    refused("out_of_range envelope[0].count", &[&envelope("1", "0", "1"), &envelope("1", "101", "1")]);
    refused("out_of_range envelope[0].hours", &[&envelope("1", "1", "0"), &envelope("1", "1", "8.1")]);
    refused("wrong_type envelope[0]", &["envelope: [{robot: a}]", "envelope: [a]"]);
    accepted("budget_usd: 1000");
    refused("out_of_range budget_usd", &["budget_usd: 0", "budget_usd: 1000.1", "budget_usd: -1"]);
}
