//! The robot's program as a process. It outlives no gate that ends in order: its input closes, and then it is killed.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Time between the end of a program's input and its being killed.
const LEAVE: Duration = Duration::from_millis(300);
/// Period of looks at a program that is to end.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Both ends of a program.
pub struct Program {
    /// Standard output.
    pub output: Box<dyn Read + Send>,
    /// Standard input.
    pub input: Box<dyn Write + Send>,
    /// The process, if it is one.
    pub process: Process,
}

/// A process that is ended when this is dropped; its input must be closed by then.
pub struct Process(Option<Child>);

impl Program {
    /// Starts a program. Signals of the terminal do not reach it: it has to hear the stop first.
    pub fn start(program: &Path, arguments: &[String], folder: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pipes = child.stdout.take().zip(child.stdin.take());
        let (output, input) = pipes.ok_or_else(|| io::Error::other("the program has no pipes"))?;
        Ok(Self { output: Box::new(output), input: Box::new(input), process: Process(Some(child)) })
    }

    /// The two ends of something else that speaks for a robot.
    #[cfg(test)]
    pub fn over(output: impl Read + Send + 'static, input: impl Write + Send + 'static) -> Self {
        Self { output: Box::new(output), input: Box::new(input), process: Process(None) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else { return };
        let mut waited = Duration::ZERO;
        while waited < LEAVE && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK_EVERY);
            waited += LOOK_EVERY;
        }
        // One that has ended cannot be killed, which is as well.
        let _ = child.kill();
        let _ = child.wait();
    }
}
