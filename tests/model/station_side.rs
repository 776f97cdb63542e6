//! A station as the robot knows it: what it remembers, what its disk keeps, and when it lets a command out. The fence
//! and the judgement are the real ones.

use std::collections::BTreeSet;

use bridge::envelope::{OpenStop, StoppedBy};
use robot::{
    Command, CommandId, Instant, LeaseToken, Manifest, ParseContext, RawCommand, RawMotion, RobotId, Source, StationId,
    parse_command,
};
use safety::{Fence, Limits, RobotState, judge};
use serde_json::json;

use crate::scene::{Letter, Rule, STATIONS, Token};

/// The robot is one of a single switch: the model is about who may move it, not about where to.
const MANIFEST: &str = include_str!("../../crates/sim/manifests/gate-1.toml");
/// The version of the only set of limits.
const SET_VERSION: u64 = 1;
/// One silence: longer than every time-to-live there is.
const SILENCE_MS: u64 = 10_000;

/// The constants of a run: names, limits, and the command that is sent again and again.
pub struct Office {
    /// The robot's manifest.
    pub manifest: Manifest,
    /// The stations' names.
    pub names: [StationId; STATIONS],
    limits: Limits,
    raw: RawCommand,
    command: Command,
}

impl Office {
    /// The robot's own limits and no others.
    pub fn new() -> Self {
        let manifest = Manifest::parse(MANIFEST, "gate-1").unwrap();
        let names = ["desk", "shed"].map(|name| StationId::new(name).unwrap());
        let raw = json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } } });
        let raw: RawCommand = serde_json::from_value(raw).unwrap();
        let context = ParseContext {
            fresh_id: CommandId(uuid::Uuid::from_u128(1)),
            source: Source::Person("dana".into()),
            lease: LeaseToken { station: names[0].clone(), epoch: 0, seq: 0 },
            issued_at: Instant::default(),
            approval: None,
        };
        let command = parse_command(&raw, &manifest, context).unwrap();
        Self { limits: Limits::compile(&manifest, &[], SET_VERSION).unwrap(), manifest, names, raw, command }
    }

    /// The robot.
    pub fn robot(&self) -> RobotId {
        self.manifest.id.clone()
    }

    /// The motion that every command asks for, as a station writes it.
    pub fn motion(&self) -> RawMotion {
        self.raw.motion.clone()
    }

    /// The moment after so many silences.
    pub fn now(silences: u64) -> Instant {
        Instant::from_millis((silences + 1) * SILENCE_MS)
    }

    /// The command of station `from` at place `token`, judged `silences` ago.
    pub fn command(&self, from: usize, token: Token, silences: u64) -> Command {
        let mut command = self.command.clone();
        let Token { epoch, seq } = token;
        command.lease = LeaseToken { station: self.names[from].clone(), epoch, seq };
        command.issued_at = Self::now(silences);
        command
    }
}

/// A station and the person at it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Desk {
    /// The newest claim; raised on disk before it is used.
    epoch: u64,
    /// The number of times it was raised.
    pub claims: u64,
    /// The last number of a command under this claim.
    seq: u64,
    /// Commands that were judged.
    pub commands: u64,
    /// The number of the last stop; on disk.
    pub last_stop_id: u64,
    /// It has crashed.
    pub crashed: bool,
    fence: FenceHistory,
    /// The stops that its screen shows.
    shown: BTreeSet<OpenStop>,
    /// Strangers' stops that had come to the robot then.
    shown_strangers: u64,
    /// A stop was pressed here and not seen to be released.
    open: bool,
    /// The command between its judgement and its sending.
    pub judged: Option<Judged>,
}

/// The history of a fence: enough to make it again, because a fence itself cannot be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct FenceHistory {
    generation: u64,
    latched: bool,
    epoch: u64,
}

impl Default for FenceHistory {
    /// A unit starts with its fence engaged.
    fn default() -> Self {
        Self { generation: 1, latched: true, epoch: 0 }
    }
}

/// The robot's answer to a beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The claim in force.
    pub epoch: u64,
    /// The station that holds the claim.
    pub claimed_by: Option<StationId>,
    /// The stops that are not released.
    pub stops: BTreeSet<OpenStop>,
    /// Strangers' stops that have come; no gate says this, the witness does.
    pub strangers: u64,
}

/// A command that every limit allows, and what its judgement rested on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Judged {
    token: Token,
    generation: u64,
    /// A stop, or another claim, came since.
    void: bool,
}

impl FenceHistory {
    fn fence(self) -> Fence {
        let fence = Fence::new(SET_VERSION, self.epoch);
        let turns = if self.latched { self.generation } else { self.generation - 1 };
        for _ in 0..turns {
            fence.engage();
        }
        if !self.latched {
            assert_eq!(fence.release(turns), Some(self.generation));
        }
        fence
    }

    fn of(fence: &Fence) -> Self {
        Self { generation: fence.generation(), latched: fence.is_latched(), epoch: fence.epoch() }
    }
}

impl Desk {
    /// The last command this station may have had judged.
    pub fn newest_token(&self) -> Token {
        Token { epoch: self.epoch, seq: self.seq }
    }

