//! The robot: the real core of its gate, and the record of what reached it, kept apart from what the gate remembers.

use std::collections::BTreeSet;

use bridge::envelope::{Beat, Claim, CommandEnvelope, OpenStop, Release, StopMessage, StoppedBy};
use bridge::robot_gate::{Admit, GateMemory, GateState, Message, OwnState, admit};
use robot::{Command, RawMotion, StationId};

use crate::scene::{Letter, Rule, STATIONS, Token};
use crate::station_side::{Answer, Desk, Office};

/// The longest a claim may outlive the last beat, milliseconds; a silence is longer.
const CLAIM_TTL_MS: u32 = 5_000;
/// A robot of one switch measures nothing, and nobody holds a pendant.
const AT_REST: OwnState = OwnState { pose: None, joints: None, transforms: Vec::new(), speed: None, local: false };

/// The robot with what a witness has seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Robot {
    gate: GateState,
    /// Restarts so far.
    pub restarts: u64,
    /// The stops that arrived, or that the gate asked for itself, and that no release named which was let in.
    latched_by: BTreeSet<OpenStop>,
    /// The strangers' stops that arrived and were not released since, and how many ever arrived.
    strangers: (BTreeSet<u64>, u64),
    /// Per station the last command it may have had judged when a stop last arrived.
    void_until: [Token; STATIONS],
    /// The station whose command was accepted last, and its epoch.
    last_taken: Option<(usize, u64)>,
    chapter: Chapter,
    /// The stations whose command was accepted.
    pub moved_by: [bool; STATIONS],
}

/// Progress in the story of motion, stop, release and motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Chapter {
    Start,
    Moved,
    Stopped,
    Released,
    MovedAgain,
}

