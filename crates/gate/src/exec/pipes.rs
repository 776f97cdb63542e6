//! The two pipes of the robot's program. A thread reads and a thread writes; the deciding thread only looks into what they
//! share, and waits for neither.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::Instant;

use super::line::Line;
use crate::adapter::StopSender;
use crate::bounds::BYTES_MAX;

/// Lines of one second that are read; a robot with three sources of 100 Hz sends 300.
const LINES_PER_S_MAX: u32 = 1_000;
/// Lines that wait for the deciding thread: what comes within its longest tick.
const LINES_MAX: usize = 1_024;
/// Moves that wait to be written: one for each actuator of a large robot.
const MOVES_MAX: usize = 16;

/// Content of a program's output.
#[derive(Default)]
pub struct Inbound {
    state: Mutex<InboundState>,
}

/// Everything that was heard since the last look.
#[derive(Default)]
pub struct InboundState {
    /// In the order in which they came.
    pub lines: VecDeque<(Line, Instant)>,
    /// Faults of the program and of the two threads.
    pub faults: Vec<GateFault>,
    /// Arrival of the last line that could be read.
    pub last_line: Option<Instant>,
}

/// Lines that wait to be written.
#[derive(Default)]
struct Outbox {
    state: Mutex<OutboxState>,
    more: Condvar,
}

#[derive(Default)]
struct OutboxState {
    /// Number of the newest move or stop.
    number: u64,
    /// Stop to write next.
    stop: Option<u64>,
    written_stop: u64,
    moves: VecDeque<String>,
    /// Count of ticks, and the one to write.
    ticks: u64,
    tick: Option<u64>,
    /// Nothing is taken in any more.
    closed: bool,
    ended: bool,
}

/// The half of the outbox that a robot cannot be moved with.
pub struct TickSender(Arc<Outbox>);

/// The half that moves and stops the robot.
pub struct MotionSender {
    outbox: Arc<Outbox>,
}

/// Starts the two threads.
pub fn open(
    output: Box<dyn Read + Send>,
    input: Box<dyn Write + Send>,
    clock: &ClockFn,
) -> std::io::Result<(Arc<Inbound>, TickSender, MotionSender)> {
    let (heard, outbox) = (Arc::<Inbound>::default(), Arc::<Outbox>::default());
    let (to, clock) = (Arc::clone(&heard), ClockFn::clone(clock));
    std::thread::Builder::new().name("robot-out".to_owned()).spawn(move || {
        let crash = CrashMark(Arc::clone(&to));
        read(&mut BufReader::new(output), &to, &clock);
        to.fault(GateFault::Ended);
        drop(crash);
    })?;
    let (from, to) = (Arc::clone(&outbox), Arc::clone(&heard));
    std::thread::Builder::new().name("robot-in".to_owned()).spawn(move || {
        let crash = CrashMark(Arc::clone(&to));
        write(input, &from, &to);
        drop(crash);
    })?;
    Ok((heard, TickSender(Arc::clone(&outbox)), MotionSender { outbox }))
}

/// A thread that panics leaves a fault behind.
struct CrashMark(Arc<Inbound>);

impl Drop for CrashMark {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.fault(GateFault::Crashed);
        }
    }
}

impl Inbound {
    /// Takes out what was heard.
    pub fn take(&self) -> InboundState {
        let mut state = self.state();
        let InboundState { lines, faults, last_line } = &mut *state;
        InboundState { lines: std::mem::take(lines), faults: std::mem::take(faults), last_line: *last_line }
    }

    fn fault(&self, fault: GateFault) {
        let mut state = self.state();
        if !state.faults.contains(&fault) {
            state.faults.push(fault);
        }
    }

    fn line(&self, line: Line, at: Instant) {
        let mut state = self.state();
        state.last_line = Some(at);
        if state.lines.len() < LINES_MAX {
            state.lines.push_back((line, at));
            return;
        }
        drop(state);
        self.fault(GateFault::Flood);
    }

