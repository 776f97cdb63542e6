//! The programs that lie beside the station's own, as a host starts them.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::mpsc;

/// A started program: its output lines, and its input.
#[derive(Debug)]
pub struct SimulatorProcess {
    /// Lines of standard output; closes when the process ends.
    pub lines: mpsc::Receiver<String>,
    /// Lines for standard input; dropping it ends the process.
    pub input: mpsc::Sender<String>,
}

/// Start of the simulator's process, under way.
pub type Launched = Pin<Box<dyn Future<Output = std::io::Result<SimulatorProcess>> + Send>>;

/// Launcher of the programs beside the station's, which the host provides.
pub trait SimulatorLauncher: Send + Sync {
    /// Starts it with `args`.
    fn launch(&self, args: Vec<String>) -> Launched;

    /// Starts the gate program with `args`, the same way.
    fn launch_gate(&self, args: Vec<String>) -> Launched;
}
