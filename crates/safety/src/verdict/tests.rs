use expect_test::expect;
use serde_json::{Value, json};

use super::*;
use crate::fixtures::*;

fn denied() -> Verdict {
    let scene = scene().with(zone([1.0, 0.0, 0.0], 0.25));
    scene.judge(scene.command(goal([2.0, 0.0, 0.0], 0.0)))
}

#[test]
fn the_wire_form_is_what_screens_and_clients_read() {
    let mut wire = serde_json::to_value(denied()).unwrap();
    wire["items"].as_array_mut().unwrap().truncate(1);
    let hash = wire["set_hash"].take();
    assert_eq!(hash.as_str().map(str::len), Some(64));
    let item = json!({
        "constraint": "con-1",
        "kind": "forbidden_zone",
        "verdict": "deny",
        "limit": 0.250000001,
        "predicted": 0.0,
        "margin": -0.250000001,
        "unit": "m",
        "at_path_m": 0.7499999989999999,
        "point_m": [1.0, 0.0, 0.0],
        "nearest_allowed_m": [1.0, 0.0, 0.250001001],
        "reason": {"code": "forbidden_zone", "args": {"inflation_m": 0.0}},
    });
    let expected = json!({
        "id": "34d194ee-cd1f-5838-819b-75f3ab3b104a",
        "at_mono_ms": 10000,
        "robot": "arm-1",
        "mission": null,
        "command": "00000000-0000-0000-0000-000000000005",
        "frame": "base_link",
        "overall": "deny",
        "items": [item],
        "violations_total": 1,
        "set_version": 3,
        "set_hash": null,
        "snapshot_seq": 7,
        "speed_allowed_mps": null,
        "path_checked": "segment",
    });
    assert_eq!(wire, expected);
}

#[test]
fn a_number_that_is_not_finite_is_null() {
    let verdict = scene().state(|state| state.armed = false);
    let verdict = verdict.judge(verdict.command(goal([0.1, 0.0, 0.0], 0.1)));
    let item = serde_json::to_value(&verdict.items[0]).unwrap();
    assert_eq!((&item["limit"], &item["predicted"], &item["margin"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(item["reason"], json!({"code": "not_armed", "args": {}}));
}

#[test]
fn a_cause_is_named_with_its_data() {
    let overall = Overall::ValidatorError(Cause::ClockFailed);
    assert_eq!(serde_json::to_value(overall).unwrap(), json!({"validator_error": "clock_failed"}));
}

#[test]
fn a_stored_verdict_reads_back_but_approves_nothing() {
    let scene = scene();
    let wire = serde_json::to_value(scene.judge(scene.command(goal([0.1, 0.0, 0.0], 0.1)))).unwrap();
    let read: Verdict = serde_json::from_value(wire.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), wire);
    assert!(read.into_approved().is_err());
}

#[test]
fn a_refusal_after_the_judgement_takes_the_approval_back() {
    let scene = scene();
    let allowed = scene.judge(scene.command(goal([0.1, 0.0, 0.0], 0.1)));
    let refused = allowed.refuse(Reason::Deadline, ReasonArgs::default());
    assert_eq!((refused.overall, refused.violations_total), (Overall::Deny, 1));
    expect!["Denied: the check took too long."].assert_eq(&refused.into_approved().unwrap_err().to_string());
}

#[test]
fn a10_a_station_that_failed_allows_nothing_and_no_later_refusal_hides_it() {
    let scene = scene();
    let allowed = scene.judge(scene.command(goal([0.1, 0.0, 0.0], 0.1)));
    let failed = allowed.not_judged(Cause::LockPoisoned).refuse(Reason::Arbitration, ReasonArgs::default());
    assert_eq!(failed.overall, Overall::ValidatorError(Cause::LockPoisoned));
    assert!(failed.into_approved().is_err());
}

#[test]
fn a5_a_denial_of_arbitration_or_lease_names_who_is_in_the_way() {
    let sentence = |code, owner: &str, expected: Option<&str>| {
        let args = ReasonArgs {
            owner: Some(owner.to_owned()),
            expected: expected.map(|text| text.to_owned().into()),
            ..ReasonArgs::default()
        };
        crate::sentence(&Item::precondition(code, args))
    };
    let nobody = sentence(Reason::Arbitration, "nobody", Some("take control of rover-1 first"));
    assert_eq!(nobody, "Nobody has control of the robot: take control of rover-1 first.");
    assert_eq!(sentence(Reason::Lease, "mission patrol", None), "Mission patrol uses it until the motion has ended.");
}

#[test]
fn a_denied_verdict_stays_denied_whatever_is_written_over_it() {
    let mut verdict = denied();
    verdict.overall = Overall::Allow;
    assert!(verdict.into_approved().is_err());
    let scene = scene();
    let mut verdict = scene.judge(scene.command(goal([0.1, 0.0, 0.0], 0.1)));
    verdict.overall = Overall::Deny;
    assert!(verdict.into_approved().is_err());
}

#[test]
fn a_full_verdict_makes_room_for_a_refusal() {
    let crowded = (0..40).fold(scene(), |scene, _| scene.with(zone([1.0, 0.0, 0.0], 0.5)));
    let refused = crowded.judge(crowded.command(goal([1.0, 0.0, 0.0], 0.0)));
    let refused = (0..40).fold(refused, |verdict, _| verdict.refuse(Reason::Deadline, ReasonArgs::default()));
    assert_eq!((refused.items.len(), refused.violations_total), (ITEMS_MAX, 80));
}

#[test]
fn a_void_approval_says_what_has_changed() {
    let sentence = |why: Option<&'static str>| {
        let args = ReasonArgs { expected: why.map(Into::into), ..ReasonArgs::default() };
        crate::sentence(&Item::precondition(Reason::ApprovalVoid, args))
    };
    assert_eq!(sentence(None), "The approval no longer holds.");
    assert_eq!(
        sentence(Some("the limits have changed: expected version 3, found version 4")),
        "The approval no longer holds: the limits have changed: expected version 3, found version 4."
    );
    assert_eq!(sentence(Some("Mission patrol is paused.")), "The approval no longer holds: Mission patrol is paused.");
}

#[test]
fn each_item_has_a_sentence() {
    let scene = scene_with_body().with(zone([1.0, 0.0, 0.0], 0.25)).with(crate::ConstraintKind::MaxForce(10.0));
    let command = scene.command(with_force(5.0, goal([2.0, 0.0, 0.0], 0.0)));
    let items = crate::explain(&scene.limits(), &scene.state, &command, NOW);
    let sentences: Vec<_> = items.iter().map(crate::sentence).collect();
    expect![[r#"
        The goal is 8.00 m inside the plausible bounds.
        The way passes 0.00 m from the centre of forbidden zone con-1 of 0.25 m, with 0.09 m for body, error and margin, 0.34 m too near at (1.00, 0.00, 0.00).
        The force is 5.0 N below its limit.
        Workspace x leaves 6.91 m.
        The acceleration limit does not concern this motion.
        The goal is 28.00 m nearer than the longest step allowed.
        The speed is 100.00 m/s below its limit."#]].assert_eq(&sentences.join("\n"));
}
