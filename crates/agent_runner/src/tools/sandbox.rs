//! Cells for untrusted programs: whether this machine can make them hold, and one run in one.

mod filter;
mod investigation;
mod sandbox_process;
mod self_test;
pub(crate) mod shell_tools;
mod usage;

use std::io::PipeReader;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use futures::future::OptionFuture;
use robot::Trust;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::process::Child;
use tokio::sync::{OnceCell, Semaphore};

pub(crate) use investigation::Investigation;
use investigation::Shell;
pub(crate) use sandbox_process::{Cell, Prepared, Purpose, give};
pub(crate) use usage::{Watched, used_up};

use runtime::error::OpError;
use runtime::wire::{ProgramEnded, SandboxFault};

use crate::code::AgentCode;

/// The longest a run may take.
pub(crate) const TIME_MAX: Duration = Duration::from_secs(30);
/// The most of its output that is kept, bytes.
pub(crate) const OUTPUT_BYTES_MAX: usize = 64 * 1024;

/// Programs that are asked something at once: a reply with many calls fills no machine with cells.
const ASKED_MAX: usize = 8;

/// The cells of this machine; the first call finds out if they hold.
pub(crate) struct Sandbox {
    found: OnceCell<Result<sandbox_process::Tools, SandboxFault>>,
    /// Folders that no cell may see; the self-test looks for them.
    hidden: Vec<PathBuf>,
    /// Runs one command of an investigation after the other.
    shell: tokio::sync::Mutex<Shell>,
    /// A place for each program that is asked something.
    asked: Semaphore,
}

/// Bounds of a run: its time, and the bytes of its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub time: Duration,
    pub output_bytes: usize,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// None if it was ended.
    pub exit_code: Option<i32>,
    /// Both its outputs, in the order in which it wrote them.
    pub output: String,
    /// It wrote more, and was ended for it.
    pub cut: bool,
    /// It took too long, and was ended for it.
    pub timed_out: bool,
}

impl From<Ended> for ProgramEnded {
    fn from(ended: Ended) -> Self {
        let Ended { exit_code, output, cut, timed_out } = ended;
        Self { exit_code, output, cut, timed_out, trust: Trust::Text }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: TIME_MAX, output_bytes: OUTPUT_BYTES_MAX }
    }
}

impl Sandbox {
    /// The cells of a station whose files lie in `data_dir`.
    pub fn new(data_dir: PathBuf) -> Self {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        Self {
            found: OnceCell::new(),
            hidden: std::iter::once(data_dir).chain(home).collect(),
            shell: tokio::sync::Mutex::default(),
            asked: Semaphore::new(ASKED_MAX),
        }
    }

    /// The reason for which no program runs in a cell here; none if cells hold. The first call tries it out.
    pub async fn problem(&self) -> Option<SandboxFault> {
        self.tools().await.as_ref().err().cloned()
    }

    /// The command that runs `program` in `cell`.
    pub async fn prepare(&self, cell: &Cell<'_>, program: &str, arguments: &[String]) -> Result<Prepared, OpError> {
        let tools = self.tools().await.as_ref().map_err(|fault| disabled(&fault.to_string()))?;
        tools.prepare(cell, program, arguments).map_err(|reason| disabled(&reason))
    }

    /// Runs `program` in `cell` to its end, or to the end of its bounds.
    pub async fn run(
        &self,
        cell: &Cell<'_>,
        program: &str,
        arguments: &[String],
        bounds: Bounds,
    ) -> Result<Ended, OpError> {
        let prepared = self.prepare(cell, program, arguments).await?;
        run(prepared, bounds).await.map_err(|error| disabled(&error.to_string()))
    }

