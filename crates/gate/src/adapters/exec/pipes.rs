//! The two pipes of the robot's program. A thread reads and a thread writes; the deciding thread only looks into what
//! they share, and waits for neither. A program that has ended is started again: its end has latched the gate, and no
//! motion of before waits for it.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::Instant;

use super::line::Line;
use super::process::{Owned, Program, Running, Start};
use crate::adapter::StopSender;
use crate::adapters::bounds::BYTES_MAX;

/// Lines of one second that are read; a robot with three sources of 100 Hz sends 300.
const LINES_PER_S_MAX: u32 = 1_000;
/// So much of a flood is passed over at once, bytes, and then not for a moment: a core of this computer is not its.
const PASSED_OVER: usize = 1 << 16;
const PASSED_OVER_EVERY: Duration = Duration::from_millis(1);
/// Lines that wait for the deciding thread: what comes within its longest tick.
const LINES_MAX: usize = 1_024;
/// Moves that wait to be written: one for each actuator of a large robot.
const MOVES_MAX: usize = 16;
/// Time between the end of a program and its next start.
const AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The same of a program that ends again and again soon after its start. Each end latches the gate, and one every
/// second would leave nobody the time to release it.
const AGAIN_AFTER_MAX: Duration = Duration::from_secs(30);
/// A program that has run for so long has started well.
const RAN_WELL: Duration = Duration::from_secs(60);
/// A program that has not taken a line within this time takes nothing.
const TAKE_WITHIN: Duration = Duration::from_millis(500);

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
    /// Start of the program.
    pub started: Instant,
    /// Arrival of its last line that could be read.
    pub last_line: Option<Instant>,
}

/// Lines that wait to be written.
#[derive(Default)]
struct Outbox {
    state: Mutex<OutboxState>,
    more: Condvar,
    closing: Condvar,
}

#[derive(Default)]
struct OutboxState {
    /// Input of a program that was started and is not written to yet.
    input: Option<Input>,
    /// Number of the newest move or stop.
    number: u64,
    /// Stop to write next.
    stop: Option<u64>,
    written_stop: u64,
    /// Since when a line is being written.
    writing: Option<Instant>,
    moves: VecDeque<String>,
    /// Count of ticks, and the one to write.
    ticks: u64,
    tick: Option<u64>,
    /// Nothing is taken in any more.
    closed: bool,
    /// The program takes nothing, until it is started again.
    ended: bool,
}

type Input = Box<dyn Write + Send>;

/// The half of the outbox that a robot cannot be moved with.
pub struct TickSender(Arc<Outbox>);

/// The half that moves and stops the robot.
pub struct MotionSender {
    outbox: Arc<Outbox>,
}

/// Both halves of a program's pipes, and the program, which ends with its owner.
pub struct Pipes {
    /// Content of its output.
    pub heard: Arc<Inbound>,
    /// The half that cannot move the robot.
    pub ticks: TickSender,
    /// The half that can.
    pub motion: MotionSender,
    /// The program; to be dropped after `ticks`, whose end closes its input.
    pub owned: Owned,
}

/// Starts the two threads.
pub fn open(program: Program, clock: &ClockFn) -> std::io::Result<Pipes> {
    let Program { output, input, process, again } = program;
    let (heard, outbox, owned) = (Arc::<Inbound>::default(), Arc::<Outbox>::default(), Owned::new(process));
    heard.state().started = clock().station;
    outbox.give(input);
    let (to, reads) = (Arc::clone(&heard), ClockFn::clone(clock));
    let (from, restarts) = (Arc::clone(&outbox), again.zip(Some(owned.running())));
    std::thread::Builder::new().name("robot-out".to_owned()).spawn(move || {
        let crash = CrashMark(Arc::clone(&to));
        read_each(output, restarts, &from, &to, &reads);
        drop(crash);
    })?;
    let (from, to) = (Arc::clone(&outbox), Arc::clone(&heard));
    let writes = ClockFn::clone(clock);
    std::thread::Builder::new().name("robot-in".to_owned()).spawn(move || {
        let crash = CrashMark(Arc::clone(&to));
        while let Some(input) = from.next_input() {
            write(input, &from, &to, &writes);
        }
        drop(crash);
    })?;
    let ticks = TickSender(Arc::clone(&outbox));
    Ok(Pipes { heard, ticks, motion: MotionSender { outbox }, owned })
}

