//! One scan at a time, by the gate program as a process of its own.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use robot::{SCAN_REPORT_BYTES_MAX, ScanReport};
use runtime::error::OpError;
use runtime::lock::lock;
use tokio_util::sync::CancellationToken;

use crate::code::StationCode;
use crate::launcher::SimulatorLauncher;

/// Time beyond that of the scan itself within which the program answers.
const GRACE: Duration = Duration::from_secs(15);
/// The longest address of a router, bytes.
const ROUTER_BYTES_MAX: usize = 256;

/// Places to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// Domains of ROS 2 over DDS.
    pub domains: Vec<u16>,
    /// Endpoints of Zenoh routers.
    pub routers: Vec<String>,
    /// Length of the scan, seconds.
    pub seconds: u16,
}

/// The scanner of a station.
pub struct Scanner {
    launcher: Arc<dyn SimulatorLauncher>,
    running: Mutex<Option<CancellationToken>>,
}

/// Makes room for the next scan, however this one ends.
struct Running<'s>(&'s Scanner);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *lock(&self.0.running) = None;
    }
}

impl Scanner {
    pub(crate) fn new(launcher: Arc<dyn SimulatorLauncher>) -> Self {
        Self { launcher, running: Mutex::default() }
    }

    /// Runs the program and reads its report. It is ended with the station, and when the scan is cancelled.
    pub(crate) async fn scan(&self, places: &Places, ended: &CancellationToken) -> Result<ScanReport, OpError> {
        let args = arguments(places)?;
        // A child, so that cancelling the scan does not end the station.
        let cancelled = ended.child_token();
        // Held to the end of the function: a caller that goes away drops it, and the next scan may begin.
        let _running = self.begin(&cancelled)?;
        let launched = self.launcher.launch_gate(args).await;
        let mut process = launched.map_err(|error| {
            let message = format!("quarterdeck-gate could not be started: {error}.");
            OpError::new(StationCode::ScanProgramMissing, message)
        })?;
        let within = Duration::from_secs(places.seconds.into()) + GRACE;
        // Dropping the process ends it.
        tokio::select! {
            line = tokio::time::timeout(within, process.lines.recv()) => match line {
                Ok(Some(line)) => read(&line),
                Ok(None) => Err(failed("quarterdeck-gate ended without a report.")),
                Err(_) => Err(failed("quarterdeck-gate did not report in time.")),
            },
            () = cancelled.cancelled() => {
                Err(OpError::new(StationCode::ScanCancelled, "The scan was cancelled."))
            }
        }
    }

    /// Ends the scan that runs; false if none does.
    pub(crate) fn cancel(&self) -> bool {
        lock(&self.running).as_ref().map(CancellationToken::cancel).is_some()
    }

    fn begin(&self, cancelled: &CancellationToken) -> Result<Running<'_>, OpError> {
        let mut running = lock(&self.running);
        if running.is_some() {
            return Err(OpError::new(StationCode::ScanRunning, "A scan runs already."));
        }
        *running = Some(cancelled.clone());
        Ok(Running(self))
    }
}

fn failed(message: impl Into<String>) -> OpError {
    OpError::new(StationCode::ScanFailed, message.into())
}

fn read(line: &str) -> Result<ScanReport, OpError> {
    // The report repeats names that any device of the network chooses, so its size is bounded before it is parsed.
    if line.len() > SCAN_REPORT_BYTES_MAX {
        return Err(failed("The report of quarterdeck-gate is too long."));
    }
    serde_json::from_str(line)
        .map_err(|error| failed(format!("The report of quarterdeck-gate cannot be read: {error}.")))
}

/// The arguments of the program, which refuses what is out of range itself. A router's address begins with a
/// protocol, so that it is never taken for a flag.
fn arguments(places: &Places) -> Result<Vec<String>, OpError> {
    // The program ends with its input, and so does not outlive a station that was killed.
    let mut args = vec!["scan".to_owned(), "--until-input-ends".to_owned()];
    args.push(format!("--seconds={}", places.seconds));
    args.extend(places.domains.iter().map(|domain| format!("--domain={domain}")));
    for router in &places.routers {
        let is_endpoint = router.len() <= ROUTER_BYTES_MAX
            && router.bytes().all(|byte| byte.is_ascii_graphic())
            && ["tcp/", "tls/", "udp/", "quic/"].iter().any(|protocol| router.starts_with(protocol));
        if !is_endpoint {
            let message = format!("{router:?} is no endpoint such as tcp/192.168.1.5:7447.");
            return Err(OpError::bad_input(StationCode::BadScan, "routers", message));
        }
        args.push(format!("--router={router}"));
    }
    Ok(args)
}

#[cfg(test)]
mod tests;
