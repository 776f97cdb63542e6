//! Proposals, which wait for a person: the words of the card, the conditions of approval, the rest of it after a crash,
//! and standing approval.

use std::sync::Arc;

use bridge::{Link, LinkConfig};
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::{Site, arm_goal, find, violations};
use robot::{Codec, Now};
use runtime::wire::CommandStep;
use serde_json::{Value, json};

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

/// Approves exactly this card.
pub(crate) fn decision(proposal: &Value) -> Value {
    json!({ "id": proposal["id"], "version": proposal["version"], "action_hash": proposal["action_hash"] })
}

/// Asks for a motion in chat and waits for its card.
pub(crate) async fn ask(site: &mut Site, text: &str) -> anyhow::Result<Value> {
    site.get("send_message", json!({ "text": text })).await?;
    site.until_proposal(|proposal| proposal["state"] == "waiting").await
}

fn near(value: &Value, wanted: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - wanted).abs() < 0.02)
}

#[tokio::test(flavor = "multi_thread")]
async fn att_14_a_card_shows_what_its_hash_covers_and_all_that_it_rests_on() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let card = ask(&mut site, MOVE).await?;
    let goal = json!({ "position_m": [0.5, 0.2, 1.0], "speed_mps": 0.2 });
    let input = json!({ "robot": "arm-1", "actuator": "arm", "frame": "base_link", "motion": { "pose_goal": goal } });
    assert_eq!(card["input"], input);
    assert_eq!(card["group"], "send_command/arm-1/arm/pose_goal");
    assert_eq!(card["preview"]["path"], json!([[0.5, 0.2, 1.0]]));
    assert_eq!(card["start_pose"]["position_m"], json!([0.3, 0.0, 0.8]));
    assert_eq!(card["verdict_id"], card["verdict"]["id"]);
    let held = card["preconditions"].as_array().cloned().unwrap_or_default();
    assert!(held.len() == 8 && held.iter().all(|row| row["holds"] == true), "{held:?}");
    let facts = card["facts"].as_array().cloned().unwrap_or_default();
    assert!(facts.iter().any(|fact| fact["key"] == "arm-1.pose" && fact["freshness"] == "live"), "{facts:?}");
    assert!(card["turn"].as_str().is_some_and(|turn| turn.starts_with("turn-")));
    site.get("approve_proposal", decision(&card)).await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await?;

    let next = ask(&mut site, "move arm-1 to 0.4 0.2 1.0 at 0.2 m/s").await?;
    assert_eq!(next["diff_from_last"]["last"], card["id"]);
    let change = json!([{ "path": "motion.pose_goal.position_m[0]", "from": 0.5, "to": 0.4 }]);
    assert_eq!(next["diff_from_last"]["changes"], change);
    assert_ne!(next["action_hash"], card["action_hash"]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t7_a_card_whose_robot_has_moved_is_judged_again_and_waits_for_a_new_look() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let card = ask(&mut site, MOVE).await?;
    site.get("send_command", arm_goal([0.3, 0.0, 0.95], 0.03)).await?;
    let moved = site.until_proposal(|proposal| proposal["state"] == "recheck").await?;
    // The person's own motion has the arm; where it will stand is not known before it has ended.
    assert_eq!(moved["state_reason"], "it is not allowed now");
    let not_allowed = json!({ "code": "precondition", "precondition": "verdict_allow" });
    assert_eq!(moved["state_reason_kind"], not_allowed);
    let failed = json!({ "code": "verdict_allow", "holds": false });
    assert!(moved["preconditions"].as_array().is_some_and(|rows| rows.contains(&failed)), "{moved:#}");
    let refused = site.refused("approve_proposal", decision(&moved)).await?;
    assert!(refused == "proposal_recheck" || refused == "proposal_changed", "{refused}");
    let again = site
        .until_proposal(|card| card["state"] == "waiting" && near(&card["start_pose"]["position_m"][2], 0.95))
        .await?;
    assert!(again["version"].as_u64() > card["version"].as_u64());
    assert_eq!(again["expires_mono_ms"], card["expires_mono_ms"], "a new judgement gives no more time");
    assert_eq!(site.refused("approve_proposal", decision(&card)).await?, "proposal_changed");
    site.get("approve_proposal", decision(&again)).await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn p_17_edited_numbers_are_a_persons_own_command_and_what_is_denied_leaves_the_card() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let card = ask(&mut site, MOVE).await?;
    let edit = |change: &dyn Fn(&mut Value)| {
        let mut input = card["input"].clone();
        change(&mut input);
        json!({ "id": card["id"], "version": card["version"], "input": input })
    };
    let other_robot = edit(&|input| input["robot"] = json!("rover-1"));
    assert_eq!(site.refused("edit_proposal", other_robot).await?, "not_numbers_only");
    let outside = edit(&|input| input["motion"]["pose_goal"]["position_m"][0] = json!(2.0));
    let denied = site.get("edit_proposal", outside).await?;
    assert!(denied["state"] == "denied" && violations(&denied["verdict"]).contains(&"workspace"), "{denied:#}");
    site.until_proposal(|proposal| proposal["state"] == "waiting").await?;

    let lower = edit(&|input| input["motion"]["pose_goal"]["position_m"] = json!([0.4, 0.1, 0.9]));
    let sent = site.get("edit_proposal", lower.clone()).await?;
    assert_eq!((&sent["verdict"]["overall"], &sent["proposal"]), (&json!("allow"), &Value::Null));
    let replaced = site.until_proposal(|proposal| proposal["state"] == "voided").await?;
    assert_eq!(replaced["state_reason"], "replaced by a command of admin");
    assert_eq!(replaced["state_reason_kind"], json!({ "code": "replaced", "by": "admin" }));
    assert_eq!(site.refused("edit_proposal", lower).await?, "proposal_closed");
    site.until_robot("arm-1", |row| near(&row["pose"]["position_m"][0], 0.4)).await?;
    let answer = site.until_answer(MOVE).await?;
    assert!(answer.contains("changed the numbers"), "{answer}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_35_more_than_ten_proposals_a_minute_are_refused_and_that_is_told_once() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    for _ in 0..12 {
        site.get("send_message", json!({ "text": MOVE })).await?;
    }
    let told = |fact: &api::Fact| matches!(fact, api::Fact::Event { code, .. } if code == "too_many_proposals");
    site.until_fact("the refusal", told).await?;
    let cards = site.get("list_proposals", json!({})).await?;
    let groups: Vec<_> = cards.as_array().into_iter().flatten().map(|card| card["group"].clone()).collect();
    assert_eq!(groups, vec![json!("send_command/arm-1/arm/pose_goal"); 10]);
    site.get("stop_all", json!({})).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn t6_after_a_crash_a_sent_proposal_is_unknown_and_is_never_sent_again() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let sent = ask(&mut site, "move arm-1 to 0.6 0.3 1.2 at 0.02 m/s").await?;
    site.get("approve_proposal", decision(&sent)).await?;
    site.until_proposal(|proposal| proposal["state"] == "running").await?;
    let waits = ask(&mut site, MOVE).await?;
    let site = site.crash().await?;
    let left = site.get("list_proposals", json!({})).await?;
    let states: Vec<_> =
        left.as_array().into_iter().flatten().map(|card| (card["id"].clone(), card["state"].clone())).collect();
    let expected = [(waits["id"].clone(), json!("expired")), (sent["id"].clone(), json!("unknown"))];
    assert_eq!(states, expected);
    for card in [&sent, &waits] {
        assert_eq!(site.refused("approve_proposal", decision(card)).await?, "proposal_closed");
    }
    Ok(())
}

