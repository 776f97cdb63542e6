use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::proposals::facts::People;
use crate::test_support::{NoToolServers, Rig, gate_where};
use fleet::stops;

/// A station with two robots of one switch each, which have no gate.
async fn rig() -> Rig {
    let (_, manifest) = gate_where("red button on the post");
    let lines: Vec<&str> = manifest.lines().filter(|line| !line.starts_with("public_key")).collect();
    let gateless = lines.join("\n").replace("\"reference\"", "\"none\"");
    let robots = ["gate-1", "gate-2"].map(|id| (id, gateless.replace("gate-1", id)));
    Rig::start_with_robots("", &robots, Arc::new(NoToolServers)).await
}

fn envelope() -> Value {
    json!({ "actuator": "latch", "workspace": { "x": [-1, 1], "y": [-1, 1], "z": [-1, 1] }, "speed_mps_max": 0.3,
        "force_n_max": 100 })
}

fn carry() -> MissionId {
    MissionId::new("carry").unwrap()
}

/// A standing approval for gate-1 that was granted a second ago for an hour.
fn row(rig: &Rig, id: &str) -> StandingApproval {
    let robot = RobotId::new("gate-1").unwrap();
    let now_ms = rig.station.runtime.clock.now().wall_ms;
    StandingApproval {
        id: id.into(),
        set_version: rig.station.fleet.unit(&robot).unwrap().limits.load().version(),
        robot,
        mission: None,
        operation: SEND_COMMAND.into(),
        envelope: serde_json::from_value(envelope()).unwrap(),
        uses_max: 2,
        uses: 0,
        granted_by: "dana".into(),
        granted_ms: now_ms - 1_000,
        expires_ms: now_ms + 3_600_000,
        stop_id: 0,
        ended: None,
    }
}

/// It holds for so many more milliseconds.
fn held_for(rig: &Rig, row: StandingApproval, ms: u64) -> Held {
    Held { row, expires: rig.station.runtime.clock.now().station.plus(Duration::from_millis(ms)), session: None }
}

fn holding(held: impl IntoIterator<Item = Held>) -> StandingApprovals {
    let held = held.into_iter().map(|held| (held.row.id.clone(), held)).collect();
    StandingApprovals { held: Mutex::new(held) }
}

fn ids(standing: &StandingApprovals) -> Vec<String> {
    standing.list().into_iter().map(|row| row.id).collect()
}

