//! Control of a robot: taking it, asking for it, losing it, and the acts that pass meanwhile.

use std::time::Duration;

use api::{ErrorBody, Fact, Session};
use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::{Value, json};

use crate::supervision::until_state;

const MOVE: &str = "move arm-1 to 0.5 0.2 1.0 at 0.05 m/s";

fn rover(robot: &str) -> Value {
    json!({ "robot": robot })
}

fn drive() -> Value {
    json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [0.5, 0.0, 0.0], "speed_mps": 0.2 } } })
}

fn jog(x_mps: f64) -> Value {
    json!({ "robot": "rover-1", "actuator": "base", "linear_mps": [x_mps, 0, 0], "angular_radps": [0, 0, 0] })
}

fn decision(proposal: &Value) -> Value {
    json!({ "id": proposal["id"], "version": proposal["version"], "action_hash": proposal["action_hash"] })
}

async fn as_desk(site: &Site, desk: &Session, operation: &str, input: Value) -> Result<Value, ErrorBody> {
    site.api.call(desk, operation, input).await
}

async fn refused_desk(site: &Site, desk: &Session, operation: &str, input: Value) -> anyhow::Result<ErrorBody> {
    match as_desk(site, desk, operation, input).await {
        Ok(answer) => anyhow::bail!("{operation} was not refused: {answer}"),
        Err(error) => Ok(error),
    }
}

/// Waits until `holds` of the holder of `robot`.
async fn until_holder(site: &mut Site, robot: &str, holds: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
    site.until_robot(robot, |row| holds(&row["control"])).await.map(drop)
}

