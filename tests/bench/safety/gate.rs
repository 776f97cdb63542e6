//! P6: the whole gate of a running station that no robot answers: call, role, parse, snapshot, judge, explain.

use std::sync::Arc;
use std::time::Duration;

use api::{Api, Config, Launched, Session, SimulatorLauncher};
use robot::{Manifest, RawCommand};
use safety::{Limits, RobotState};
use serde_json::{Value, json};
use server::McpClient;

use crate::measure::{add, latencies, now};
use crate::report::Row;

const MANIFEST: &str = include_str!("../../../crates/sim/manifests/gate-1.toml");
/// One check a millisecond.
const EVERY: Duration = Duration::from_millis(1);
/// Checks that are timed.
const CHECKS: u32 = 5_000;

/// A station that must not start a simulator.
struct NoSimulator;

impl SimulatorLauncher for NoSimulator {
    fn launch(&self, _args: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("this benchmark has no simulator")) })
    }
}

/// The row of the gate, beside the judgement alone.
pub async fn rows() -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), "[zenoh]\nlisten = [\"tcp/127.0.0.1:0\"]\n").unwrap();
    std::fs::create_dir_all(folder.path().join("robots")).unwrap();
    std::fs::write(folder.path().join("robots/gate-1.toml"), MANIFEST).unwrap();
    let config = Config { data_dir: folder.path().to_owned(), zenoh_config: None, with_sim: false, seed: 7 };
    let api = Api::start(config, Arc::new(NoSimulator), Arc::new(McpClient)).await.unwrap();
    let admin = Session::bootstrap();
    let command = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
    let mut whole = latencies();
    let started = now();
    for check in 0..CHECKS {
        // Timed from when it was due, so that one slow check is not hidden by those that had to wait for it. The
        // runtime's timer is a millisecond coarse: as long as a check may take a hundred times over.
        let due = started + EVERY * check;
        while now() < due {
            std::hint::spin_loop();
        }
        let verdict = api.call(&admin, "check_command", command.clone()).await.unwrap();
        add(&mut whole, due.elapsed());
        assert_eq!(verdict["verdict"]["overall"], "deny", "nobody has armed it");
    }
    api.shutdown().await;
    let part = |what: &str, latencies, goal| Row { id: "P6", what: what.into(), against: None, latencies, goal };
    let whole_named = format!("check_command at {} Hz", EVERY.as_secs_f64().recip());
    vec![
        part(
            "the judgement of the same command alone",
            judgement(&serde_json::from_value(command.clone()).unwrap()),
            "–",
        ),
        part("the same from JSON to JSON: read, judge, explain, print", printed(&command), "–"),
        part("the same printed text, read as JSON", read_again(&command), "–"),
        part(&whole_named, whole, "p99 < 20 µs, p99.9 < 100 µs"),
    ]
}

/// What a caller in the same program would need at least, without station, session and table.
fn checked(limits: &Limits, manifest: &Manifest, command: &Value) -> Value {
    let raw: RawCommand = serde_json::from_value(command.clone()).unwrap();
    let command = robot::parse_command(&raw, manifest, context()).unwrap();
    let state = RobotState::default();
    let explanation: Vec<Value> = safety::explain(limits, &state, &command, robot::Instant::default())
        .into_iter()
        .map(|item| json!({ "sentence": safety::sentence(&item), "item": item }))
        .collect();
    let verdict = safety::judge(limits, &state, command, robot::Instant::default());
    let sentence = verdict.sentence();
    json!({ "verdict": verdict, "explanation": explanation, "sentence": sentence })
}

fn printed(command: &Value) -> crate::measure::Latencies {
    let manifest = Manifest::parse(MANIFEST, "gate-1").unwrap();
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    let mut taken = latencies();
    for _ in 0..CHECKS {
        let started = now();
        std::hint::black_box(checked(&limits, &manifest, command));
        add(&mut taken, started.elapsed());
    }
    taken
}

/// What any caller over HTTP pays besides.
fn read_again(command: &Value) -> crate::measure::Latencies {
    let manifest = Manifest::parse(MANIFEST, "gate-1").unwrap();
    let text = checked(&Limits::compile(&manifest, &[], 1).unwrap(), &manifest, command).to_string();
    let mut taken = latencies();
    for _ in 0..CHECKS {
        let started = now();
        std::hint::black_box(serde_json::from_str::<Value>(&text).unwrap());
        add(&mut taken, started.elapsed());
    }
    taken
}

fn context() -> robot::ParseContext {
    robot::ParseContext {
        fresh_id: robot::CommandId(uuid::Uuid::from_u128(5)),
        source: robot::Source::Person("dana".into()),
        lease: robot::LeaseToken { station: robot::StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: robot::Instant::default(),
        approval: None,
    }
}

fn judgement(raw: &RawCommand) -> crate::measure::Latencies {
    let manifest = Manifest::parse(MANIFEST, "gate-1").unwrap();
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    let mut alone = latencies();
    for _ in 0..CHECKS {
        let command = robot::parse_command(raw, &manifest, context()).unwrap();
        let started = now();
        let verdict = safety::judge(&limits, &RobotState::default(), command, robot::Instant::default());
        add(&mut alone, started.elapsed());
        assert!(verdict.into_approved().is_err());
    }
    alone
}
