//! P6: the whole gate of a running station that no robot answers: call, role, parse, snapshot, judge, explain.

use std::sync::Arc;
use std::time::Duration;

use api::{Api, Config, Launched, Session, SimulatorLauncher};
use robot::{Command, Manifest, RawCommand};
use safety::{Limits, RobotState};
use serde_json::{Value, json};
use server::McpClient;

use crate::measure::{Latencies, add, latencies, now};
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

    fn launch_gate(&self, _args: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("this benchmark has no gate program")) })
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
    let command = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
    let whole = called(&api, "check_command", &command).await;
    let unparsed = json!({ "robot": "gate-1", "actuator": "none", "motion": { "switch": { "on": true } } });
    let unparsed = called(&api, "check_command", &unparsed).await;
    let table = called(&api, "list_verdicts", &json!({ "robot": "gate-1" })).await;
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
        part(
            "of that: the command read from JSON",
            each(|| serde_json::from_value::<RawCommand>(command.clone())),
            "–",
        ),
        part("of that: explained, with sentences", explained(&command), "–"),
        part("of that: verdict and explanation made JSON", made_json(&command), "–"),
        part("the same printed text, read as JSON", read_again(&command), "–"),
        part("the operation table alone: list_verdicts of none", table, "–"),
        part("check_command of an actuator that is not there", unparsed, "–"),
        part(&whole_named, whole, "p99 < 20 µs, p99.9 < 100 µs"),
    ]
}

/// Latencies of calls of an operation, one a millisecond.
async fn called(api: &Api, operation: &str, input: &Value) -> Latencies {
    let admin = Session::bootstrap();
    let mut taken = latencies();
    let started = now();
    for call in 0..CHECKS {
        // Timed from when it was due, so that one slow call is not hidden by those that had to wait for it. The
        // runtime's timer is a millisecond coarse: as long as a call may take a hundred times over.
        let due = started + EVERY * call;
        while now() < due {
            std::hint::spin_loop();
        }
        let answer = api.call(&admin, operation, input.clone()).await.unwrap();
        add(&mut taken, due.elapsed());
        assert_ne!(answer["verdict"]["overall"], "allow", "nobody has armed it");
    }
    taken
}

/// Latencies of one step, over and over.
fn each<T>(mut step: impl FnMut() -> T) -> Latencies {
    let mut taken = latencies();
    for _ in 0..CHECKS {
        let started = now();
        std::hint::black_box(step());
        add(&mut taken, started.elapsed());
    }
    taken
}

/// The least that a caller in the same program would need, without station, session and table.
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

/// The robot, its limits, and a command of it.
fn scene(command: &Value) -> (Manifest, Limits, Command) {
    let manifest = Manifest::parse(MANIFEST, "gate-1").unwrap();
    let limits = Limits::compile(&manifest, &[], 1).unwrap();
    let raw: RawCommand = serde_json::from_value(command.clone()).unwrap();
    let command = robot::parse_command(&raw, &manifest, context()).unwrap();
    (manifest, limits, command)
}

fn printed(command: &Value) -> Latencies {
    let (manifest, limits, _) = scene(command);
    each(|| checked(&limits, &manifest, command))
}

fn explained(command: &Value) -> Latencies {
    let (_, limits, command) = scene(command);
    let state = RobotState::default();
    each(|| -> Vec<String> {
        safety::explain(&limits, &state, &command, robot::Instant::default()).iter().map(safety::sentence).collect()
    })
}

fn made_json(command: &Value) -> Latencies {
    let (_, limits, command) = scene(command);
    let state = RobotState::default();
    let items = safety::explain(&limits, &state, &command, robot::Instant::default());
    let verdict = safety::judge(&limits, &state, command, robot::Instant::default());
    each(|| json!({ "verdict": verdict, "explanation": items }))
}

/// Reads the printed answer again, as any caller over HTTP has to.
fn read_again(command: &Value) -> Latencies {
    let (manifest, limits, _) = scene(command);
    let text = checked(&limits, &manifest, command).to_string();
    each(|| serde_json::from_str::<Value>(&text).unwrap())
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

fn judgement(raw: &RawCommand) -> Latencies {
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