    /// Nothing is open that a person has asked for, and it does not command already.
    pub fn may_claim(&self, at: usize, office: &Office, answer: &Answer) -> bool {
        let is_over = |stop: &OpenStop| match &stop.by {
            // One of its own that it does not know: it crashed before the stop was on its disk.
            StoppedBy::Station(by) => *by == office.names[at],
            StoppedBy::Restart | StoppedBy::Deadman | StoppedBy::Fault(_) => true,
            StoppedBy::Stranger => false,
        };
        self.fence.latched && !self.open && answer.stops.iter().all(is_over)
    }

    /// Arming: every older command is void from here on, and what the gate has latched by itself is over.
    pub fn claim(&mut self, at: usize, answer: &Answer) -> Vec<Letter> {
        self.raise(answer);
        let stops: Vec<OpenStop> = answer.stops.iter().cloned().collect();
        let release = Some(Letter::Release { from: at, epoch: self.epoch, stops, strangers: answer.strangers });
        let claim = Letter::Claim { from: at, epoch: self.epoch };
        std::iter::once(claim).chain(release.filter(|_| !answer.stops.is_empty())).collect()
    }

    /// The robot confirms the claim and says that it is not latched: what was pressed here before is released.
    pub fn may_open(&self, at: usize, office: &Office, answer: &Answer) -> bool {
        let confirmed = answer.claimed_by.as_ref() == Some(&office.names[at]) && answer.epoch == self.epoch;
        self.fence.latched && confirmed && answer.stops.is_empty()
    }

    /// Motion may pass.
    pub fn open(&mut self) {
        let fence = self.fence.fence();
        fence.set_epoch(self.epoch);
        fence.release(fence.generation()).unwrap();
        self.fence = FenceHistory::of(&fence);
        self.open = false;
        self.shown.clear();
        self.shown_strangers = 0;
    }

    /// Armed, and no other command is between its judgement and its sending.
    pub fn may_judge(&self) -> bool {
        !self.fence.latched && self.fence.epoch == self.epoch && self.judged.is_none()
    }

    /// The next command is judged.
    pub fn judge(&mut self) {
        self.commands += 1;
        self.seq += 1;
        self.judged = Some(Judged { token: self.newest_token(), generation: self.fence.generation, void: false });
    }

    /// Spends the approval inside the fence. The verdict is made here, on the state of the judgement, because an
    /// approval cannot be kept in a state that is copied.
    pub fn send(&mut self, at: usize, office: &Office, silences: u64) -> Result<Option<Letter>, Rule> {
        let Some(judged) = self.judged.take() else { return Ok(None) };
        let state = RobotState {
            armed: true,
            latch_generation: judged.generation,
            epoch: judged.token.epoch,
            ..RobotState::default()
        };
        let now = Office::now(silences);
        let verdict = judge(&office.limits, &state, office.command(at, judged.token, silences), now);
        let approved = verdict.into_approved().unwrap();
        let generation = approved.latch_generation();
        let put = self.fence.fence().pass(approved, now, |command| {
            let token = Token { epoch: command.lease.epoch, seq: command.lease.seq };
            Letter::Command { from: at, token, generation }
        });
        match put {
            Ok(_) if judged.void => Err(Rule::FenceHolds),
            Ok(letter) => Ok(Some(letter)),
            Err(_) => Ok(None),
        }
    }

    /// Fence first, then the stop.
    pub fn stop(&mut self, at: usize) -> Letter {
        self.engage();
        self.last_stop_id += 1;
        self.open = true;
        Letter::Stop { from: at, stop_id: self.last_stop_id }
    }

    /// Whatever the robot holds ends motion here too; a person is shown what a person has asked for.
    pub fn look(&mut self, answer: &Answer) {
        self.engage();
        self.shown.clone_from(&answer.stops);
        self.shown_strangers = answer.strangers;
        if self.shown.iter().all(|stop| stop.by.is_gate()) {
            self.shown.clear();
            self.shown_strangers = 0;
        }
    }

    /// A person sees stops on the screen.
    pub fn may_release(&self) -> bool {
        !self.shown.is_empty()
    }

    /// Claims anew, then names the stops that are shown. Whether the list is still right, the robot decides.
    pub fn release(&mut self, at: usize, answer: &Answer) -> [Letter; 2] {
        self.raise(answer);
        let stops = std::mem::take(&mut self.shown).into_iter().collect();
        let strangers = std::mem::take(&mut self.shown_strangers);
        [
            Letter::Claim { from: at, epoch: self.epoch },
            Letter::Release { from: at, epoch: self.epoch, stops, strangers },
        ]
    }

    /// Without answers the station lets nothing pass.
    pub fn miss_answers(&mut self) {
        self.engage();
    }

    /// Loses everything that was only remembered, and a stop whose row was not saved in time.
    pub fn crash(&mut self) {
        *self = Self {
            epoch: self.epoch,
            claims: self.claims,
            commands: self.commands,
            last_stop_id: self.last_stop_id,
            crashed: true,
            seq: self.seq,
            ..Self::default()
        };
    }

    fn engage(&mut self) {
        if let Some(judged) = &mut self.judged {
            judged.void = true;
        }
        // Latched already: one more generation would only make another state of the same meaning.
        if !self.fence.latched {
            let fence = self.fence.fence();
            fence.engage();
            self.fence = FenceHistory::of(&fence);
        }
    }

    /// Raised above all that this station and, by its answer, the robot know of.
    fn raise(&mut self, answer: &Answer) {
        self.epoch = self.epoch.max(answer.epoch) + 1;
        self.claims += 1;
        self.seq = 0;
    }
}