/// Reads a program until it ends, and the one that is started after it.
fn read_each(
    mut output: Box<dyn Read + Send>,
    mut restarts: Option<(Start, Running)>,
    outbox: &Outbox,
    heard: &Inbound,
    clock: &ClockFn,
) {
    let mut pause = None;
    loop {
        let began = clock().station;
        read(&mut BufReader::new(output), heard, clock);
        // Motion is refused before the fault is told, so that none waits for the next program.
        outbox.end();
        heard.fault(GateFault::Ended);
        let ran = clock().station.since(began);
        let next_pause = pause.insert(pause_after(pause.filter(|_| ran < RAN_WELL)));
        let next = restarts.as_mut().and_then(|(start, running)| start_again(start, running, outbox, next_pause));
        let Some(program) = next else { return };
        heard.started_again(clock().station);
        outbox.give(program.input);
        output = program.output;
    }
}

/// The time before the next start, after the one before it: ever longer.
fn pause_after(last: Option<Duration>) -> Duration {
    last.map_or(AGAIN_AFTER, |last| (2 * last).min(AGAIN_AFTER_MAX))
}

/// The next program; none once the outbox is closed. One that has closed its output and goes on is waited for.
fn start_again(start: &mut Start, running: &Running, outbox: &Outbox, pause: &mut Duration) -> Option<Program> {
    while outbox.stays_open(*pause) {
        match running.replace(&mut *start) {
            Ok(Some(program)) => return Some(program),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "the robot's program is not started again");
                *pause = pause_after(Some(*pause));
            }
        }
    }
    None
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
        let InboundState { lines, faults, started, last_line } = &mut *state;
        let (lines, faults) = (std::mem::take(lines), std::mem::take(faults));
        InboundState { lines, faults, started: *started, last_line: *last_line }
    }

    /// Nothing that the program before said of control holds for this one.
    fn started_again(&self, at: Instant) {
        let mut state = self.state();
        state.lines.extend([(Line::Local(false), at), (Line::Foreign(None), at)]);
        state.started = at;
        // Its first line may take as long as that of any other start.
        state.last_line = None;
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
        // `fault` takes the same lock.
        drop(state);
        self.fault(GateFault::Flood);
    }

    fn state(&self) -> MutexGuard<'_, InboundState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads until the program ends. Measurements beyond those of a second are passed over. They do not wait in the pipe:
/// a program that waits until somebody reads what it says would not hear the stop.
fn read(output: &mut impl BufRead, heard: &Inbound, clock: &ClockFn) {
    let now = || clock().station;
    let (mut second, mut lines, mut passed) = (now(), 0_u32, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        // One byte more than a line may have: one that is too long shows by its missing end.
        let limit = BYTES_MAX as u64 + 1;
        match output.by_ref().take(limit).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = now();
        // A program that dies within a line leaves half a number behind.
        let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
        if at.since(second) >= Duration::from_secs(1) {
            (second, lines) = (at, 0);
        }
        lines = lines.saturating_add(1);
        if lines > LINES_PER_S_MAX {
            heard.fault(GateFault::Flood);
            passed += bytes.len();
            if passed >= PASSED_OVER {
                passed = 0;
                std::thread::sleep(PASSED_OVER_EVERY);
            }
            // Words about control and answers are said once, and are heard whatever comes with them.
            if Line::is_measurement(&bytes) {
                continue;
            }
        }
        match is_whole.then(|| Line::parse(&bytes)).flatten() {
            Some(line) => heard.line(line, at),
            None => heard.fault(GateFault::Unreadable),
        }
    }
}

/// Writes until the outbox closes or has another input: a stop before everything else.
fn write(mut input: Input, outbox: &Outbox, heard: &Inbound, clock: &ClockFn) {
    while let Some((line, stop)) = outbox.next(clock) {
        let written = input.write_all(line.as_bytes()).and_then(|()| input.flush());
        let mut state = outbox.state();
        state.writing = None;
        if written.is_err() {
            state.ended = true;
            drop(state);
            return heard.fault(GateFault::NotTaken);
        }
        // Marked after the flush, because this mark is the evidence that the stop has left.
        if let Some(number) = stop {
            state.written_stop = number;
        }
    }
}

