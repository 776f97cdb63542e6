//! Each reason by which a command is denied because of its robot is named by `why_idle`.

use api::Session;
use quarterdeck_tests::{Site, arm_goal, violations};
use robot::Reason;
use runtime::wire::BlockerCode;
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::gate::{manifests_without_room, start_robots};
use crate::supervision::acknowledge_all;

/// Frames within which an answer must come to what the next one says.
const FRAMES_MAX: usize = 200;

/// The kind of blocker that names a denial for `reason`; none for what is wrong with the command itself, with its approval
/// or with the moment it comes.
fn named_by(reason: Reason) -> Option<BlockerCode> {
    match reason {
        Reason::NotArmed | Reason::NotCommissioned | Reason::KeepsMoving => Some(BlockerCode::State),
        Reason::AuditUnavailable => Some(BlockerCode::Cause),
        Reason::Latched => Some(BlockerCode::Latch),
        Reason::Arbitration => Some(BlockerCode::Control),
        Reason::Lease => Some(BlockerCode::Lease),
        Reason::EmptySet => Some(BlockerCode::Limits),
        Reason::NoFreshPose | Reason::StaleTransform | Reason::NotProvable => Some(BlockerCode::Source),
        Reason::ApprovalVoid => Some(BlockerCode::MissionPaused),
        Reason::NonFinite | Reason::BadArity | Reason::BadOrientation | Reason::Schema | Reason::TooLarge => None,
        Reason::Sequence | Reason::Replay | Reason::Expired | Reason::RateLimited | Reason::Deadline => None,
        Reason::UnknownActuator | Reason::JointNames | Reason::FrameMismatch | Reason::Implausible => None,
        Reason::MissingVelocity | Reason::MissingForce | Reason::Velocity | Reason::Force | Reason::GoalJump => None,
        Reason::Workspace | Reason::ForbiddenZone | Reason::KeepOut | Reason::JointLimit => None,
        Reason::StoppingDistance | Reason::ApproachSpeed | Reason::Acceleration => None,
        Reason::StaleSet | Reason::ApprovalMissing => None,
    }
}

fn codes(why: &Value) -> Vec<BlockerCode> {
    let rows = why["blockers"].as_array().into_iter().flatten();
    rows.filter_map(|row| serde_json::from_value(row["code"].clone()).ok()).collect()
}

/// The answer of `why_idle` if `command` of `by` is denied for `reason` among others, and the answer names every one of
/// them that is no fault of the command; else an error with the violations and the answer.
async fn is_named_now(
    site: &Site,
    by: &Session,
    command: &Value,
    reason: Reason,
) -> anyhow::Result<Result<Value, Value>> {
    let wanted = serde_json::to_value(reason)?;
    let checked = site.api.call(by, "check_command", command.clone()).await?;
    let why = site.api.call(by, "why_idle", json!({ "robot": command["robot"] })).await?;
    let violated: Vec<Value> = violations(&checked["verdict"]).into_iter().map(Value::from).collect();
    let reasons: Vec<Reason> = violated.iter().filter_map(|code| Reason::deserialize(code).ok()).collect();
    assert_eq!(reasons.len(), violated.len(), "{violated:?}");
    let named = codes(&why);
    let mut wanted_codes = reasons.iter().filter_map(|reason| named_by(*reason));
    let is_named = violated.contains(&wanted) && wanted_codes.all(|code| named.contains(&code));
    Ok(if is_named { Ok(why) } else { Err(json!({ "violated": violated, "why": why })) })
}

async fn next_frame(site: &mut Site) -> anyhow::Result<()> {
    let mut looks = 0;
    let is_second = |_: &Value| {
        looks += 1;
        looks > 1
    };
    site.until("session_info", json!({}), is_second).await.map(drop)
}

