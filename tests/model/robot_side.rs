//! The robot: the real core of its gate, and the record of what reached it, kept apart from what the gate remembers.

use std::collections::BTreeSet;

use bridge::envelope::{Beat, Claim, CommandEnvelope, OpenStop, Release, StopMessage};
use bridge::robot_gate::{Admit, GateState, Message, admit};
use robot::Command;

use crate::scene::{Letter, Rule, STATIONS, Token};
use crate::station_side::{Answer, Desk, Office};

/// The robot with what a witness has seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Robot {
    gate: GateState,
    /// The stops that arrived and were not named by a release that was let in.
    latched_by: BTreeSet<OpenStop>,
    /// Per station the last command it may have had judged when a stop last arrived.
    void_until: [Token; STATIONS],
    /// Whose command was accepted last, and under which epoch.
    last_taken: Option<(usize, u64)>,
    chapter: Chapter,
    /// The stations whose command was accepted.
    pub moved_by: [bool; STATIONS],
}

/// How far the story of motion, stop, release and motion has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Chapter {
    Start,
    Moved,
    Stopped,
    Released,
    MovedAgain,
}

impl Robot {
    /// A robot nobody has claimed.
    pub fn new(office: &Office) -> Self {
        Self {
            gate: GateState::new(&office.manifest),
            latched_by: BTreeSet::new(),
            void_until: Default::default(),
            last_taken: None,
            chapter: Chapter::Start,
            moved_by: [false; STATIONS],
        }
    }

    /// The robot has moved, was stopped, was released, and has moved again.
    pub fn came_full_circle(&self) -> bool {
        self.chapter == Chapter::MovedAgain
    }

    /// How many stops are not released.
    pub fn stops_open(&self) -> usize {
        self.latched_by.len()
    }

    /// What the gate answers to beats.
    pub fn answer(&self) -> Answer {
        let claimed_by = self.gate.claimed_by().cloned();
        Answer { epoch: self.gate.epoch(), claimed_by, stops: self.gate.stops().clone() }
    }

    /// A beat of station `at` arrives: what it sends from now on is fresh.
    pub fn beat(&mut self, at: usize, office: &Office, silences: u64) {
        let beat = Beat { robot: office.robot(), station: office.names[at].clone(), n: silences + 1, nonce: silences };
        self.say(Message::Beat(beat), silences);
    }

    /// Time passes without a word. What the gate latches by itself counts like a stop.
    pub fn wait(&mut self, silences: u64) {
        drop(self.gate.tick(Office::now(silences)));
        self.latched_by.extend(self.gate.stops().iter().cloned());
    }

    /// A message arrives.
    pub fn hear(
        &mut self,
        letter: &Letter,
        desks: &[Desk; STATIONS],
        office: &Office,
        silences: u64,
    ) -> Result<(), Rule> {
        let said = self.say(message(letter, office, silences), silences);
        match letter {
            Letter::Claim { .. } => Ok(()),
            Letter::Command { from, token, .. } if said == Some(Said::Moves) => self.moves(*from, *token),
            Letter::Command { .. } => Ok(()),
            Letter::Stop { .. } => self.stops(desks),
            Letter::Release { stops, .. } if said == Some(Said::Released) => self.released(stops),
            Letter::Release { .. } => Ok(()),
        }
    }

    /// How many pairs of station and epoch, of those that were ever claimed, the gate would take a command from now.
    pub fn valid_tokens(&self, letters: &BTreeSet<Letter>, office: &Office, silences: u64) -> usize {
        let claimed = letters.iter().filter_map(|letter| match letter {
            Letter::Claim { from, epoch } => Some((*from, *epoch)),
            Letter::Command { .. } | Letter::Stop { .. } | Letter::Release { .. } => None,
        });
        let taken = claimed.filter(|(from, epoch)| {
            let token = Token { epoch: *epoch, seq: u64::MAX };
            let probe = Letter::Command { from: *from, token, generation: u64::MAX };
            self.clone().say(message(&probe, office, silences), silences) == Some(Said::Moves)
        });
        taken.count()
    }

    /// What the gate says, if it lets the message in.
    fn say(&mut self, message: Message, silences: u64) -> Option<Said> {
        match admit(&mut self.gate, message, Office::now(silences)).ok()? {
            Admit::Move(_) => Some(Said::Moves),
            Admit::Released => Some(Said::Released),
            Admit::Claimed | Admit::Stop | Admit::Hold | Admit::Beat => Some(Said::Heard),
        }
    }

    fn moves(&mut self, from: usize, token: Token) -> Result<(), Rule> {
        if !self.latched_by.is_empty() {
            return Err(Rule::LatchHolds);
        }
        if token <= self.void_until[from] {
            return Err(Rule::StopVoids);
        }
        if self.last_taken.is_some_and(|(last, epoch)| token.epoch < epoch || token.epoch == epoch && from != last) {
            return Err(Rule::OneToken);
        }
        self.last_taken = Some((from, token.epoch));
        self.moved_by[from] = true;
        self.turn([(Chapter::Start, Chapter::Moved), (Chapter::Released, Chapter::MovedAgain)]);
        Ok(())
    }

    fn stops(&mut self, desks: &[Desk; STATIONS]) -> Result<(), Rule> {
        if self.gate.stops().is_empty() {
            return Err(Rule::StopLatches);
        }
        self.latched_by.extend(self.gate.stops().iter().cloned());
        self.void_until = [0, 1].map(|at: usize| self.void_until[at].max(desks[at].newest_token()));
        self.turn([(Chapter::Moved, Chapter::Stopped), (Chapter::Released, Chapter::Stopped)]);
        Ok(())
    }

    fn released(&mut self, named: &[OpenStop]) -> Result<(), Rule> {
        self.latched_by.retain(|stop| !named.contains(stop));
        self.turn([(Chapter::Stopped, Chapter::Released); 2]);
        let kept = self.latched_by.iter().all(|stop| self.gate.stops().contains(stop));
        if kept { Ok(()) } else { Err(Rule::ReleaseIsExact) }
    }

    fn turn(&mut self, pages: [(Chapter, Chapter); 2]) {
        if let Some((_, next)) = pages.into_iter().find(|(from, _)| *from == self.chapter) {
            self.chapter = next;
        }
    }
}

/// What the model needs to know of a message that was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Moves,
    Released,
    Heard,
}

/// The message itself, as the station's bridge would have written it.
fn message(letter: &Letter, office: &Office, silences: u64) -> Message {
    let robot = office.robot();
    let station = |from: &usize| office.names[*from].clone();
    match letter {
        Letter::Claim { from, epoch } => Message::Claim(Claim { robot, station: station(from), epoch: *epoch }),
        Letter::Command { from, token, generation } => {
            Message::Command(envelope(office.command(*from, *token, silences), *generation, silences + 1))
        }
        Letter::Stop { from, stop_id } => {
            Message::Stop(StopMessage { robot, station: station(from), stop_id: *stop_id })
        }
        Letter::Release { from, epoch, stops } => {
            Message::Release(Release { robot, station: station(from), epoch: *epoch, stops: stops.clone() })
        }
    }
}

fn envelope(command: Command, generation: u64, beat: u64) -> CommandEnvelope {
    CommandEnvelope {
        robot: command.robot,
        actuator: command.actuator,
        id: command.id,
        station: command.lease.station,
        epoch: command.lease.epoch,
        seq: command.lease.seq,
        generation,
        ttl_ms: command.ttl_ms,
        beat,
        frame: command.frame,
        motion: command.motion,
        force_n: command.force_n,
    }
}
