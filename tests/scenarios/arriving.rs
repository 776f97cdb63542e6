//! The end of a motion: where a robot says it is, and where it is measured to be.

use api::Fact;
use quarterdeck_tests::{Site, arm_goal};
use serde_json::{Value, json};
use station::wire::CommandStep;

/// The last step of the command that `sent` names, with how far it was measured from its goal.
async fn end_of(site: &mut Site, sent: &Value) -> anyhow::Result<(CommandStep, Value)> {
    let id = sent["command_id"].as_str().unwrap_or_default().to_owned();
    let is_end = |step: CommandStep| {
        matches!(step, CommandStep::Done | CommandStep::DoneNotConfirmed | CommandStep::Failed | CommandStep::Unknown)
    };
    let of_it =
        |fact: &Fact| matches!(fact, Fact::CommandStep { command, step, .. } if *command == id && is_end(*step));
    let fact = site.until_fact("the end of the command", of_it).await?;
    let Fact::CommandStep { step, off_goal, .. } = fact else { anyhow::bail!("no step: {fact:?}") };
    Ok((step, serde_json::to_value(off_goal)?))
}

#[tokio::test(flavor = "multi_thread")]
async fn f24_a_robot_that_says_done_elsewhere_is_not_believed_and_the_distance_is_told() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let rover = |robot: &str, position_m: [f64; 3], speed_mps: f64| {
        json!({ "robot": robot, "actuator": "base", "frame": "map",
            "motion": { "pose_goal": { "position_m": position_m, "speed_mps": speed_mps } } })
    };
    let cases = [
        ("arm-1", "never_moves", arm_goal([0.5, 0.0, 0.8], 0.2), "not_there", 0.2),
        ("rover-1", "astray", rover("rover-1", [0.5, 0.0, 0.0], 0.5), "not_there", 0.5_f64.hypot(0.5)),
        ("rover-2", "echo_set_point", rover("rover-2", [2.2, 1.0, 0.0], 0.1), "too_soon", 0.2),
    ];
    for (robot, fault, command, why, distance_m) in cases {
        site.arm(robot).await?;
        site.get("inject_fault", json!({ "target": robot, "fault": fault, "on": true })).await?;
        let sent = site.get("send_command", command).await?;
        assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
        let (step, off) = end_of(&mut site, &sent).await?;
        assert_eq!((step, &off["why"]), (CommandStep::DoneNotConfirmed, &json!(why)), "{fault}: {off:#}");
        let measured_m = off["distance"].as_f64().unwrap_or_default();
        assert!((measured_m - distance_m).abs() < 0.05, "{fault}: {off:#}");
    }
    let records = site.get("list_audit", json!({})).await?;
    assert!(records.to_string().contains("done_not_confirmed"), "{records:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn g17_the_arm_is_driven_by_its_joints_and_its_fingers_through_both_gates() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let joints = |turn: f64| {
        let names = ["turn", "lift", "boom"];
        json!({ "robot": "arm-1", "actuator": "arm",
            "motion": { "joints": { "names": names, "positions_rad": [turn, 0.85, 1.85], "speed_radps": 0.1 } } })
    };
    let beyond = site.get("send_command", joints(1.4)).await?;
    assert!(quarterdeck_tests::violations(&beyond["verdict"]).contains(&"joint_limit"), "{beyond:#}");
    let sent = site.get("send_command", joints(0.05)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    assert_eq!(end_of(&mut site, &sent).await?.0, CommandStep::Done);
    // The column stands 1.5 m behind the frame.
    let wanted_m = [1.85 * 0.05_f64.cos() - 1.5, 1.85 * 0.05_f64.sin(), 0.85];
    site.until_robot("arm-1", |row| {
        let at = |axis: usize| row["pose"]["position_m"][axis].as_f64().unwrap_or_default();
        (0..3).all(|axis| (at(axis) - wanted_m[axis]).abs() < 0.01)
    })
    .await?;
    let grip = json!({ "robot": "arm-1", "actuator": "gripper", "force_n": 5.0,
        "motion": { "gripper": { "opening_m": 0.03, "speed_mps": 0.05 } } });
    let sent = site.get("send_command", grip).await?;
    assert_eq!(end_of(&mut site, &sent).await?.0, CommandStep::Done);
    Ok(())
}
