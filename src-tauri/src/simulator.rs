//! Starts the simulated site as a sidecar: a program beside the app, over which the webview has no say.

use std::future::Future;
use std::io;
use std::pin::Pin;

use api::{SimulatorLauncher, SimulatorProcess};
use tauri::AppHandle;
use tauri::async_runtime::{Receiver, spawn, spawn_blocking};
use tauri_plugin_shell::ShellExt;
use tauri_plugin_shell::process::{CommandChild, CommandEvent};
use tokio::sync::mpsc;

/// Name of the simulator's program, found beside the app's own.
const SIMULATOR: &str = "quarterdeck-sim";

/// Name of the gate's program, found in the same place.
const GATE: &str = "quarterdeck-gate";

/// The simulator says one line when it is ready and one per fault: this many wait unread at most.
const LINES_MAX: usize = 64;

/// Faults are injected by hand: this many wait to be written at most.
const INPUT_MAX: usize = 16;

/// Launches the simulator through the shell plugin.
pub struct Sidecar {
    app: AppHandle,
}

impl Sidecar {
    /// A launcher for the programs beside `app`.
    #[must_use]
    pub fn new(app: AppHandle) -> Self {
        Self { app }
    }

    fn start(&self, program: &str, args: Vec<String>) -> io::Result<SimulatorProcess> {
        let command = self.app.shell().sidecar(program).map_err(io::Error::other)?;
        let (events, child) = command.args(args).spawn().map_err(io::Error::other)?;
        let (lines_in, lines) = mpsc::channel(LINES_MAX);
        let (input, input_out) = mpsc::channel(INPUT_MAX);
        spawn(forward_output(events, lines_in));
        spawn_blocking(move || forward_input(child, input_out));
        Ok(SimulatorProcess { lines, input })
    }
}

impl SimulatorLauncher for Sidecar {
    fn launch(&self, args: Vec<String>) -> Pin<Box<dyn Future<Output = io::Result<SimulatorProcess>> + Send>> {
        let started = self.start(SIMULATOR, args);
        Box::pin(std::future::ready(started))
    }

    fn launch_gate(&self, args: Vec<String>) -> Pin<Box<dyn Future<Output = io::Result<SimulatorProcess>> + Send>> {
        let started = self.start(GATE, args);
        Box::pin(std::future::ready(started))
    }
}

/// Ends, and with it closes `lines`, when the simulator has exited. Goes on reading when nobody listens any more,
/// because a full pipe would halt the simulator.
async fn forward_output(mut events: Receiver<CommandEvent>, lines: mpsc::Sender<String>) {
    while let Some(event) = events.recv().await {
        match event {
            CommandEvent::Stdout(bytes) => {
                let _nobody_listens = lines.send(text_of(&bytes)).await;
            }
            CommandEvent::Stderr(bytes) => tracing::info!(target: SIMULATOR, "{}", text_of(&bytes)),
            CommandEvent::Error(error) => tracing::warn!(target: SIMULATOR, error, "output could not be read"),
            CommandEvent::Terminated(exit) => {
                tracing::info!(target: SIMULATOR, code = exit.code, signal = exit.signal, "exited");
                return;
            }
            unknown => tracing::debug!(target: SIMULATOR, ?unknown),
        }
    }
}

/// Writes lines until `input` is dropped; dropping the child then closes its standard input, which ends the simulator.
fn forward_input(mut child: CommandChild, mut input: mpsc::Receiver<String>) {
    while let Some(mut line) = input.blocking_recv() {
        line.push('\n');
        if let Err(error) = child.write(line.as_bytes()) {
            tracing::warn!(target: SIMULATOR, %error, "no longer reads its input");
            return;
        }
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}
