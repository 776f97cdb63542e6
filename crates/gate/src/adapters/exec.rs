//! The adapter `exec`: a program of the integrator's speaks for the robot in JSON lines, on its standard input and
//! output.
//!
//! | line to the program | says |
//! |---|---|
//! | `{"move":{"id":7,"actuator":"base","frame":"map","ttl_ms":300,"motion":{…}}}` | begin this motion |
//! | `{"stop":8}` | end every motion now; repeated 25 times a second until standstill is measured |
//! | `{"tick":9}` | the gate is there; ten times a second |
//!
//! | line of the program | says |
//! |---|---|
//! | `{"pose":{"stamp_ms":…,"frame":"map","position_m":[x,y,z],"orientation":[x,y,z,w]}}` | measured pose |
//! | `{"velocity":{"stamp_ms":…,"linear_mps":[x,y,z],"angular_radps":[x,y,z]}}` | measured velocity |
//! | `{"joints":{"stamp_ms":…,"names":[…],"positions":[…]}}`, `{"force":{"stamp_ms":…,"force_n":…}}` | measured |
//! | `{"extra":{"stamp_ms":…,"name":"battery","value":…}}` | something that the wiring forwards |
//! | `{"ack":7}`, `{"done":7}`, `{"failed":7}` | taken in, reached, given up: numbers of a move or a stop |
//! | `{"local":true}`, `{"foreign":"joystick"}`, `{"foreign":null}` | control by a person there, or a program |
//!
//! A move takes the place of the one of its actuator. A pose may leave `orientation` out. A measurement is about now:
//! a line holds one, and `stamp_ms` is the robot's time of it. No line for 500 ms, the end of the program, a line that
//! cannot be read, more lines than are read and a line of the gate that is not taken within 500 ms stop the robot and
//! latch the gate. A program that has ended is started again.

mod line;
mod pipes;
mod process;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::{ActuatorId, Command, CommandId, FrameId, Instant};
use safety::Approved;
use serde::Deserialize;
use serde_json::json;

use crate::adapter::{
    Adapter, Begun, Events, Facts, Means, Outcome, SetPoints, StopEvidence, StopKind, StopSender, Watcher,
};
use crate::sources::Silence;
use line::Line;
use pipes::{Inbound, MotionSender, Pipes, TickSender};
use process::Owned;
pub use process::Program;

/// A program that was silent for this long is a fault.
const SILENCE: Duration = Duration::from_millis(500);
/// Time that a program may take to its first line.
const START: Duration = Duration::from_secs(10);
/// Period of ticks.
const TICK_EVERY: Duration = Duration::from_millis(100);
/// Time for what a program that has ended has left behind to hear the stop.
const LEFT_OVER: Duration = Duration::from_secs(1);
/// A stop is repeated this often: every second tick of the gate.
const STOP_EVERY: Duration = Duration::from_millis(40);
/// Motions whose end is awaited: several actuators, each with the one that is being replaced.
const MOVES_MAX: usize = 64;

/// Table `[exec]` of the wiring.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecWiring {
    /// The program and its arguments. A relative path begins at the folder of the wiring.
    pub command: Vec<String>,
    /// Names of extra values that go to stations.
    #[serde(default)]
    pub forward: Vec<String>,
    /// The time after which the robot stops by itself when its program hears nothing, as its maker declares it,
    /// milliseconds; left out if it does not.
    #[serde(default)]
    pub base_timeout_ms: Option<u32>,
    /// Those of the arguments that name a file which the program writes itself. Every other argument that names a
    /// file is part of the program: a change of it makes the robot's commissioning void.
    #[serde(default)]
    pub written: Vec<String>,
}

impl ExecWiring {
    /// Properties of the robot that commissioning needs to know.
    #[must_use]
    pub fn means(&self) -> Means {
        let base_timeout = self.base_timeout_ms.map(|ms| Duration::from_millis(ms.into()));
        Means { stops: Vec::new(), base_timeout, takes_velocities: true, takes_joints: true }
    }

    /// The command with its program's place.
    #[must_use]
    pub fn argv(&self, folder: &Path) -> Option<(PathBuf, &[String])> {
        let (program, arguments) = self.command.split_first()?;
        let has_place = program.contains('/');
        Some((if has_place { folder.join(program) } else { PathBuf::from(program) }, arguments))
    }

    /// The files that make up the program: itself, and every argument that names a file which it does not write.
    #[must_use]
    pub fn program_files(&self, folder: &Path) -> Vec<PathBuf> {
        let Some((program, arguments)) = self.argv(folder) else { return Vec::new() };
        let read = arguments.iter().filter(|argument| !self.written.contains(argument));
        // An argument that names no file is an option, and changes with the wiring.
        let read = read.map(|argument| folder.join(argument)).filter(|path| path.is_file());
        let found = places(&program).into_iter().find(|place| place.is_file()).unwrap_or(program);
        [found].into_iter().chain(read).collect()
    }
}

/// The places in which a program is looked for: one without a slash as a shell looks for it.
pub fn places(program: &Path) -> Vec<PathBuf> {
    let has_place = program.components().count() > 1;
    match std::env::var_os("PATH").filter(|_| !has_place) {
        Some(folders) => std::env::split_paths(&folders).map(|folder| folder.join(program)).collect(),
        None => vec![program.to_owned()],
    }
}