    fn state(&self) -> MutexGuard<'_, InboundState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads until the program ends. More lines than may be wait in the pipe, so that a flood fills the program and not the
/// gate.
fn read(output: &mut impl BufRead, heard: &Inbound, clock: &ClockFn) {
    let now = || clock().station;
    let (mut second, mut lines) = (now(), 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let limit = BYTES_MAX as u64 + 1;
        match output.by_ref().take(limit).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = now();
        let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
        match is_whole.then(|| Line::parse(&bytes)).flatten() {
            Some(line) => heard.line(line, at),
            None => heard.fault(GateFault::Unreadable),
        }
        lines += 1;
        let left = Duration::from_secs(1).saturating_sub(at.since(second));
        if left.is_zero() {
            (second, lines) = (at, 0);
        } else if lines > LINES_PER_S_MAX {
            heard.fault(GateFault::Flood);
            std::thread::sleep(left);
        }
    }
}

/// Writes until the outbox closes: a stop before everything else.
fn write(mut input: Box<dyn Write + Send>, outbox: &Outbox, heard: &Inbound) {
    while let Some((line, stop)) = outbox.next() {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            outbox.end();
            heard.fault(GateFault::NotTaken);
            return;
        }
        if let Some(number) = stop {
            outbox.state().written_stop = number;
        }
    }
}

impl Outbox {
    /// The next line, and the number of the stop that it is; waits for one. None once it is closed and empty of stops.
    fn next(&self) -> Option<(String, Option<u64>)> {
        let mut state = self.state();
        loop {
            if let Some(number) = state.stop.take() {
                return Some((format!("{{\"stop\":{number}}}\n"), Some(number)));
            }
            if state.closed {
                return None;
            }
            if let Some(line) = state.moves.pop_front() {
                return Some((line + "\n", None));
            }
            if let Some(n) = state.tick.take() {
                return Some((format!("{{\"tick\":{n}}}\n"), None));
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self) {
        self.state().ended = true;
    }

    fn state(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a stop, in the place of every motion that waits.
    fn stop(&self, number: Option<u64>) -> u64 {
        let mut state = self.state();
        let number = number.unwrap_or_else(|| {
            state.number += 1;
            state.number
        });
        state.moves.clear();
        state.stop = Some(number);
        drop(state);
        self.more.notify_one();
        number
    }
}

impl TickSender {
    /// Asks for the next tick.
    pub fn tick(&self) {
        let mut state = self.0.state();
        state.ticks += 1;
        state.tick = Some(state.ticks);
        drop(state);
        self.0.more.notify_one();
    }
}

#[cfg(test)]
impl TickSender {
    /// Asks for a tick of this number.
    pub fn tick_as(&self, n: u64) {
        self.0.state().tick = Some(n);
        self.0.more.notify_one();
    }

    /// True if no tick waits.
    pub fn is_taken(&self) -> bool {
        self.0.state().tick.is_none()
    }

    /// The number of ticks that were asked for.
    pub fn count(&self) -> u64 {
        self.0.state().ticks
    }
}

#[cfg(test)]
impl Inbound {
    /// The number of lines that wait.
    pub fn waiting(&self) -> usize {
        self.state().lines.len()
    }
}

impl Drop for TickSender {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.more.notify_one();
    }
}

impl MotionSender {
    /// Puts the move that `line` makes of its number; none if the program takes nothing, or not fast enough.
    pub fn begin(&self, line: impl FnOnce(u64) -> String) -> Option<u64> {
        let mut state = self.outbox.state();
        if state.closed || state.ended || state.moves.len() == MOVES_MAX {
            return None;
        }
        state.number += 1;
        let number = state.number;
        state.moves.push_back(line(number));
        drop(state);
        self.outbox.more.notify_one();
        Some(number)
    }

    /// Asks for a stop under a new number.
    pub fn new_stop(&self) -> u64 {
        self.outbox.stop(None)
    }

    /// Asks for the stop of this number again.
    pub fn stop(&self, number: u64) {
        self.outbox.stop(Some(number));
    }

    /// True once the stop of this number, or a later one, has left.
    pub fn has_written_stop(&self, number: u64) -> bool {
        self.outbox.state().written_stop >= number
    }
}

impl StopSender for MotionSender {
    fn send(&self) {
        self.outbox.stop(None);
    }
}
