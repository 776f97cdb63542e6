//! The start and the end of a gate.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::robot_gate::{Credentials, Inbox, RobotGate};
use bridge::{BridgeError, ClockFn, Link, SamplePublisher};
use robot::Codec;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use crate::adapter::Adapter;
#[cfg(feature = "exec")]
use crate::adapters::exec::{ExecAdapter, ExecWatcher};
#[cfg(feature = "ros2")]
use crate::adapters::ros2::{Relay, Ros2Adapter, Ros2Watcher};
#[cfg(feature = "vda5050")]
use crate::adapters::vda5050::{Vda5050Adapter, Vda5050Watcher};
use crate::code::GateCode;
use crate::commission::Commission;
use crate::decide::GateRunner;
use crate::error::GateError;
use crate::host;
use crate::setup::Setup;
use crate::sources::Channel;
use crate::state::StateFolder;
use crate::threads::{CRASHED, Sender, Shared, decide, observe};
use crate::wiring::{AdapterKind, Mode};

/// Time between a signal and the end: standstill, the end of every goal and the end of the robot's program included.
// The deciding thread waits 10 s for goals to end, and a program of `exec` gets 0.3 s to leave.
const END_WITHIN: Duration = Duration::from_secs(12);
/// The longest status of a process, bytes.
const STATUS_BYTES_MAX: u64 = 1 << 16;
/// Time for the farewell to the network.
const CLOSE_WITHIN: Duration = Duration::from_millis(200);

/// Runs the gate of the wiring at `config` until a signal ends it. `state` is its own folder, if that is not the
/// usual one beside the wiring.
///
/// # Errors
/// Names the first thing that keeps it from starting.
pub async fn run(config: &Path, state: Option<&Path>) -> Result<(), GateError> {
    let setup = Setup::read(config, state)?;
    if let Some(misfit) = setup.misfits().into_iter().next() {
        return Err(misfit);
    }
    let shared = Shared::new(host::clock());
    let link = setup.open_link(ClockFn::clone(&shared.clock)).await?;
    shared.note_panics();
    // Bound for the whole run: dropping it ends the thread that hands pictures on.
    #[cfg(feature = "ros2")]
    let _relay = match &setup.wiring.ros2 {
        Some(wiring) => Relay::start(wiring, &setup.manifest, &link, &shared.clock).map_err(not_started)?,
        None => None,
    };
    let ended = match setup.wiring.mode {
        Mode::Command => command(&setup, &link, &shared).await?,
        Mode::Shadow => shadow(&setup, &link, &shared)?,
    };
    until_ended(&shared, ended).await?;
    // A station that the farewell does not reach notices the silence.
    let _ = tokio::time::timeout(CLOSE_WITHIN, link.close()).await;
    Ok(())
}