/// The receiving half: it can send nothing but ticks.
pub struct ExecWatcher {
    heard: Arc<Inbound>,
    ticks: TickSender,
    wiring: ExecWiring,
    frame: FrameId,
    ticked: Option<Instant>,
    /// No tick is sent.
    mute: bool,
    silence: Silence,
    foreign: Option<String>,
    /// The program takes no lines.
    is_blocked: bool,
    /// The time at which the program was seen to have ended.
    exited: Option<Instant>,
    /// Dropped after the ticks, whose end closes its input.
    program: Owned,
}

/// An answer of the program to the message of this number.
enum Answer {
    Acknowledged(u64),
    Done(u64),
    Failed(u64),
}

impl ExecWatcher {
    /// Speaks to a robot over its two pipes, the reader and the writer each on a thread of its own. The
    /// [`MotionSender`] is the only means of moving it.
    fn open(
        program: Program,
        wiring: ExecWiring,
        frame: FrameId,
        clock: &ClockFn,
    ) -> std::io::Result<(Self, MotionSender)> {
        let Pipes { heard, ticks, motion, owned } = pipes::open(program, clock)?;
        let watcher = Self {
            heard,
            ticks,
            wiring,
            frame,
            ticked: None,
            mute: false,
            silence: Silence::default(),
            foreign: None,
            is_blocked: false,
            exited: None,
            program: owned,
        };
        Ok((watcher, motion))
    }

    /// Only watches the robot.
    pub fn watch(program: Program, wiring: ExecWiring, frame: FrameId, clock: &ClockFn) -> std::io::Result<Self> {
        Self::open(program, wiring, frame, clock).map(|(watcher, _voice)| watcher)
    }

    /// Everything that has come from the robot, and its answers to what the sending half has sent.
    fn poll_with_answers(&mut self, now: Instant) -> (Events, Vec<Answer>) {
        if !self.mute {
            self.tick(now);
        }
        let heard = self.heard.take();
        let mut answers = Vec::new();
        let mut events = Events { faults: heard.faults, ..Events::default() };
        events.faults.extend(self.note_silence(heard.last_line, heard.started, now));
        events.faults.extend(self.note_exit(now));
        events.faults.extend(self.note_block(now));
        for (line, arrived) in heard.lines {
            match line {
                Line::Ack(id) => answers.push(Answer::Acknowledged(id)),
                Line::Done(id) => answers.push(Answer::Done(id)),
                Line::Failed(id) => answers.push(Answer::Failed(id)),
                Line::Local(local) => events.local = Some(local),
                Line::Foreign(name) => self.foreign = name,
                Line::Measured(measured) => match measured.reading(arrived, &self.frame, &self.wiring.forward) {
                    Some(reading) => events.readings.push(reading),
                    None => events.faults.push(GateFault::Unreadable),
                },
            }
        }
        // The program says it once, and the gate forgets a source that it does not see again.
        events.foreign.clone_from(&self.foreign);
        (events, answers)
    }

    fn tick(&mut self, now: Instant) {
        if self.ticked.is_none_or(|last| now.since(last) >= TICK_EVERY) {
            self.ticked = Some(now);
            self.ticks.tick();
        }
    }

    fn note_silence(&mut self, last_line: Option<Instant>, started: Instant, now: Instant) -> Option<GateFault> {
        let is_silent = match last_line {
            Some(last) => now.since(last) > SILENCE,
            // A program that starts a simulator or a driver needs seconds before its first word.
            None => now.since(started) > START,
        };
        self.silence.fault(is_silent)
    }

    /// The end of a program whose output goes on: something that it has started holds that open.
    fn note_exit(&mut self, now: Instant) -> Option<GateFault> {
        if !self.program.has_ended() {
            self.exited = None;
            return None;
        }
        let Some(since) = self.exited else {
            self.exited = Some(now);
            return Some(GateFault::Ended);
        };
        if now.since(since) >= LEFT_OVER {
            self.program.end_rest();
        }
        None
    }

    fn note_block(&mut self, now: Instant) -> Option<GateFault> {
        let was_blocked = std::mem::replace(&mut self.is_blocked, self.ticks.is_blocked(now));
        (self.is_blocked && !was_blocked).then_some(GateFault::NotTaken)
    }

    /// False while a motion would begin nobody knows when: the program takes nothing, or has been silent for too long.
    const fn takes_motion(&self) -> bool {
        !self.is_blocked && !self.silence.lasts()
    }
}

impl Watcher for ExecWatcher {
    fn facts(&self) -> Facts {
        Facts {
            adapter: "exec",
            hold: "the line {\"stop\": id} 25 times a second until standstill is measured",
            stop: "the line {\"stop\": id} 25 times a second until standstill is measured",
            last_to_command: "the integrator's program",
            base_timeout: match self.wiring.base_timeout_ms {
                Some(_) => "the program's own, as the wiring declares it",
                None => "none is declared: the robot may go on moving if its gate dies",
            },
            foreign: "as far as the program reports it",
        }
    }

