use std::collections::VecDeque;
use std::sync::Mutex;

use futures::poll;
use runtime::lock::lock;

use super::*;
use crate::launcher::Launched;
use crate::test_support::{NoToolServers, Rig, gate_where};

const READY: &str = r#"{"ready":true,"manifests":{},"models":{}}"#;
/// The key in the manifest of the test robot, and another one.
const KEYS: [&str; 2] =
    ["ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="];

/// Gives out processes that were made beforehand.
struct Prepared(Mutex<VecDeque<SimulatorProcess>>);

impl SimulatorLauncher for Prepared {
    fn launch(&self, _: Vec<String>) -> Launched {
        let process = lock(&self.0).pop_front().ok_or_else(|| std::io::Error::other("one too many"));
        Box::pin(std::future::ready(process))
    }

    fn launch_gate(&self, _: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("no gate program")) })
    }
}

/// The other side of a process: its output, and its input.
type Far = (mpsc::Sender<String>, mpsc::Receiver<String>);

/// A simulator with as many processes as there are first lines, each with its other side.
fn simulator(first_lines: &[&str]) -> (Simulator, Vec<Far>) {
    let process = |first: &&str| {
        let ((lines_in, lines), (input, input_out)) = (mpsc::channel(4), mpsc::channel(4));
        if !first.is_empty() {
            lines_in.try_send((*first).to_owned()).unwrap();
        }
        (SimulatorProcess { lines, input }, (lines_in, input_out))
    };
    let (processes, far): (VecDeque<_>, Vec<_>) = first_lines.iter().map(process).unzip();
    (Simulator::new(Arc::new(Prepared(Mutex::new(processes))), 7), far)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_after_a_stop_waits_for_the_end_and_starts_a_new_process() {
    let rig = Rig::start().await;
    let (simulator, mut far) = simulator(&[READY, READY]);
    simulator.start(&rig.station, &rig.agent).await.unwrap();
    simulator.start(&rig.station, &rig.agent).await.unwrap();
    simulator.stop();
    let (first_lines, mut first_input) = far.remove(0);
    assert_eq!(first_input.recv().await, None, "it is told to end");
    let mut again = Box::pin(simulator.start(&rig.station, &rig.agent));
    assert!(poll!(&mut again).is_pending());
    drop(first_lines);
    again.await.unwrap();
    assert_eq!(simulator.state(), SimulatorState::Running);
    let (_, second_input) = &far[0];
    assert!(!second_input.is_closed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_ends_as_soon_as_it_is_ready_does_not_run() {
    let rig = Rig::start().await;
    let (simulator, far) = simulator(&[READY, READY]);
    let (killed, survives): (Vec<_>, Vec<_>) = far.into_iter().enumerate().partition(|(at, _)| *at == 0);
    drop(killed);
    simulator.start(&rig.station, &rig.agent).await.unwrap();
    let mut lives = simulator.life.subscribe();
    lives.wait_for(|life| matches!(life, Life::Stopped)).await.unwrap();
    simulator.start(&rig.station, &rig.agent).await.unwrap();
    assert!(!survives[0].1.1.is_closed(), "the next start is one");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_a_process_that_only_starts() {
    let rig = Rig::start().await;
    let (simulator, mut far) = simulator(&[""]);
    let mut start = Box::pin(simulator.start(&rig.station, &rig.agent));
    while simulator.state() != SimulatorState::Starting {
        assert!(poll!(&mut start).is_pending());
    }
    assert!(poll!(&mut start).is_pending());
    simulator.stop();
    let (lines, mut input) = far.remove(0);
    let ended = async {
        assert_eq!(input.recv().await, None, "it is told to end");
        drop(lines);
    };
    let (started, ()) = tokio::join!(start, ended);
    assert_eq!(started.unwrap_err().code, "simulator_failed");
    assert_eq!(simulator.state(), SimulatorState::Stopped);
}

/// The line of a simulator that brings the test robot with a key.
fn brings(key: &str) -> String {
    let (robot, manifest) = gate_where("none");
    json!({ "ready": true, "manifests": { robot: manifest.replace(KEYS[0], key) }, "models": {} }).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_manifest_of_a_real_robot_that_was_refused_is_not_replaced_by_the_simulators() {
    for real in [gate_where("none").1.replace("schema = 1", "schema = 1\nspeed = 2"), "not a manifest".to_owned()] {
        let rig = Rig::start_with_robots("", &[("gate-1", real.clone())], Arc::new(NoToolServers)).await;
        let (simulator, _far) = simulator(&[&brings(KEYS[1])]);
        let refused = simulator.start(&rig.station, &rig.agent).await.unwrap_err();
        assert_eq!(refused.code, "robot_exists");
        let path = rig.station.runtime.layout.robots.join("gate-1.toml");
        assert_eq!(std::fs::read_to_string(path).unwrap(), real);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_start_takes_up_a_real_robot_whose_name_the_simulator_had_and_none_of_the_simulator() {
    let rig = Rig::start().await;
    let (simulator, _far) = simulator(&[&brings(KEYS[1])]);
    simulator.start(&rig.station, &rig.agent).await.unwrap();
    let left = rig.station.runtime.db.simulated_robots().await.unwrap();
    assert_eq!(left, BTreeSet::from([KEYS[1].to_owned()]));
    let path = rig.station.runtime.layout.robots.join("gate-1.toml");
    let (_, real) = gate_where("none");
    let later = |manifest: String| {
        let left = left.clone();
        async move {
            let rig = Rig::start().await;
            rig.station.runtime.db.save_simulated_robots(&left).await.unwrap();
            std::fs::write(rig.station.runtime.layout.robots.join("gate-1.toml"), manifest).unwrap();
            rig.station.fleet.load_robots().await.unwrap();
            rig.station.fleet.units().len()
        }
    };
    assert_eq!(later(std::fs::read_to_string(path).unwrap()).await, 0);
    assert_eq!(later(real).await, 1);
}