async fn until_held_motion(site: &mut Site) -> anyhow::Result<()> {
    let held = |fact: &Fact| matches!(fact, Fact::CommandStep { code: Some(code), .. } if code == "held");
    site.until_fact("the end of the motion", held).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn with_nobody_in_control_nothing_moves_and_arming_takes_control_if_no_other_person_has_it() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    let denied = site.get("check_command", drive()).await?;
    assert_eq!(violations(&denied["verdict"]), ["arbitration", "not_armed"]);
    let sentence = denied["explanation"][0]["sentence"].as_str().unwrap_or_default();
    assert_eq!(sentence, "Nobody has control of the robot: take control of rover-1 first.");

    site.arm("rover-1").await?;
    let row = site.until_robot("rover-1", |row| row["state"] == "armed").await?;
    assert_eq!(row["control"]["person"]["exclusive"], false, "{row:#}");
    assert_eq!(site.get("check_command", drive()).await?["verdict"]["overall"], "allow");
    let denied = as_desk(&site, &desk, "send_command", drive()).await?;
    assert_eq!(denied["verdict"]["items"][0]["reason"]["args"]["owner"], "admin (server)", "{denied:#}");
    for operation in ["arm_robot", "release_control", "hand_to_agent", "take_control"] {
        let error = refused_desk(&site, &desk, operation, rover("rover-1")).await?;
        assert_eq!((error.status(), error.code.as_str()), (409, "not_in_control"), "{operation}");
        assert_eq!(error.details["holder"]["person"]["name"], "admin");
    }

    let released = site.get("release_control", rover("rover-1")).await?;
    assert_eq!(released["holder"], "nobody");
    // Handing over keeps it armed: nothing arms it again by itself.
    site.until_robot("rover-1", |row| row["state"] == "armed").await?;
    assert_eq!(violations(&site.get("send_command", drive()).await?["verdict"]), ["arbitration"]);
    as_desk(&site, &desk, "arm_robot", rover("rover-1")).await?;
    let sent = as_desk(&site, &desk, "send_command", drive()).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    assert_ne!(sent["state"], "refused_by_robot", "the robot knows the new claim: {sent:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a5_nothing_of_the_agent_passes_while_a_person_has_control_for_themselves() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let waiting = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let error = refused_desk(&site, &desk, "approve_proposal", decision(&waiting)).await?;
    assert_eq!(error.code, "not_in_control", "only the person in control approves");
    site.get("approve_proposal", decision(&waiting)).await?;
    site.until_proposal(|proposal| proposal["state"] == "running").await?;
    let locks = site.get("list_locks", json!({})).await?;
    let arm = find(&locks, "resource", "arm-1/body/arm").cloned().unwrap_or_default();
    assert_eq!(arm["owner"], json!({ "agent": { "id": "main" } }), "{locks:#}");

    let taken = site.get("take_control", rover("arm-1")).await?;
    assert_eq!(taken["holder"]["person"]["exclusive"], true, "{taken:#}");
    until_held_motion(&mut site).await?;
    site.until("list_locks", json!({}), |locks| {
        find(locks, "resource", "arm-1/body/arm").is_some_and(|row| row["owner"].is_null())
    })
    .await?;
    let own = site.get("check_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
    assert_eq!(own["verdict"]["overall"], "allow");
    let answer = site.say("move arm-1 to 0.4 0.1 0.9 at 0.05 m/s").await?;
    assert!(answer.contains("admin (server) has control"), "{answer}");

    let given = site.get("hand_to_agent", json!({ "robot": "arm-1", "agent": "main" })).await?;
    assert_eq!(given["holder"], json!({ "agent": { "id": "main" } }));
    let own = site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
    assert_eq!(violations(&own["verdict"]), ["arbitration"]);
    site.get("send_message", json!({ "text": "move arm-1 to 0.45 0.0 0.9 at 0.2 m/s" })).await?;
    let waiting = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    as_desk(&site, &desk, "approve_proposal", decision(&waiting)).await?;
    site.until_proposal(|proposal| proposal["state"] == "done").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_takes_control_from_the_agent_voids_what_it_proposed() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("hand_to_agent", rover("arm-1")).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    let waiting = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.get("take_control", rover("arm-1")).await?;
    assert_eq!(site.refused("approve_proposal", decision(&waiting)).await?, "proposal_closed");
    site.until_proposal(|proposal| proposal["state"] == "voided").await?;
    let records = site.get("list_audit", json!({})).await?;
    let details: Vec<_> = records
        .as_array()
        .into_iter()
        .flatten()
        .filter(|record| record["operation"] == "control")
        .filter_map(|record| record["detail"].as_str())
        .collect();
    assert!(details.iter().any(|detail| detail.contains("from=agent main to=admin")), "{details:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a1_a_motion_keeps_its_actuator_from_others_until_it_has_ended() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    // Slow enough that it is under way until the agent has had its turn.
    let first = site.get("send_command", arm_goal([0.5, 0.1, 0.9], 0.03)).await?;
    assert_eq!(first["verdict"]["overall"], "allow", "{first:#}");
    let answer = site.say(MOVE).await?;
    assert!(answer.contains("dmin uses it until the motion has ended"), "{answer}");
    let again = site.get("check_command", arm_goal([0.5, 0.0, 0.9], 0.1)).await?;
    assert_eq!(again["verdict"]["overall"], "allow", "its owner may change its mind");
    let mine = |fact: &Fact| matches!(fact, Fact::Lock { owner: Some(_), .. });
    site.until_fact("the lease of the arm", mine).await?;
    let freed = |fact: &Fact| matches!(fact, Fact::Lock { owner: None, .. });
    site.until_fact("the end of the lease", freed).await?;
    site.get("send_message", json!({ "text": MOVE })).await?;
    site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_asks_another_for_control_and_silence_is_a_refusal() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    assert_eq!(site.refused("request_control", json!({ "robot": "rover-1", "message": "" })).await?, "control_is_free");
    as_desk(&site, &desk, "take_control", rover("rover-1")).await?;
    let ask = || json!({ "robot": "rover-1", "message": "May I? <b>Now</b>" });
    let asked = site.get("request_control", ask()).await?;
    assert_eq!(site.refused("request_control", ask()).await?, "request_pending");
    let shown = |fact: &Fact| matches!(fact, Fact::Control { control } if control.request.as_ref().is_some_and(|request| request.message.contains("<b>")));
    site.until_fact("the request at the desk of the holder", shown).await?;
    let answer = |allow: bool, asked: &Value| json!({ "id": asked["request"]["id"], "allow": allow });
    assert_eq!(site.refused("answer_control_request", answer(true, &asked)).await?, "not_in_control");
    let kept = as_desk(&site, &desk, "answer_control_request", answer(false, &asked)).await?;
    assert_eq!((&kept["holder"]["person"]["name"], &kept["request"]), (&json!("desk"), &Value::Null));

    let asked = site.get("request_control", ask()).await?;
    let given = as_desk(&site, &desk, "answer_control_request", answer(true, &asked)).await?;
    assert_eq!(given["holder"]["person"]["name"], "admin");
    as_desk(&site, &desk, "request_control", ask()).await?;
    site.until("safety_status", json!({}), |status| {
        find(&status["robots"], "robot", "rover-1").is_some_and(|row| row["control_request"].is_null())
    })
    .await?;
    until_holder(&mut site, "rover-1", |holder| holder["person"]["name"] == "admin").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_administrator_takes_control_by_force_and_says_why() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let desk = Session::app_window();
    as_desk(&site, &desk, "take_control", rover("rover-1")).await?;
    assert_eq!(site.refused("take_control", rover("rover-1")).await?, "not_in_control");
    let force = |reason: &str| json!({ "robot": "rover-1", "reason": reason });
    assert_eq!(refused_desk(&site, &desk, "force_control", force("mine")).await?.status(), 403);
    assert_eq!(site.refused("force_control", force(" ")).await?, "reason_missing");
    let forced = site.get("force_control", force("the desk is empty")).await?;
    assert_eq!(forced["holder"]["person"]["name"], "admin");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a2_f16_who_has_a_screen_loses_control_with_it_and_the_motion_is_held() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    site.arm("rover-1").await?;
    site.get("release_control", rover("rover-1")).await?;
    as_desk(&site, &desk, "take_control", rover("rover-1")).await?;
    as_desk(&site, &desk, "screen_alive", json!({})).await?;
    let far = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [4.0, 0.0, 0.0], "speed_mps": 0.2 } } });
    let sent = as_desk(&site, &desk, "send_command", far).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    let expired = |fact: &Fact| matches!(fact, Fact::Event { code, .. } if code == "lease_expired");
    site.until_fact("the hold", expired).await?;
    until_holder(&mut site, "rover-1", |holder| holder == "nobody").await?;
    until_held_motion(&mut site).await?;
    until_state(&mut site, "rover-1", "armed").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1703_a_locked_screen_looks_and_stops_and_its_motion_is_held() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    site.arm("rover-1").await?;
    site.get("release_control", rover("rover-1")).await?;
    as_desk(&site, &desk, "take_control", rover("rover-1")).await?;
    as_desk(&site, &desk, "act_as_admin", json!({})).await?;
    let far = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [4.0, 0.0, 0.0], "speed_mps": 0.2 } } });
    assert_eq!(as_desk(&site, &desk, "send_command", far).await?["verdict"]["overall"], "allow");
    let locked = as_desk(&site, &desk, "lock_screen", json!({})).await?;
    assert_eq!(locked, json!({ "role": "viewer", "until_mono_ms": null }));
    until_holder(&mut site, "rover-1", |holder| holder == "nobody").await?;
    until_held_motion(&mut site).await?;
    let info = as_desk(&site, &desk, "session_info", json!({})).await?;
    assert_eq!((&info["role"], &info["locked"]), (&json!("viewer"), &json!(true)));
    for operation in ["take_control", "arm_robot"] {
        assert_eq!(refused_desk(&site, &desk, operation, rover("rover-1")).await?.status(), 403, "{operation}");
    }
    assert_eq!(as_desk(&site, &desk, "stop_robot", rover("rover-2")).await?["robots"], json!(["rover-2"]));
    let unlocked = as_desk(&site, &desk, "unlock_screen", json!({})).await?;
    assert_eq!(unlocked, json!({ "role": "operator", "until_mono_ms": null }));
    as_desk(&site, &desk, "take_control", rover("rover-1")).await?;
    let shell = refused_desk(&site, &Session::app_shell(), "unlock_screen", json!({})).await?;
    assert_eq!(shell.status(), 403, "what may only stop unlocks nothing");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jog_moves_the_robot_while_it_is_repeated_and_no_longer() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let desk = Session::app_window();
    site.arm("rover-1").await?;
    let x = |row: &Value| row["pose"]["position_m"][0].as_f64().unwrap_or(f64::NAN);
    let start = x(&site.until_robot("rover-1", |_| true).await?);
    let other = as_desk(&site, &desk, "jog", jog(0.2)).await?;
    assert_eq!(violations(&other["verdict"]), ["arbitration"]);
    let mut beat = tokio::time::interval(Duration::from_millis(100));
    while x(&site.until_robot("rover-1", |_| true).await?) < start + 0.05 {
        let answer = site.get("jog", jog(0.2)).await?;
        assert_eq!(answer["verdict"]["overall"], "allow", "{answer:#}");
        beat.tick().await;
    }
    let freed = |fact: &Fact| matches!(fact, Fact::Lock { owner: None, .. });
    site.until_fact("the end of the motion", freed).await?;
    let zero = site.get("jog", jog(0.0)).await?;
    assert_eq!(zero["verdict"]["overall"], "allow", "{zero:#}");

    site.get("inject_fault", json!({ "target": "rover-1", "fault": "delay", "on": true })).await?;
    let slow = |fact: &Fact| matches!(fact, Fact::Link { rtt_ms: Some(rtt_ms), .. } if *rtt_ms > 300.0);
    site.until_fact("a slow link", slow).await?;
    assert_eq!(site.refused("jog", jog(0.1)).await?, "link_slow");
    assert!(site.call("jog", jog(0.0)).await.is_ok(), "standing still is never refused for a slow link");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_706_a_hand_that_turns_round_at_once_is_followed_step_by_step_and_its_zero_without_a_step()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let x = |row: &Value| row["pose"]["position_m"][0].as_f64().unwrap_or(f64::NAN);
    let start_m = x(&site.until_robot("rover-1", |_| true).await?);
    let mut beat = tokio::time::interval(Duration::from_millis(100));
    for (turned, x_mps) in [0.4, -0.4, 0.4].into_iter().enumerate() {
        let is_there = |x_m: f64| if x_mps > 0.0 { x_m > start_m + 0.1 } else { x_m < start_m - 0.1 };
        loop {
            // The first of a direction comes within a tick of the last of the one before.
            let answer = site.get("jog", jog(x_mps)).await?;
            assert_eq!(answer["verdict"]["overall"], "allow", "turn {turned}: {:#}", answer["sentence"]);
            // A busy machine may bring one to the robot too late; none is too sudden there.
            assert_ne!(answer["code"], "acceleration", "turn {turned}: {answer:#}");
            if is_there(x(&site.until_robot("rover-1", |_| true).await?)) {
                break;
            }
            beat.tick().await;
        }
    }
    let zero = site.get("jog", jog(0.0)).await?;
    assert_eq!(zero["verdict"]["overall"], "allow", "{zero:#}");
    // A command beyond another limit is refused at the first try, not brought near to it.
    let too_fast = site.get("jog", jog(9.0)).await?;
    assert!(violations(&too_fast["verdict"]).contains(&"velocity"), "{too_fast:#}");
    // A command that is given once is no hand's: it is judged as it stands.
    let velocity = |x_mps: f64| {
        json!({ "robot": "rover-1", "actuator": "base", "ttl_ms": 500,
            "motion": { "velocity": { "linear_mps": [x_mps, 0, 0], "angular_radps": [0, 0, 0] } } })
    };
    site.until("check_command", velocity(0.4), |answer| answer["verdict"]["overall"] == "allow").await?;
    assert_eq!(site.get("send_command", velocity(0.4)).await?["verdict"]["overall"], "allow");
    let sudden = site.get("check_command", velocity(-0.4)).await?;
    assert_eq!(violations(&sudden["verdict"]), ["acceleration"], "{sudden:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pendant_at_the_robot_has_control_before_everybody() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let pendant = |on: bool| json!({ "target": "rover-1", "fault": "pendant", "on": on });
    site.get("inject_fault", pendant(true)).await?;
    until_holder(&mut site, "rover-1", |holder| holder == "local").await?;
    assert!(violations(&site.get("send_command", drive()).await?["verdict"]).contains(&"arbitration"));
    assert_eq!(site.refused("take_control", rover("rover-1")).await?, "control_out_of_reach");
    site.get("inject_fault", pendant(false)).await?;
    until_holder(&mut site, "rover-1", |holder| holder["person"]["name"] == "admin").await?;
    Ok(())
}

