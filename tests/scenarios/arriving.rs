//! The end of a motion: where a robot says it is, and where it is measured to be.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use api::Fact;
use bridge::envelope::{Ack, Status, Subject};
use bridge::{Link, LinkConfig, Subscription};
use quarterdeck_tests::sensor::Sensor;
use quarterdeck_tests::{Site, arm_goal};
use runtime::wire::CommandStep;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::gate::{manifests, start_overheard_robots};

/// The last step of the command that `sent` names, with how far it was measured from its goal.
async fn end_of(site: &mut Site, sent: &Value) -> anyhow::Result<(CommandStep, Value)> {
    let (step, off_goal, _) = told_end_of(site, sent).await?;
    Ok((step, off_goal))
}

/// The same with when it was told by the station's clock, milliseconds.
async fn told_end_of(site: &mut Site, sent: &Value) -> anyhow::Result<(CommandStep, Value, u64)> {
    let id = sent["command_id"].as_str().unwrap_or_default().to_owned();
    let is_end = |step: CommandStep| {
        matches!(step, CommandStep::Done | CommandStep::DoneNotConfirmed | CommandStep::Failed | CommandStep::Unknown)
    };
    let of_it =
        |fact: &Fact| matches!(fact, Fact::CommandStep { command, step, .. } if *command == id && is_end(*step));
    let fact = site.until_fact("the end of the command", of_it).await?;
    let Fact::CommandStep { step, code, off_goal, at_mono_ms, .. } = fact else { anyhow::bail!("no step: {fact:?}") };
    let is_cut_off = matches!(step, CommandStep::Failed | CommandStep::Unknown);
    anyhow::ensure!(!is_cut_off, "{id} was not carried out to its end: {code:?}");
    Ok((step, serde_json::to_value(off_goal)?, at_mono_ms))
}

/// When robots report the ends of their motions, by the station's clock.
struct Reports {
    done_ms: Arc<Mutex<BTreeMap<String, u64>>>,
    _subscription: Subscription,
    link: Link,
}

impl Reports {
    async fn hear(site: &Site) -> anyhow::Result<Self> {
        let config = LinkConfig { listen: vec!["tcp/127.0.0.1:0".to_owned()], ..LinkConfig::default() };
        let time = site.time;
        let link = Link::open(config, Arc::new(move || time.now())).await?;
        let done_ms = Arc::new(Mutex::new(BTreeMap::new()));
        let heard = Arc::clone(&done_ms);
        let subscription = link.subscribe("lab/*/out/ack", move |sample| {
            let Ok(ack) = serde_json::from_slice::<Ack>(&sample.payload) else { return };
            if let (Subject::Command { id, .. }, Status::Done) = (ack.subject, ack.status) {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.entry(id.to_string()).or_insert(sample.received.mono_ms());
            }
        });
        Ok(Self { done_ms, _subscription: subscription.await?, link })
    }

    fn of(&self, sent: &Value) -> Option<u64> {
        let id = sent["command_id"].as_str().unwrap_or_default();
        self.done_ms.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied()
    }
}

/// The longest time for which this process could not run: the floor of everything that is timed in it.
pub(crate) struct Lag {
    longest_ms: Arc<AtomicU64>,
    _watch: JoinSet<()>,
}

impl Lag {
    /// Watches until it is dropped.
    pub(crate) fn watch(site: &Site) -> Self {
        let (time, longest_ms, mut tasks) = (site.time, Arc::new(AtomicU64::new(0)), JoinSet::new());
        let noted = Arc::clone(&longest_ms);
        tasks.spawn(async move {
            let mut ticks = tokio::time::interval(Duration::from_millis(10));
            let mut last = time.now().station;
            loop {
                ticks.tick().await;
                let now = time.now().station;
                noted.fetch_max(now.ms_since(last), Ordering::Relaxed);
                last = now;
            }
        });
        Self { longest_ms, _watch: tasks }
    }