/// Waits until that is so.
async fn is_named(site: &mut Site, by: &Session, command: &Value, reason: Reason) -> anyhow::Result<Value> {
    let mut last = Value::Null;
    for _ in 0..FRAMES_MAX {
        match is_named_now(site, by, command, reason).await? {
            Ok(why) => return Ok(why),
            Err(said) => last = said,
        }
        next_frame(site).await?;
    }
    anyhow::bail!("{reason:?} is not named: {last:#}")
}

fn drive(x_m: f64, speed_mps: f64) -> Value {
    json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": speed_mps } } })
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_17_every_reason_of_a_denial_that_lies_with_the_robot_is_named_by_why_idle() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (admin, desk, rover) = (site.admin.clone(), Session::app_window(), || json!({ "robot": "rover-1" }));
    let command = drive(0.5, 0.1);
    is_named(&mut site, &admin, &command, Reason::NotArmed).await?;
    is_named(&mut site, &admin, &command, Reason::Arbitration).await?;

    site.get("stop_robot", rover()).await?;
    is_named(&mut site, &admin, &command, Reason::Latched).await?;
    site.release("rover-1").await?;
    site.arm("rover-1").await?;

    for (fault, reason) in [("silent_velocity", Reason::NotProvable), ("silent_pose", Reason::NoFreshPose)] {
        let switched = |on: bool| json!({ "target": "rover-1", "fault": fault, "on": on });
        site.get("inject_fault", switched(true)).await?;
        is_named(&mut site, &admin, &command, reason).await?;
        site.get("inject_fault", switched(false)).await?;
        acknowledge_all(&mut site, "rover-1").await?;
    }

    site.arm("rover-1").await?;
    let mut named = Err(Value::Null);
    for _ in 0..FRAMES_MAX {
        // On a busy machine a robot may find a command too old, and its lease ends.
        let sent = site.get("send_command", drive(4.0, 0.1)).await?;
        assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
        named = is_named_now(&site, &desk, &command, Reason::Lease).await?;
        if named.is_ok() {
            break;
        }
        next_frame(&mut site).await?;
    }
    let why = named.map_err(|last| anyhow::anyhow!("no lease is named: {last:#}"))?;
    let lease = why["blockers"].as_array().into_iter().flatten().find(|row| row["code"] == "lease");
    let lease = lease.ok_or_else(|| anyhow::anyhow!("no lease: {why:#}"))?;
    assert_eq!((&lease["sentence"], &lease["blocks"]), (&json!("The motion of admin uses base."), &json!("you")));
    site.get("hold_robot", rover()).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_17_limits_that_are_not_complete_are_named_with_the_one_that_is_missing() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut site = Site::start_with(&manifests_without_room(folder.path()).await?).await?;
    let _robots = start_robots(folder.path(), &[&site]).await?;
    site.until_robot("arm-1", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    let (admin, goal) = (site.admin.clone(), arm_goal([0.4, 0.0, 0.9], 0.1));
    let why = is_named(&mut site, &admin, &goal, Reason::EmptySet).await?;
    let rows: Vec<&Value> =
        why["blockers"].as_array().into_iter().flatten().filter(|row| row["code"] == "limits").collect();
    assert_eq!(rows.len(), 1, "{why:#}");
    assert_eq!(
        (&rows[0]["cleared_by"], &rows[0]["who"], &rows[0]["blocks"]),
        (&json!("Register a workspace constraint."), &json!("an administrator"), &json!("everyone"))
    );
    assert_eq!(site.refused("arm_robot", json!({ "robot": "arm-1" })).await?, "empty_set");

    let params = json!({ "x": [-1.0, 1.0], "y": [-1.0, 1.0], "z": [0.0, 1.5] }).to_string();
    let workspace = json!({ "robot": "arm-1", "constraint_type": "workspace", "params_json": params });
    site.get("register_constraint", workspace).await?;
    site.until("why_idle", json!({ "robot": "arm-1" }), |why| !codes(why).contains(&BlockerCode::Limits)).await?;
    site.arm("arm-1").await?;
    assert_eq!(site.get("check_command", goal).await?["verdict"]["overall"], "allow");
    Ok(())
}
