//! The robot's program as a process. It outlives no gate that ends in order: its input closes, and then it is killed
//! together with everything that it has started.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Time between the end of a program's input and its being killed.
const LEAVE: Duration = Duration::from_millis(300);
/// Period of looks at a program that is to end.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A start of the robot's program.
pub type Start = Box<dyn FnMut() -> io::Result<Program> + Send>;

/// Both ends of a program.
pub struct Program {
    /// Standard output.
    pub output: Box<dyn Read + Send>,
    /// Standard input.
    pub input: Box<dyn Write + Send>,
    /// The process, if it is one.
    pub process: Process,
    /// Starts it again when it has ended.
    pub again: Option<Start>,
}

/// A process that is ended when this is dropped; its input must be closed by then.
pub struct Process(Option<Child>);

/// The program that speaks for the robot, one at a time: for the thread that starts it again.
#[derive(Clone)]
pub struct Running(Arc<Mutex<Option<Process>>>);

/// The same, for the owner: none runs and none is started once this is dropped.
pub struct Owned(Running);

impl Program {
    /// Starts a program. Signals of the terminal do not reach it: it has to hear the stop first.
    pub fn start(program: &Path, arguments: &[String], folder: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C goes to the whole group of a terminal: the gate alone hears it, and sends the stop first.
            .process_group(0)
            .spawn()?;
        let pipes = child.stdout.take().zip(child.stdin.take());
        let (output, input) = pipes.ok_or_else(|| io::Error::other("the program has no pipes"))?;
        Ok(Self { output: Box::new(output), input: Box::new(input), process: Process(Some(child)), again: None })
    }

    /// The two ends of something else that speaks for a robot.
    #[cfg(test)]
    pub fn over(output: impl Read + Send + 'static, input: impl Write + Send + 'static) -> Self {
        Self { output: Box::new(output), input: Box::new(input), process: Process(None), again: None }
    }
}

impl Owned {
    /// Of a program that runs.
    pub fn new(process: Process) -> Self {
        Self(Running(Arc::new(Mutex::new(Some(process)))))
    }

    /// For the thread that starts it again.
    pub fn running(&self) -> Running {
        self.0.clone()
    }

    /// True if the program has ended and no other is started in its place yet.
    pub fn has_ended(&self) -> bool {
        self.0.if_free(|process| process.0.is_some() && process.has_ended()).unwrap_or(false)
    }

    /// Ends everything that a program which has ended has left behind.
    pub fn end_rest(&self) {
        self.0.if_free(|process| {
            if process.has_ended() {
                process.end();
            }
        });
    }
}

impl Running {
    /// Starts the program in the place of one that has ended; none if that has not, or if none is to run any more. Two
    /// programs never speak for one robot.
    pub fn replace(&self, start: impl FnOnce() -> io::Result<Program>) -> io::Result<Option<Program>> {
        // Held until the new program stands in the slot: an owner that ends meanwhile would leave it running.
        let mut slot = self.slot();
        let Some(process) = slot.as_mut().filter(|process| process.has_ended()) else { return Ok(None) };
        // What it has left behind would speak for the robot beside the next program.
        process.end();
        let mut program = start()?;
        *slot = Some(std::mem::replace(&mut program.process, Process(None)));
        Ok(Some(program))
    }

    /// Looks at the program unless it is just being started, which the deciding thread must not wait for.
    fn if_free<T>(&self, look: impl FnOnce(&mut Process) -> T) -> Option<T> {
        self.0.try_lock().ok()?.as_mut().map(look)
    }

    fn slot(&self) -> MutexGuard<'_, Option<Process>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // Taken out first: its end may last 300 ms, for which the lock is not held.
        let process = self.0.slot().take();
        drop(process);
    }
}

impl Process {
    /// True once it has ended. It is not reaped by that: its number, which is that of its group, stays its own.
    fn has_ended(&self) -> bool {
        let Some(child) = &self.0 else { return true };
        let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such process any more.
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), looks), Ok(None))
    }

    /// Ends it with its group: behind a script that has started the robot's driver, the driver is what must end.
    fn end(&mut self) {
        let Some(mut child) = self.0.take() else { return };
        // An error means that nobody is left in the group.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        // Without it the ended process would stay a zombie of the gate.
        let _ = child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut waited = Duration::ZERO;
        while waited < LEAVE && !self.has_ended() {
            std::thread::sleep(LOOK_EVERY);
            waited += LOOK_EVERY;
        }
        self.end();
    }
}