impl OutboxState {
    /// The line that is due, and the number of the stop that it is.
    fn take(&mut self) -> Option<(String, Option<u64>)> {
        // Before the look at `closed`: a stop that waits is written even at the end.
        if let Some(number) = self.stop.take() {
            return Some((format!("{{\"stop\":{number}}}\n"), Some(number)));
        }
        if self.closed {
            return None;
        }
        if let Some(line) = self.moves.pop_front() {
            return Some((line + "\n", None));
        }
        let n = self.tick.take()?;
        Some((format!("{{\"tick\":{n}}}\n"), None))
    }
}

impl Outbox {
    /// The input of the next program; waits for one. None once it is closed.
    fn next_input(&self) -> Option<Input> {
        let state = self.state();
        let waits = |state: &mut OutboxState| !state.closed && state.input.is_none();
        let mut state = self.more.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner);
        state.input.take()
    }

    /// A program takes lines from now on. A stop is repeated; whatever moves the robot was meant for the one before.
    fn give(&self, input: Input) {
        let mut state = self.state();
        state.input = Some(input);
        state.ended = false;
        state.moves.clear();
        drop(state);
        self.more.notify_one();
    }

    /// True if nobody has closed it within this time.
    fn stays_open(&self, within: Duration) -> bool {
        let waited = self.closing.wait_timeout_while(self.state(), within, |state| !state.closed);
        !waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }

    /// The next line, and the number of the stop that it is; waits for one. None once it is closed and empty of
    /// stops, or has another input.
    fn next(&self, clock: &ClockFn) -> Option<(String, Option<u64>)> {
        let mut state = self.state();
        loop {
            if state.input.is_some() {
                return None;
            }
            if let Some(next) = state.take() {
                state.writing = Some(clock().station);
                return Some(next);
            }
            if state.closed {
                return None;
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
        // A motion that was begun before the stop must not follow it.
        state.moves.clear();
        state.stop = Some(number);
        drop(state);
        self.more.notify_one();
        number
    }
}

impl TickSender {
    /// True while the program does not take the line that is being written: its input is full.
    pub fn is_blocked(&self, now: Instant) -> bool {
        self.0.state().writing.is_some_and(|since| now.since(since) > TAKE_WITHIN)
    }

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
        // The end of the input tells the program that its gate is gone.
        self.0.state().closed = true;
        self.0.more.notify_one();
        self.0.closing.notify_one();
    }
}

impl MotionSender {
    /// Puts the move that `line` makes of its number; none if the program takes nothing, or not fast enough.
    pub fn begin(&self, line: impl FnOnce(u64) -> String) -> Option<u64> {
        let mut state = self.outbox.state();
        // A move that waited for the next program would begin when nobody expects it any more.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_10_rg_52_a_flood_is_read_on_so_that_the_program_hears_the_stop_and_no_word_about_control_is_lost() {
        let force = "{\"force\":{\"stamp_ms\":1,\"force_n\":2}}\n";
        let said = format!("{}{{\"local\":true}}\n{}", force.repeat(100_000), force.repeat(100_000));
        let (heard, clock): (Inbound, ClockFn) = (Inbound::default(), std::sync::Arc::new(robot::Now::default));
        read(&mut BufReader::new(said.as_bytes()), &heard, &clock);
        let InboundState { lines, faults, .. } = heard.take();
        assert_eq!(faults, [GateFault::Flood]);
        assert_eq!(lines.len(), 1 + LINES_PER_S_MAX as usize, "no more of them are kept");
        assert_eq!(lines.back().unwrap().0, Line::Local(true));
    }

    #[test]
    fn rg_52_a_program_that_ends_again_and_again_is_started_ever_later() {
        let mut pauses = vec![pause_after(None)];
        for n in 0..6 {
            pauses.push(pause_after(Some(pauses[n])));
        }
        assert_eq!(pauses.iter().map(Duration::as_secs).collect::<Vec<_>>(), [1, 2, 4, 8, 16, 30, 30]);
    }
}