/// One worker runs every task of the station, so a task that blocks it is a process that was suspended.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[expect(clippy::disallowed_methods, reason = "the task is waited for at once")]
async fn t9_after_a_suspension_nobody_has_control_and_the_robots_hold() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let far = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [4.0, 0.0, 0.0], "speed_mps": 0.2 } } });
    assert_eq!(site.get("send_command", far).await?["verdict"]["overall"], "allow");
    tokio::spawn(async { std::thread::sleep(Duration::from_millis(1_300)) }).await?;
    let status = site
        .until("safety_status", json!({}), |status| {
            find(&status["robots"], "robot", "rover-1").is_some_and(|row| {
                let causes = row["causes"].as_array().cloned().unwrap_or_default();
                causes.iter().any(|cause| cause["cause"] == "process_suspended")
            })
        })
        .await?;
    let row = find(&status["robots"], "robot", "rover-1").cloned().unwrap_or_default();
    assert!(["hold", "safe_stop"].iter().any(|state| row["state"] == *state), "{row:#}");
    assert_eq!(row["control"], "nobody", "{row:#}");
    let locks = site.get("list_locks", json!({})).await?;
    assert!(locks.as_array().is_some_and(|rows| rows.iter().all(|row| row["owner"].is_null())), "{locks:#}");
    assert!(violations(&site.get("send_command", drive()).await?["verdict"]).contains(&"arbitration"));
    Ok(())
}