    /// The longest time so far.
    pub(crate) fn longest_ms(&self) -> u64 {
        self.longest_ms.load(Ordering::Relaxed)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f24_a_robot_that_says_done_elsewhere_is_not_believed_and_the_distance_is_told_within_a_second()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut site = Site::start_with(&manifests(folder.path()).await?).await?;
    let (reports, lag) = (Reports::hear(&site).await?, Lag::watch(&site));
    let mut robots = start_overheard_robots(folder.path(), &[&site], &reports.link.endpoints()).await?;
    robots.lines.recv().await.ok_or_else(|| anyhow::anyhow!("the robots did not start"))?;
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
        site.until_robot(robot, |row| row["link"] == "live" && row["pose"].is_object()).await?;
        site.arm(robot).await?;
        robots.input.send(json!({ "fault": { "target": robot, "fault": fault, "on": true } }).to_string()).await?;
        robots.lines.recv().await.ok_or_else(|| anyhow::anyhow!("{fault}: the robots have ended"))?;
        let sent = site.get("send_command", command).await?;
        assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
        let (step, off, told_ms) = told_end_of(&mut site, &sent).await?;
        assert_eq!((step, &off["why"]), (CommandStep::DoneNotConfirmed, &json!(why)), "{fault}: {off:#}");
        let reported_ms = reports.of(&sent).ok_or_else(|| anyhow::anyhow!("{fault}: no report was heard"))?;
        let lag_ms = lag.longest_ms();
        let took_ms = told_ms.saturating_sub(reported_ms);
        assert!(took_ms <= 1_000 + 5 * lag_ms, "{fault}: told {took_ms} ms after the report, at a lag of {lag_ms} ms");
        let measured_m = off["distance"].as_f64().unwrap_or_default();
        assert!((measured_m - distance_m).abs() < 0.05, "{fault}: {off:#}");
    }
    let records = site.get("list_audit", json!({})).await?;
    assert!(records.to_string().contains("done_not_confirmed"), "{records:#}");
    Ok(())
}

/// A sensor of the arm's joints that says what a test wants, ten times a second, in place of the simulator's.
struct Joints {
    said: watch::Sender<[f64; 4]>,
    _sensor: JoinSet<()>,
}

impl Joints {
    /// The arm's first position, its fingers open.
    const START: [f64; 4] = [0.0, 0.8, 1.8, 0.08];

