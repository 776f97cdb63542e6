//! Recorded inputs of verdicts: kept on disk, enough to make them again, and to try a change of limits on.

use quarterdeck_tests::{Site, arm_goal};
use robot::{Command, Instant, Manifest};
use safety::{Constraint, Limits, RobotState, judge};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const MANIFEST: &str = include_str!("../../crates/sim/manifests/arm-1.toml");

#[derive(Deserialize)]
struct Recorded {
    inputs: Inputs,
    verdict: Box<RawValue>,
}

#[derive(Deserialize)]
struct Inputs {
    command: Command,
    state: RobotState,
    now: Instant,
}

#[derive(Deserialize)]
struct RecordedSet {
    version: u64,
    hash: String,
    constraints: Vec<Constraint>,
}

/// Arms the arm under a speed limit of 0.5 m/s and sends one command that passes, one too fast and one too far.
pub(crate) async fn three_commands(site: &mut Site) -> anyhow::Result<Value> {
    let limit = json!({ "robot": "arm-1", "constraint_type": "max_velocity", "params_json": "0.5" });
    let registered = site.get("register_constraint", limit).await?;
    site.arm("arm-1").await?;
    for (command, state) in [
        (arm_goal([0.41, 0.017, 0.93], 0.31), "allow"),
        (arm_goal([0.43, 0.0, 0.9], 0.7), "deny"),
        (arm_goal([3.0, 0.0, 0.9], 0.1), "deny"),
    ] {
        let sent = site.get("send_command", command).await?;
        assert_eq!(sent["verdict"]["overall"], state, "{sent:#}");
    }
    Ok(registered["id"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_inputs_replay_to_byte_identical_verdicts() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    three_commands(&mut site).await?;
    let of_verdict = |row: &&Value| row["operation"] == "verdict";
    let records = site
        .until("list_audit", json!({ "limit": 1_000 }), |rows| {
            rows.as_array().is_some_and(|rows| rows.iter().filter(of_verdict).count() == 3)
        })
        .await?;
    let hashed = |row: &Value| row["input_hash"].as_str().is_some_and(|hash| hash.len() == 64);
    assert!(records.as_array().into_iter().flatten().filter(of_verdict).all(hashed), "{records:#}");
    site.api.shutdown().await;
    let (mut sets, mut recorded) = (Vec::<RecordedSet>::new(), Vec::<Recorded>::new());
    for file in std::fs::read_dir(site.data_dir().join("recordings/arm-1"))? {
        let path = file?.path();
        let text = std::fs::read_to_string(&path)?;
        if path.extension().is_some_and(|extension| extension == "json") {
            sets.push(serde_json::from_str(&text)?);
        } else {
            recorded.extend(text.lines().map(serde_json::from_str).collect::<Result<Vec<_>, _>>()?);
        }
    }
    assert_eq!(recorded.len(), 3);
    let manifest = Manifest::parse(MANIFEST, "arm-1")?;
    for Recorded { inputs, verdict } in recorded {
        let made: Value = serde_json::from_str(verdict.get())?;
        let set = sets.iter().find(|set| made["set_version"] == set.version);
        let set = set.ok_or_else(|| anyhow::anyhow!("the set of {made:#} is not kept"))?;
        let limits = Limits::compile(&manifest, &set.constraints, set.version)?;
        assert_eq!(limits.hash().to_string(), set.hash);
        let again = judge(&limits, &inputs.state, inputs.command, inputs.now);
        assert_eq!(serde_json::to_string(&again)?, verdict.get());
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_limits_is_shown_on_the_commands_of_the_last_day() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let id = three_commands(&mut site).await?;
    for (params_json, to_deny, to_allow) in [("0.8", 0, 1), ("0.2", 1, 0), ("0.5", 0, 0)] {
        let shown = site.get("preview_constraint_change", json!({ "id": id, "params_json": params_json })).await?;
        let counts = (&shown["recorded"], &shown["allow_to_deny_total"], &shown["deny_to_allow_total"]);
        assert_eq!(counts, (&json!(3), &json!(to_deny), &json!(to_allow)), "{params_json}: {shown:#}");
        let listed = [&shown["allow_to_deny"], &shown["deny_to_allow"]].map(|rows| rows.as_array().map_or(0, Vec::len));
        assert_eq!(listed, [to_deny, to_allow]);
    }
    Ok(())
}