/// Says where people are, far away, so that slow motion needs no more than a click: the cameras name zones only.
pub(crate) async fn with_people_far_away(site: &mut Site, max_age_secs: u32) -> anyhow::Result<()> {
    for axis in ["x_m", "y_m"] {
        let context = json!({ "topic_pattern": "lab/tracker/out/people", "value_field": axis, "max_age_secs": max_age_secs,
            "world_state_key_template": format!("{{label}}.{axis}"), "closed_sets": { "label": ["person", "toddler"] } });
        site.get("configure_context", context).await?;
    }
    people_at(site, [9.5, 9.5]).await
}

/// Says that everybody is there now, after [`with_people_far_away`].
pub(crate) async fn people_at(site: &mut Site, [x_m, y_m]: [f64; 2]) -> anyhow::Result<()> {
    let endpoint = site.endpoint().await?;
    let config = LinkConfig { connect: vec![endpoint], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher("lab/tracker/out/people", Codec::Json)?;
    for label in ["person", "toddler"] {
        let sample = json!({ "label": label, "x_m": x_m, "y_m": y_m }).to_string().into_bytes();
        let last = format!("{label}.y_m");
        site.put_until(|| Ok(publisher.put(sample.clone())?), (&last, json!(y_m))).await?;
    }
    link.close().await;
    Ok(())
}

/// A rover that has moved once since it was armed.
pub(crate) async fn rover(site: &mut Site) -> anyhow::Result<()> {
    site.arm("rover-1").await?;
    let first = json!({ "robot": "rover-1", "actuator": "base",
        "motion": { "pose_goal": { "position_m": [0.2, 0.0, 0.0], "speed_mps": 0.4 } } });
    site.get("send_command", first).await?;
    let done = |fact: &api::Fact| matches!(fact, api::Fact::CommandStep { step: CommandStep::Done, .. });
    site.until_fact("the end of the first motion", done).await?;
    Ok(())
}

pub(crate) fn grant(change: impl FnOnce(&mut Value)) -> Value {
    let workspace = json!({ "x": [-2, 2], "y": [-2, 2], "z": [-1, 1] });
    let mut grant = json!({
        "robot": "rover-1", "operation": "send_command", "count": 2, "hours": 1,
        "envelope": { "actuator": "base", "workspace": workspace, "speed_mps_max": 0.3 },
    });
    change(&mut grant);
    grant
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standing_approval_lets_covered_motion_happen_until_a_stop_or_a_change_of_limits() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    rover(&mut site).await?;
    let granted = site.get("grant_standing_approval", grant(|_| {})).await?;

    site.get("send_message", json!({ "text": "drive rover-1 to 0.5 0 at 0.25 m/s" })).await?;
    let done = site.until_proposal(|proposal| proposal["state"] == "done").await?;
    assert_eq!((&done["tier"], &done["standing_approval"]), (&json!("medium"), &granted["id"]));
    assert_eq!(done["decided_by"], "admin");
    let listed = site.get("list_standing_approvals", json!({})).await?;
    assert_eq!((&listed[0]["id"], &listed[0]["used"], &listed[0]["count"]), (&granted["id"], &json!(1), &json!(2)));

    let outside = ask(&mut site, "drive rover-1 to 0.8 0 at 0.35 m/s").await?;
    assert_eq!((&outside["tier"], &outside["standing_approval"]), (&json!("medium"), &Value::Null));

    let slower = json!({ "robot": "rover-1", "constraint_type": "max_velocity", "params_json": "1.4" });
    site.get("register_constraint", slower).await?;
    site.until("list_standing_approvals", json!({}), |rows| rows == &json!([])).await?;
    let ended = |record: &Value| {
        let about = record["detail"].as_str().unwrap_or_default();
        record["operation"] == "standing_approval"
            && record["outcome"] == "ended"
            && about.starts_with(&format!("id={} uses=1 ", granted["id"].as_str().unwrap_or_default()))
    };
    site.until("list_audit", json!({}), |records| records.as_array().is_some_and(|all| all.iter().any(ended))).await?;

    site.get("grant_standing_approval", grant(|_| {})).await?;
    site.get("stop_robot", json!({ "robot": "arm-1" })).await?;
    assert_eq!(site.get("list_standing_approvals", json!({})).await?, json!([]));
    let again = site.restart().await?;
    assert_eq!(again.get("list_standing_approvals", json!({})).await?, json!([]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_of_any_robot_voids_every_card_made_before_it_and_none_made_after() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let before = ask(&mut site, MOVE).await?;
    let stop = site.get("stop_robot", json!({ "robot": "rover-1" })).await?;
    let void = site.until_proposal(|proposal| proposal["id"] == before["id"] && proposal["state"] == "voided").await?;
    let reason = void["state_reason"].as_str().unwrap_or_default();
    assert!(reason.contains(&format!("#{}", stop["stop_id"])), "{void:#}");
    assert_eq!(site.refused("approve_proposal", decision(&before)).await?, "proposal_closed");

    let after = ask(&mut site, "move arm-1 to 0.4 0.2 1.0 at 0.2 m/s").await?;
    site.get("approve_proposal", decision(&after)).await?;
    site.until_proposal(|proposal| proposal["id"] == after["id"] && proposal["state"] == "done").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standing_approval_without_bounds_is_refused_and_one_can_be_revoked() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    for (change, code) in [
        (json!({ "count": 101 }), "bad_standing_approval"),
        (json!({ "count": 0 }), "bad_standing_approval"),
        (json!({ "hours": 8.1 }), "bad_standing_approval"),
        (json!({ "operation": "stop_all" }), "bad_standing_approval"),
        (json!({ "robot": "rover-9" }), "robot_not_found"),
        (json!({ "mission_id": "nowhere" }), "mission_not_found"),
        (json!({ "envelope": { "actuator": "base" } }), "invalid_input"),
    ] {
        let input = grant(|grant| {
            for (key, value) in change.as_object().into_iter().flatten() {
                grant[key] = value.clone();
            }
        });
        assert_eq!(site.refused("grant_standing_approval", input).await?, code, "{change}");
    }
    let granted = site.get("grant_standing_approval", grant(|_| {})).await?;
    site = site.restart().await?;
    let listed = site.get("list_standing_approvals", json!({})).await?;
    assert_eq!((&listed[0]["id"], &listed[0]["used"]), (&granted["id"], &json!(0)), "a clean restart keeps it");
    site.get("revoke_standing_approval", json!({ "id": granted["id"] })).await?;
    assert_eq!(site.get("list_standing_approvals", json!({})).await?, json!([]));
    let gone = site.refused("revoke_standing_approval", json!({ "id": granted["id"] })).await?;
    assert_eq!(gone, "standing_approval_not_found");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ml_11_the_end_of_a_mission_voids_its_own_cards_alone() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    rover(&mut site).await?;
    let model = FakeModel::start([carried(0.5), Answer::Say("It waits for you.".into())]).await?;
    let provider = json!({
        "id": "local", "kind": "openai_compatible", "base": model.base(), "local": true, "models": ["m-1"],
    });
    site.get("set_provider", provider).await?;
    site.get("select_model", json!({ "provider": "local", "model": "m-1" })).await?;
    let folder = site.data_dir().join("agents/main/missions");
    for id in ["carry", "other"] {
        std::fs::write(folder.join(format!("{id}.md")), "---\nrobots: [rover-1]\n---\nCarry.\n")?;
        site.activate(id).await?;
    }
    let card = ask(&mut site, "Carry it over.").await?;
    assert_eq!(card["mission"], "carry");
    site.get("cancel_mission", json!({ "mission_id": "other" })).await?;
    let rows = site.get("list_proposals", json!({})).await?;
    assert_eq!(
        find(&rows, "id", card["id"].as_str().unwrap_or_default()).map(|row| row["state"].clone()),
        Some(json!("waiting"))
    );
    site.get("cancel_mission", json!({ "mission_id": "carry" })).await?;
    site.until_proposal(|proposal| proposal["id"] == card["id"] && proposal["state"] == "voided").await?;
    Ok(())
}

/// A model's command that drives the rover for the mission `carry`.
pub(crate) fn carried(x_m: f64) -> Answer {
    let pose_goal = json!({ "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.25 });
    let command =
        json!({ "robot": "rover-1", "actuator": "base", "mission_id": "carry", "motion": { "pose_goal": pose_goal } });
    Answer::Call(vec![("send_command", command)])
}

#[tokio::test(flavor = "multi_thread")]
async fn p_14_ml_25_what_was_given_for_a_mission_holds_while_the_agent_runs_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    with_people_far_away(&mut site, 600).await?;
    rover(&mut site).await?;
    let model = FakeModel::start([carried(0.5), Answer::Say("It waits for you.".into()), carried(0.5)]).await?;
    let provider = json!({
        "id": "local", "kind": "openai_compatible", "base": model.base(), "local": true, "models": ["m-1"],
    });
    site.get("set_provider", provider).await?;
    site.get("select_model", json!({ "provider": "local", "model": "m-1" })).await?;
    let file = site.data_dir().join("agents/main/missions/carry.md");
    std::fs::write(file, "---\ntitle: Carry\nrobots: [rover-1]\n---\nCarry.\n")?;
    let shown = site.get("get_mission", json!({ "mission_id": "carry" })).await?;
    site.get("activate_mission", json!({ "mission_id": "carry", "hash": shown["hash"] })).await?;
    let is_live = |rows: &Value| find(rows, "id", "carry").is_some_and(|row| row["state"] == "active");
    site.until("list_missions", json!({}), is_live).await?;
    let granted = site.get("grant_standing_approval", grant(|grant| grant["mission_id"] = json!("carry"))).await?;

    let card = ask(&mut site, "Carry it over.").await?;
    assert_eq!(card["standing_approval"], Value::Null, "the mode asks for everything");
    let no = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", no).await?;
    site.until_answer("Carry it over.").await?;

    assert_eq!(site.refused("set_mode", json!({ "mode": "run:nowhere" })).await?, "mission_not_found");
    for mode in ["run", "run:A b"] {
        assert_eq!(site.refused("set_mode", json!({ "mode": mode })).await?, "invalid_input", "{mode}");
    }
    assert_eq!(site.get("set_mode", json!({ "mode": "run:carry" })).await?, json!({ "mode": "run:carry" }));
    site.get("send_message", json!({ "text": "Now carry it." })).await?;
    let done = site.until_proposal(|proposal| proposal["state"] == "done").await?;
    assert_eq!(done["standing_approval"], granted["id"]);
    site.get("stop_robot", json!({ "robot": "arm-1" })).await?;
    Ok(())
}