async fn command(setup: &Setup, link: &Link, shared: &Arc<Shared>) -> Result<oneshot::Receiver<()>, GateError> {
    let folder = StateFolder::open(&setup.state)?;
    let key = folder.key()?;
    // Stations test answers by the key in the manifest: with another one no acknowledgement would count.
    if setup.manifest.public_key.as_deref() != Some(key.public().to_string().as_str()) {
        let message = format!("the manifest must say public_key = \"{}\"", key.public());
        return Err(GateError::new(GateCode::KeyMismatch, message));
    }
    let stations: BTreeMap<_, _> = setup.station()?.into_iter().collect();
    if stations.is_empty() {
        // No refusal: such a gate still reports the robot, and anybody can stop it.
        tracing::warn!("no station may command: the gate is not paired with one");
    }
    let inbox = Inbox::new(&setup.manifest, ClockFn::clone(&shared.clock));
    let incoming = Arc::clone(&inbox);
    // Runs on a thread of Zenoh, which must not wait for the deciding thread.
    let hand_over = move |message| incoming.put(message);
    let store = Box::new(folder.memory());
    let credentials = Credentials { key, stations };
    let gate = RobotGate::open(link, &setup.manifest, credentials, store, hand_over).await.map_err(not_started)?;
    let publishers = publishers(setup, |key| gate.state_publisher(link, key, Codec::Json))?;
    // A thread of its own sends, so that a slow network never holds up a decision.
    let sender = Sender::start(Some(gate.reply_sender()), publishers).map_err(not_started)?;
    match setup.wiring.adapter()? {
        #[cfg(feature = "exec")]
        AdapterKind::Exec => {
            let (program, wiring) = setup.exec_program()?;
            let frame = setup.manifest.default_frame.clone();
            let adapter = ExecAdapter::open(program, wiring, frame, &shared.clock).map_err(not_started)?;
            let runner = runner(setup, &folder, gate, adapter, shared)?;
            decide(runner, folder, inbox, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(feature = "ros2")]
        AdapterKind::Ros2 => {
            let adapter = Ros2Adapter::open(setup.ros2_wiring()?, setup.ros2_robot(), &shared.clock);
            let adapter = adapter.map_err(not_started)?;
            let runner = runner(setup, &folder, gate, adapter, shared)?;
            decide(runner, folder, inbox, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(feature = "vda5050")]
        AdapterKind::Vda5050 => {
            let adapter = Vda5050Adapter::open(setup.vda5050_wiring()?, &setup.folder, &setup.manifest, &shared.clock)?;
            let runner = runner(setup, &folder, gate, adapter, shared)?;
            decide(runner, folder, inbox, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(not(feature = "exec"))]
        kind @ AdapterKind::Exec => Err(kind.not_built()),
        #[cfg(not(feature = "ros2"))]
        kind @ AdapterKind::Ros2 => Err(kind.not_built()),
        #[cfg(not(feature = "vda5050"))]
        kind @ AdapterKind::Vda5050 => Err(kind.not_built()),
        kind @ AdapterKind::Mavlink => Err(kind.not_built()),
    }
}

/// The work of the deciding thread, with what is left of the robot's commissioning.
fn runner<A: Adapter>(
    setup: &Setup,
    folder: &StateFolder,
    gate: RobotGate,
    adapter: A,
    shared: &Shared,
) -> Result<GateRunner<A>, GateError> {
    let commission = Commission::open(setup, folder, &adapter.facts(), adapter.means())?;
    for part in commission.changed() {
        tracing::warn!(robot = %setup.manifest.id, ?part, "changed since the robot was commissioned, which is void");
    }
    Ok(GateRunner::new(gate, setup.manifest.clone(), adapter, commission, ClockFn::clone(&shared.clock)))
}

/// A gate that hears no command, and whose adapter has no half that sends.
fn shadow(setup: &Setup, link: &Link, shared: &Arc<Shared>) -> Result<oneshot::Receiver<()>, GateError> {
    let publishers = publishers(setup, |key| link.sample_publisher(key, Codec::Json))?;
    let sender = Sender::start(None, publishers).map_err(not_started)?;
    match setup.wiring.adapter()? {
        #[cfg(feature = "exec")]
        AdapterKind::Exec => {
            let (program, wiring) = setup.exec_program()?;
            let frame = setup.manifest.default_frame.clone();
            let watcher = ExecWatcher::watch(program, wiring, frame, &shared.clock).map_err(not_started)?;
            observe(watcher, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(feature = "ros2")]
        AdapterKind::Ros2 => {
            let frame = setup.manifest.default_frame.clone();
            let watcher = Ros2Watcher::watch(setup.ros2_wiring()?, frame, &shared.clock).map_err(not_started)?;
            observe(watcher, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(feature = "vda5050")]
        AdapterKind::Vda5050 => {
            let watcher =
                Vda5050Watcher::watch(setup.vda5050_wiring()?, &setup.folder, &setup.manifest, &shared.clock)?;
            observe(watcher, sender, Arc::clone(shared)).map_err(not_started)
        }
        #[cfg(not(feature = "exec"))]
        kind @ AdapterKind::Exec => Err(kind.not_built()),
        #[cfg(not(feature = "ros2"))]
        kind @ AdapterKind::Ros2 => Err(kind.not_built()),
        #[cfg(not(feature = "vda5050"))]
        kind @ AdapterKind::Vda5050 => Err(kind.not_built()),
        kind @ AdapterKind::Mavlink => Err(kind.not_built()),
    }
}

fn publishers(
    setup: &Setup,
    publisher: impl Fn(&str) -> Result<SamplePublisher, BridgeError>,
) -> Result<BTreeMap<Channel, SamplePublisher>, GateError> {
    let channels = setup.channels().into_iter();
    channels.map(|(channel, key)| Ok((channel, publisher(&key).map_err(not_started)?))).collect()
}

/// The signals that ask a gate to end. Any of them would end it at once otherwise, without a stop.
struct EndSignals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    /// The terminal is gone; none if the gate was started so as to outlive it, as by `nohup`.
    hangup: Option<Signal>,
}

impl EndSignals {
    fn listen() -> std::io::Result<Self> {
        // The status of a process that cannot be read says of no signal that it is ignored.
        let status = files::read_text(Path::new("/proc/self/status"), STATUS_BYTES_MAX).unwrap_or_default();
        let hangup = SignalKind::hangup();
        let hangup = (!ignores(&status, hangup.as_raw_value())).then(|| signal(hangup)).transpose()?;
        let [terminate, interrupt, quit] = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::quit()];
        Ok(Self { terminate: signal(terminate)?, interrupt: signal(interrupt)?, quit: signal(quit)?, hangup })
    }

    async fn next(&mut self) {
        let Self { terminate, interrupt, quit, hangup } = self;
        let hangup = async {
            match hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = quit.recv() => {}
            _ = hangup => {}
        }
    }
}

/// True if the status of a process, in the form of `/proc/self/status`, says that it ignores this signal.
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    u32::try_from(signal - 1).is_ok_and(|bit| mask.checked_shr(bit).is_some_and(|mask| mask & 1 == 1))
}

/// Waits for a signal and then for the end, or for an end that comes by itself.
async fn until_ended(shared: &Shared, mut ended: oneshot::Receiver<()>) -> Result<(), GateError> {
    let mut signals = EndSignals::listen().map_err(not_started)?;
    tokio::select! {
        () = signals.next() => {}
        end = &mut ended => {
            check_answered(&end);
            return Ok(());
        }
    }
    shared.end();
    match tokio::time::timeout(END_WITHIN, ended).await {
        Ok(end) => check_answered(&end),
        Err(_) => {
            tracing::error!("the gate did not end in time");
            // A status of failure, because the robot was not seen to stand. The next start is latched (decision 0013).
            std::process::exit(CRASHED);
        }
    }
    Ok(())
}

/// Ends the program if a thread is gone without its answer: a gate that only watches would look at nothing any more.
fn check_answered(end: &Result<(), oneshot::error::RecvError>) {
    if end.is_err() {
        tracing::error!("a thread of the gate is gone");
        std::process::exit(CRASHED);
    }
}

fn not_started(error: impl std::error::Error) -> GateError {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    GateError::new(GateCode::NotStarted, message)
}

#[cfg(test)]
mod tests {
    use rustix::process::{Signal, getpid, kill_process};

    use super::*;

    #[test]
    fn rg_10_a_gate_ends_in_order_by_every_signal_that_people_and_terminals_send() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _inside = runtime.enter();
        let mut signals = EndSignals::listen().unwrap();
        // Of the signals that are new here the one that no starter of this test ignores for it.
        kill_process(getpid(), Signal::QUIT).unwrap();
        runtime.block_on(signals.next());
    }

    #[test]
    fn a_gate_that_was_started_so_as_to_outlive_its_terminal_does() {
        let status = |mask: &str| format!("Name:\tgate\nSigIgn:\t{mask}\nSigCgt:\t0000000000000001\n");
        let hangup = SignalKind::hangup().as_raw_value();
        assert!(ignores(&status("0000000000001001"), hangup));
        assert!(!ignores(&status("0000000000001000"), hangup));
        assert!(!ignores("", hangup) && !ignores(&status("?"), hangup));
    }
}
