//! Starts the simulator that lies beside this program.

use std::path::Path;
use std::process::Stdio;

use api::{Launched, SimulatorLauncher, SimulatorProcess};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

/// Lines that may wait in either direction.
const LINES_MAX: usize = 64;

/// `quarterdeck-sim` in the folder of the running program.
pub struct SiblingSimulator;

impl SimulatorLauncher for SiblingSimulator {
    fn launch(&self, args: Vec<String>) -> Launched {
        Box::pin(async move { Self::launch_program(&std::env::current_exe()?.with_file_name("quarterdeck-sim"), args) })
    }

    fn launch_gate(&self, args: Vec<String>) -> Launched {
        Box::pin(
            async move { Self::launch_program(&std::env::current_exe()?.with_file_name("quarterdeck-gate"), args) },
        )
    }
}

impl SiblingSimulator {
    /// Starts the program at `program`. Call it inside a tokio runtime.
    pub fn launch_program(program: &Path, args: Vec<String>) -> std::io::Result<SimulatorProcess> {
        let child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", program.display())))?;
        connect(child)
    }
}

/// Moves lines between the process and its channels until either end closes.
#[expect(clippy::disallowed_methods, reason = "the task ends with the process, and the process with its input")]
fn connect(mut child: Child) -> std::io::Result<SimulatorProcess> {
    let missing = || std::io::Error::other("the simulator has no pipes");
    let (stdin, stdout) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
    let (lines_in, lines) = mpsc::channel(LINES_MAX);
    let (input, mut input_out) = mpsc::channel::<String>(LINES_MAX);
    tokio::spawn(async move {
        let mut stdin = stdin;
        let mut output = BufReader::new(stdout).lines();
        loop {
            tokio::select! {
                line = output.next_line() => match line {
                    Ok(Some(line)) => if lines_in.send(line).await.is_err() { break },
                    Ok(None) | Err(_) => break,
                },
                line = input_out.recv() => {
                    let Some(line) = line else { break };
                    if stdin.write_all(format!("{line}\n").as_bytes()).await.is_err() { break }
                }
            }
        }
        // Its input is closed with `stdin`; what does not end by itself is killed when `child` is dropped.
        drop(stdin);
        drop(child);
    });
    Ok(SimulatorProcess { lines, input })
}