    async fn open(site: &Site) -> anyhow::Result<Self> {
        let sensor = Sensor::open(site, "arm-1", "lab/arm-1/out/state/joints").await?;
        let (said, told) = watch::channel(Self::START);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut period = tokio::time::interval(Duration::from_millis(100));
            loop {
                period.tick().await;
                let positions = *told.borrow();
                // One that is lost is followed by the next.
                let _ = sensor.put(&json!({ "names": ["turn", "lift", "boom", "fingers"], "positions": positions }));
            }
        });
        site.get("inject_fault", json!({ "target": "arm-1", "fault": "silent_joints", "on": true })).await?;
        Ok(Self { said, _sensor: tasks })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f24_joints_and_fingers_that_are_not_measured_to_get_there_are_not_done() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let joints = Joints::open(&site).await?;
    site.arm("arm-1").await?;
    let turn = json!({ "robot": "arm-1", "actuator": "arm", "motion": { "joints": {
        "names": ["turn", "lift", "boom"], "positions_rad": [0.15, 0.8, 1.8], "speed_radps": 0.05 } } });
    let grip = json!({ "robot": "arm-1", "actuator": "gripper", "force_n": 5.0,
        "motion": { "gripper": { "opening_m": 0.03, "speed_mps": 0.05 } } });
    let [start, mut turned, mut astray, mut gripped, mut opened] = [Joints::START; 5];
    (turned[0], astray[0], gripped[3], opened[3]) = (0.15, -0.02, 0.03, 0.079);
    let (echoed, elsewhere) = (["too_soon", "never_moved"], ["not_there"; 2]);
    for (command, shown, whys, distance) in [
        (&turn, start, elsewhere, 0.15),
        (&turn, astray, elsewhere, 0.17),
        (&turn, turned, echoed, 0.17),
        (&grip, start, elsewhere, 0.05),
        (&grip, opened, elsewhere, 0.05),
        (&grip, gripped, echoed, 0.05),
    ] {
        // It begins where it was shown last, which is never at the goal.
        site.until("check_command", command.clone(), |answer| answer["verdict"]["overall"] == "allow").await?;
        let sent = site.get("send_command", command.clone()).await?;
        assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
        joints.said.send_replace(shown);
        let (step, off) = end_of(&mut site, &sent).await?;
        assert_eq!(step, CommandStep::DoneNotConfirmed, "{shown:?}: {off:#}");
        assert!(off["why"].as_str().is_some_and(|why| whys.contains(&why)), "{shown:?}: {off:#}");
        assert!(off["distance"].as_f64().is_some_and(|off| (off - distance).abs() < 0.01), "{shown:?}: {off:#}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f24_the_card_and_the_agent_are_told_that_the_end_of_a_motion_is_not_confirmed() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "never_moves", "on": true })).await?;
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    let decision = json!({ "id": card["id"], "version": card["version"], "action_hash": card["action_hash"] });
    site.get("approve_proposal", decision).await?;
    let ended = site.until_proposal(|proposal| proposal["state"] == "done_not_confirmed").await?;
    assert!(ended["state_reason"].as_str().is_some_and(|why| why.contains("from the goal")), "{ended:#}");
    site.until("get_transcript", json!({}), |page| page.to_string().contains("done_not_confirmed")).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f24_a_round_trip_is_done_once_it_was_driven_and_not_when_the_robot_stays_where_it_ends() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let round = json!({ "robot": "rover-1", "actuator": "base", "frame": "map", "motion": { "path": {
        "points_m": [[0.6, 0.0, 0.0], [0.6, 0.6, 0.0], [0.0, 0.0, 0.0]], "speed_mps": 0.5 } } });
    let sent = site.get("send_command", round.clone()).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    let (step, off) = end_of(&mut site, &sent).await?;
    assert_eq!(step, CommandStep::Done, "{off:#}");
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "never_moves", "on": true })).await?;
    let sent = site.get("send_command", round).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    let (step, off) = end_of(&mut site, &sent).await?;
    assert_eq!((step, &off["why"]), (CommandStep::DoneNotConfirmed, &json!("way_not_seen")), "{off:#}");
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

#[tokio::test(flavor = "multi_thread")]
async fn g17_a_goal_on_a_moving_tray_is_reached_through_both_gates_and_denied_once_nobody_tells_where_the_tray_is()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let on_tray = json!({ "robot": "arm-1", "actuator": "arm", "frame": "tray",
        "motion": { "pose_goal": { "position_m": [0.1, 0.0, 0.2], "speed_mps": 0.2 } } });
    let sent = site.get("send_command", on_tray.clone()).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    // The tray is turned by a quarter, stands at (0.4, 0.3, 0.6) and slides by 2 cm to either side.
    let is_near = |position_m: &Value| {
        let off_m = [0.4, 0.4, 0.8]
            .into_iter()
            .enumerate()
            .map(|(i, goal_m)| position_m[i].as_f64().map_or(f64::INFINITY, |is_m| (is_m - goal_m).abs()));
        off_m.fold(0.0, f64::max) < 0.03
    };
    site.until_robot("arm-1", |row| is_near(&row["pose"]["position_m"])).await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "silent_frame", "on": true })).await?;
    site.until("check_command", on_tray, |answer| {
        quarterdeck_tests::violations(&answer["verdict"]).contains(&"stale_transform")
    })
    .await
    .map(drop)
}