    /// Runs `program` in `cell` to its end, or to the end of its bounds: it is told `line` on its standard input and
    /// answers on its standard output.
    pub async fn ask(
        &self,
        cell: &Cell<'_>,
        program: &str,
        arguments: &[String],
        line: String,
        bounds: Bounds,
    ) -> Result<Ended, OpError> {
        let prepared = self.prepare(cell, program, arguments).await?;
        // The time of the run begins after this wait.
        let _room = self.asked.acquire().await.map_err(|error| disabled(&error.to_string()))?;
        ask(prepared, &line, bounds).await.map_err(|error| disabled(&error.to_string()))
    }

    async fn tools(&self) -> &Result<sandbox_process::Tools, SandboxFault> {
        let test = async || {
            let found = self_test::test(&self.hidden).await;
            if let Err(fault) = &found {
                tracing::warn!(%fault, "programs of tools do not run here");
            }
            found
        };
        self.found.get_or_init(test).await
    }
}

/// Runs a prepared command; its processes end with it.
async fn run(prepared: Prepared, bounds: Bounds) -> std::io::Result<Ended> {
    let Prepared { command, filter, memory_bytes, folder } = prepared;
    let (reader, writer) = std::io::pipe()?;
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).kill_on_drop(true);
    let child = command.spawn()?;
    // The last writers outside: without them the output ends with the cell.
    drop((command, filter));
    end_of(child, reader, bounds, memory_bytes, folder).await
}

/// The same for a command that is told `line` and answers on its standard output; what it says besides is dropped.
async fn ask(prepared: Prepared, line: &str, bounds: Bounds) -> std::io::Result<Ended> {
    let Prepared { command, filter, memory_bytes, folder } = prepared;
    let (reader, writer) = std::io::pipe()?;
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    drop((command, filter));
    let told = child.stdin.take();
    let tell = async {
        if let Some(mut told) = told {
            // A program that does not listen may have an answer all the same.
            let _ = told.write_all(line.as_bytes()).await;
        }
    };
    // At the same time: a program may print more than a pipe holds before it has read its input.
    let (ended, ()) = tokio::join!(end_of(child, reader, bounds, memory_bytes, folder), tell);
    ended
}

/// Reads what a command prints until it ends, until the end of its bounds, or until it uses more than a run may.
async fn end_of(
    mut child: Child,
    reader: PipeReader,
    bounds: Bounds,
    memory_bytes: u64,
    folder: Option<PathBuf>,
) -> std::io::Result<Ended> {
    let watched = child.id().map(|process| Watched { process, memory_bytes, folder });
    // One byte more than is kept tells that there was more.
    let mut reader = pipe::Receiver::from_owned_fd(reader.into())?.take(bounds.output_bytes as u64 + 1);
    let mut output = Vec::new();
    let reading = async {
        reader.read_to_end(&mut output).await?;
        if output.len() > bounds.output_bytes {
            // Ended below rather than waited for: it may print for ever.
            return Ok(None);
        }
        child.wait().await.map(Some)
    };
    let using_up = OptionFuture::from(watched.map(used_up));
    let ended = tokio::time::timeout(bounds.time, async {
        tokio::select! {
            status = reading => status.map(|status| (status, None)),
            Some(sentence) = using_up => Ok((None, Some(sentence))),
        }
    });
    let ((status, used_up), timed_out) = match ended.await {
        Ok(ended) => (ended?, false),
        Err(_) => ((None, None), true),
    };
    if status.is_none() {
        // Every process of the cell ends with it (`--die-with-parent`).
        child.kill().await?;
    }
    let cut = output.len() > bounds.output_bytes;
    output.truncate(bounds.output_bytes);
    let mut output = String::from_utf8_lossy(&output).into_owned();
    output.extend(used_up.map(|sentence| format!("\n{sentence}\n")));
    Ok(Ended { exit_code: status.and_then(|status| status.code()), output, cut, timed_out })
}

fn disabled(reason: &str) -> OpError {
    OpError::new(AgentCode::SandboxDisabled, format!("Programs of tools do not run on this machine: {reason}."))
}

#[cfg(test)]
mod tests;