/// True if `held` covers what the agent wants of `robot` for `mission`, a motion of `tier`.
fn covers(rig: &Rig, held: Held, (robot, mission): (&str, Option<&str>), (tier, tainted): (Tier, bool)) -> bool {
    let raw =
        json!({ "robot": robot, "actuator": "latch", "motion": { "switch": { "on": true } }, "mission_id": mission });
    let raw: RawCommand = serde_json::from_value(raw).unwrap();
    let mut content = Content::of(&rig.station, &rig.agent.id, &raw, &People::default(), tainted).unwrap();
    content.tier = (tier, "a_rule");
    holding([held]).covering(&rig.station, &rig.agent, &raw, &content, tainted).is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standing_approval_covers_clean_motion_of_its_robot_that_needs_little_care_and_nothing_else() {
    let rig = rig().await;
    let held = || held_for(&rig, row(&rig, "sa-1"), 60_000);
    let of_row = |row: StandingApproval| held_for(&rig, row, 60_000);
    let (gate_1, clean) = (("gate-1", None), (Tier::Medium, false));
    assert!(covers(&rig, held(), gate_1, clean));
    assert!(!covers(&rig, held(), ("gate-2", None), clean), "it is another robot's");
    assert!(!covers(&rig, held(), gate_1, (Tier::High, false)));
    assert!(!covers(&rig, held(), gate_1, (Tier::Medium, true)));
    for over in [
        held_for(&rig, row(&rig, "sa-1"), 0),
        of_row(StandingApproval { uses: 2, ..row(&rig, "sa-1") }),
        of_row(StandingApproval { set_version: 99, ..row(&rig, "sa-1") }),
    ] {
        assert!(!covers(&rig, over.clone(), gate_1, clean), "{over:?}");
    }
    assert!(covers(&rig, of_row(StandingApproval { uses: 1, ..row(&rig, "sa-1") }), gate_1, clean));
    let for_mission = || of_row(StandingApproval { mission: Some(carry()), ..row(&rig, "sa-1") });
    assert!(!covers(&rig, for_mission(), gate_1, clean), "it is for a mission");
    assert!(!covers(&rig, for_mission(), ("gate-1", Some("carry")), clean), "the agent does not run the mission");
    assert!(!covers(&rig, for_mission(), ("gate-1", Some("sweep")), clean), "it is for another mission");
}

#[tokio::test(flavor = "multi_thread")]
async fn c10_a_start_takes_up_what_still_holds_and_nothing_from_the_future_or_for_longer_than_a_shift() {
    let rig = rig().await;
    let (station, base) = (&rig.station, row(&rig, "sa-kept"));
    let (now_ms, hour_ms) = (station.runtime.clock.now().wall_ms, 3_600_000);
    let granted = [
        base.clone(),
        StandingApproval { id: "sa-future".into(), granted_ms: now_ms + 60_000, ..base.clone() },
        StandingApproval { id: "sa-over".into(), expires_ms: now_ms - 1, ..base.clone() },
        StandingApproval { id: "sa-long".into(), expires_ms: now_ms + 9 * hour_ms, ..base.clone() },
    ];
    for row in &granted {
        station.runtime.audit.commit(evidence::record(&Session::bootstrap(), row, 1.0)).await.unwrap();
        station.runtime.db.add_standing_approval(row).await.unwrap();
    }
    let unrecorded = StandingApproval { id: "sa-unrecorded".into(), ..base };
    station.runtime.db.add_standing_approval(&unrecorded).await.unwrap();
    let standing = StandingApprovals::default();
    standing.load(station).await.unwrap();
    assert_eq!(ids(&standing), ["sa-kept"]);
    let on_disk = station.runtime.db.standing_approvals().await.unwrap();
    assert_eq!(on_disk.into_iter().map(|row| row.id).collect::<Vec<_>>(), ["sa-kept"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standing_approval_is_bounded_and_granted_for_no_robot_that_is_stopped() {
    let rig = rig().await;
    let grant = |change: Value| {
        let mut input = json!({ "robot": "gate-1", "operation": "send_command", "envelope": envelope(), "count": 1,
            "hours": 8 });
        for (path, value) in change.as_object().into_iter().flatten() {
            *input.pointer_mut(path).unwrap() = value.clone();
        }
        let rig = &rig;
        async move { rig.by_person("grant_standing_approval", input).await.map_err(|error| error.code.to_string()) }
    };
    for change in [
        json!({ "/hours": 0 }),
        json!({ "/hours": -1 }),
        json!({ "/hours": 8.1 }),
        json!({ "/count": 0 }),
        json!({ "/count": 101 }),
        json!({ "/envelope/actuator": "arm" }),
        json!({ "/envelope/workspace/x": [1, -1] }),
        json!({ "/operation": "stop_all" }),
    ] {
        assert_eq!(grant(change.clone()).await, Err("bad_standing_approval".to_owned()), "{change}");
    }
    let mut elsewhere = envelope();
    elsewhere["frame"] = json!("the_moon");
    assert_eq!(grant(json!({ "/envelope": elsewhere })).await, Err("bad_standing_approval".to_owned()));
    let robot = RobotId::new("gate-1").unwrap();
    stops::press_at_once(&rig.station.fleet, &Session::bootstrap(), None, Some(std::slice::from_ref(&robot)));
    assert_eq!(grant(json!({})).await, Err("latched".to_owned()));
    assert!(grant(json!({ "/robot": "gate-2" })).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_time_use_or_new_limits_have_ended_is_ended_on_disk_too_and_the_rest_stays() {
    let rig = rig().await;
    let rows = [
        row(&rig, "sa-expired"),
        StandingApproval { uses: 2, ..row(&rig, "sa-used") },
        StandingApproval { set_version: 99, ..row(&rig, "sa-limits") },
        row(&rig, "sa-kept"),
    ];
    for row in &rows {
        rig.station.runtime.db.add_standing_approval(row).await.unwrap();
    }
    let lasts_ms = |row: &StandingApproval| if row.id == "sa-expired" { 0 } else { 60_000 };
    let standing = holding(rows.into_iter().map(|row| {
        let ms = lasts_ms(&row);
        held_for(&rig, row, ms)
    }));
    standing.sweep(&rig.station);
    assert_eq!(ids(&standing), ["sa-kept"]);
    while rig.station.runtime.db.standing_approvals().await.unwrap().len() > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_mission_takes_back_what_was_given_for_it_and_a_use_counts_for_its_own_approval() {
    let rig = rig().await;
    let of = |id: &str, mission: Option<&str>| {
        let mission = mission.map(|id| MissionId::new(id).unwrap());
        held_for(&rig, StandingApproval { mission, ..row(&rig, id) }, 60_000)
    };
    let standing = holding([of("sa-1", Some("carry")), of("sa-2", Some("sweep")), of("sa-3", None)]);
    standing.note_use(&rig.station, "sa-3");
    standing.void_of_mission(&rig.station, &Session::bootstrap(), &carry(), "the mission is over");
    let left: Vec<_> = standing.list().into_iter().map(|row| (row.id, row.used)).collect();
    assert_eq!(left, [("sa-2".to_owned(), 0), ("sa-3".to_owned(), 1)]);
}