    fn means(&self) -> Means {
        self.wiring.means()
    }

    fn poll(&mut self, now: Instant) -> Events {
        self.poll_with_answers(now).0
    }
}

/// Both halves.
pub struct ExecAdapter {
    watcher: ExecWatcher,
    motion: Arc<MotionSender>,
    moves: VecDeque<(u64, CommandId)>,
    stop: Option<SentStop>,
}

/// The stop that is being sent.
struct SentStop {
    episode: u64,
    number: u64,
    sent: Instant,
    answered: bool,
}

impl ExecAdapter {
    /// Speaks for the robot: see [`ExecWatcher`].
    pub fn open(program: Program, wiring: ExecWiring, frame: FrameId, clock: &ClockFn) -> std::io::Result<Self> {
        let (watcher, motion) = ExecWatcher::open(program, wiring, frame, clock)?;
        Ok(Self { watcher, motion: Arc::new(motion), moves: VecDeque::new(), stop: None })
    }

    fn note(&mut self, answer: &Answer, events: &mut Events) {
        let of_stop = |stop: &&mut SentStop, id: u64| stop.number == id;
        match *answer {
            Answer::Acknowledged(id) | Answer::Done(id) => {
                if let Some(stop) = self.stop.as_mut().filter(|stop| of_stop(stop, id)) {
                    stop.answered = true;
                }
                if matches!(answer, Answer::Done(_)) {
                    events.ended.extend(self.end(id).map(|id| (id, Outcome::Done)));
                }
            }
            // A robot that will not stop is a failure of the robot, whatever else it reports.
            Answer::Failed(id) if self.stop.as_mut().is_some_and(|stop| of_stop(&stop, id)) => {
                events.faults.push(GateFault::StopRefused);
            }
            Answer::Failed(id) => events.ended.extend(self.end(id).map(|id| (id, Outcome::Failed))),
        }
    }

    fn end(&mut self, number: u64) -> Option<CommandId> {
        let at = self.moves.iter().position(|(sent, _)| *sent == number)?;
        self.moves.remove(at).map(|(_, id)| id)
    }
}

impl Watcher for ExecAdapter {
    fn facts(&self) -> Facts {
        self.watcher.facts()
    }

    fn means(&self) -> Means {
        self.watcher.means()
    }

    fn poll(&mut self, now: Instant) -> Events {
        let (mut events, answers) = self.watcher.poll_with_answers(now);
        for answer in answers {
            self.note(&answer, &mut events);
        }
        events
    }
}

impl Adapter for ExecAdapter {
    /// Every message names its actuator.
    fn moves(&self, _: &ActuatorId) -> bool {
        true
    }

    fn begin(&mut self, approved: &Approved<Command>, _: Instant) -> Begun {
        if !self.watcher.takes_motion() {
            return Begun::Refused(robot::Reason::NotArmed);
        }
        let Command { id, actuator, frame, motion, force_n, ttl_ms, .. } = approved.command();
        let begun = self.motion.begin(|number| {
            json!({ "move": { "id": number, "actuator": actuator, "frame": frame, "ttl_ms": ttl_ms, "force_n": force_n, "motion": motion } })
                .to_string()
        });
        let Some(number) = begun else { return Begun::Refused(robot::Reason::NotArmed) };
        self.stop = None;
        self.watcher.mute = false;
        if self.moves.len() == MOVES_MAX {
            self.moves.pop_front();
        }
        self.moves.push_back((number, *id));
        Begun::Running
    }

    /// The program holds a velocity itself until its time to live is over.
    fn refresh(&mut self, _: &SetPoints, _: Instant) {}

    fn fall_silent(&mut self) {
        self.watcher.mute = true;
    }

    fn stop(&mut self, _: StopKind, episode: u64, now: Instant) -> StopEvidence {
        self.watcher.mute = false;
        let stop = match self.stop.as_mut().filter(|stop| stop.episode == episode) {
            Some(stop) if now.since(stop.sent) < STOP_EVERY => stop,
            Some(stop) => {
                stop.sent = now;
                // Under the same number, so that an answer to any repetition counts.
                self.motion.stop(stop.number);
                stop
            }
            None => {
                // The gate has ended these motions: what the program still says of them means nothing any more.
                self.moves.clear();
                let number = self.motion.new_stop();
                self.stop.insert(SentStop { episode, number, sent: now, answered: false })
            }
        };
        match (stop.answered, self.motion.has_written_stop(stop.number)) {
            (true, _) => StopEvidence::RobotAnswered,
            (false, true) => StopEvidence::Sent,
            (false, false) => StopEvidence::Waiting,
        }
    }

    /// Its program hears the lines in their order, and the end of its input after them.
    fn is_settled(&self) -> bool {
        true
    }

    fn unanswered(&self) -> Vec<String> {
        self.stop.iter().filter(|stop| !stop.answered).map(|_| "stop".to_owned()).collect()
    }

    fn stop_sender(&self) -> Arc<dyn StopSender> {
        Arc::<MotionSender>::clone(&self.motion)
    }
}

#[cfg(test)]
pub(crate) mod tests;