impl Robot {
    /// A robot nobody has claimed, started for the first time.
    pub fn new(office: &Office) -> Self {
        let gate = start(office, GateMemory::default());
        Self {
            latched_by: gate.memory().stops.clone(),
            gate,
            restarts: 0,
            strangers: Default::default(),
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

    /// The number of stops of stations that are not released.
    pub fn stops_open(&self) -> usize {
        self.latched_by.iter().filter(|stop| !stop.by.is_gate()).count()
    }

    /// The gate's answer to beats.
    pub fn answer(&self, silences: u64) -> Answer {
        let claimed_by = self.gate.claimed_by(Office::now(silences)).cloned();
        let memory = self.gate.memory();
        Answer { epoch: memory.epoch, claimed_by, stops: memory.stops.clone(), strangers: self.strangers.1 }
    }

    /// A beat of station `at`, which claims under `epoch`, arrives: what it sends from now on is fresh.
    pub fn beat(&mut self, at: usize, epoch: u64, office: &Office, silences: u64) {
        let station = office.names[at].clone();
        let beat = Beat { robot: office.robot(), station, n: silences + 1, nonce: silences, epoch };
        self.say(Message::Beat(beat), silences);
    }

    /// Time passes without a word, and the gate latches by itself if a claimant should have spoken.
    pub fn wait(&mut self, desks: &[Desk; STATIONS], silences: u64) {
        if !self.gate.tick(Office::now(silences)).is_empty() {
            self.latch(desks);
        }
    }

    /// The robot loses its power, and its gate starts with what it has stored. One latch of its own stands for every
    /// start there was.
    pub fn restart(&mut self, desks: &[Desk; STATIONS], office: &Office) -> Result<(), Rule> {
        self.gate = start(office, self.gate.memory().clone());
        self.restarts += 1;
        self.latched_by.retain(|stop| stop.by != StoppedBy::Restart);
        if !self.latched_by.is_subset(&self.gate.memory().stops) {
            return Err(Rule::LatchHolds);
        }
        self.stops(desks)
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
            Letter::StrangersStop { n } => {
                self.strangers.1 += u64::from(self.strangers.0.insert(*n));
                self.stops(desks)
            }
            Letter::Release { stops, strangers, .. } if said == Some(Said::Released) => {
                self.released(stops, *strangers)
            }
            Letter::Release { .. } => Ok(()),
        }
    }

    /// The number of pairs of station and epoch, of all ever claimed, under which the gate would take a command now.
    pub fn valid_tokens(&self, letters: &BTreeSet<Letter>, office: &Office, silences: u64) -> usize {
        let claimed = letters.iter().filter_map(|letter| match letter {
            Letter::Claim { from, epoch } => Some((*from, *epoch)),
            Letter::Command { .. } | Letter::Stop { .. } | Letter::StrangersStop { .. } | Letter::Release { .. } => {
                None
            }
        });
        let taken = claimed.filter(|(from, epoch)| {
            let token = Token { epoch: *epoch, seq: u64::MAX };
            let probe = Letter::Command { from: *from, token, generation: u64::MAX };
            self.clone().say(message(&probe, office, silences), silences) == Some(Said::Moves)
        });
        taken.count()
    }

    /// The gate's answer, if it lets the message in.
    fn say(&mut self, message: Message, silences: u64) -> Option<Said> {
        match admit(&mut self.gate, message, &AT_REST, Office::now(silences)).ok()? {
            Admit::Move(_) => Some(Said::Moves),
            Admit::Released => Some(Said::Released),
            Admit::Claimed | Admit::Stop | Admit::Hold | Admit::Beat | Admit::Commission(_) => Some(Said::Heard),
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
        if self.gate.memory().stops.is_empty() {
            return Err(Rule::StopLatches);
        }
        self.latch(desks);
        Ok(())
    }

    /// Counts as stops all that the gate holds now, whoever asked for them.
    fn latch(&mut self, desks: &[Desk; STATIONS]) {
        // Stops that the gate numbers itself are one latch of each kind, under its newest number.
        let now = &self.gate.memory().stops;
        self.latched_by.retain(|stop| {
            let renumbered = now.iter().any(|newer| newer.by == stop.by);
            matches!(stop.by, StoppedBy::Station(_)) || !renumbered
        });
        self.latched_by.extend(self.gate.memory().stops.iter().cloned());
        self.void_until = [0, 1].map(|at: usize| self.void_until[at].max(desks[at].newest_token()));
        self.turn([(Chapter::Moved, Chapter::Stopped), (Chapter::Released, Chapter::Stopped)]);
    }

    fn released(&mut self, named: &[OpenStop], strangers: u64) -> Result<(), Rule> {
        let (open, came) = &mut self.strangers;
        if !open.is_empty() && strangers < *came {
            return Err(Rule::ReleaseIsExact);
        }
        open.clear();
        self.latched_by.retain(|stop| !named.contains(stop));
        self.turn([(Chapter::Stopped, Chapter::Released); 2]);
        if self.latched_by.is_subset(&self.gate.memory().stops) { Ok(()) } else { Err(Rule::ReleaseIsExact) }
    }

    fn turn(&mut self, pages: [(Chapter, Chapter); 2]) {
        if let Some((_, next)) = pages.into_iter().find(|(from, _)| *from == self.chapter) {
            self.chapter = next;
        }
    }
}

fn start(office: &Office, stored: GateMemory) -> GateState {
    GateState::new(&office.manifest, stored).unwrap()
}

/// The model's reading of a message that was let in.
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
        Letter::Claim { from, epoch } => Message::Claim(Claim {
            robot,
            station: station(from),
            epoch: *epoch,
            ttl_ms: CLAIM_TTL_MS,
            commissioning: false,
        }),
        Letter::Command { from, token, generation } => {
            let command = office.command(*from, *token, silences);
            Message::Command(Box::new(envelope(command, office.motion(), *generation, silences + 1)))
        }
        Letter::Stop { from, stop_id } => {
            Message::Stop(StopMessage { robot, station: station(from), stop_id: *stop_id, drill: false })
        }
        Letter::StrangersStop { n } => {
            let station = StationId::new("nobody").unwrap();
            Message::StrangersStop(StopMessage { robot, station, stop_id: *n, drill: false })
        }
        Letter::Release { from, epoch, stops, .. } => {
            Message::Release(Release { robot, station: station(from), epoch: *epoch, stops: stops.clone() })
        }
    }
}

fn envelope(command: Command, motion: RawMotion, generation: u64, beat: u64) -> CommandEnvelope {
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
        motion,
        force_n: command.force_n,
    }
}
