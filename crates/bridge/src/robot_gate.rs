//! The reference gate at the robot: the last place where a command can be refused. Pure: messages and time come in.
//!
//! [`RobotGate`] puts it on a Zenoh session; the simulator and the gates of robots run it. A minimal robot is
//! `examples/robot_gate.rs`. `S/R` is the site and the id of the manifest; messages are JSON as in [`crate::envelope`].
//!
//! | key | from | message | signed |
//! |---|---|---|---|
//! | `S/R/cmd/act/<actuator>` | station | `CommandEnvelope` | yes |
//! | `S/R/cmd/claim` | station | `Claim` | yes |
//! | `S/R/cmd/release` | station | `Release` | yes |
//! | `S/R/cmd/beat` | station, 10 Hz | `Beat` | yes |
//! | `S/R/cmd/commission` | station | [`CommissionMessage`] | yes |
//! | `S/R/cmd/stop` | anybody | `StopMessage` | stations sign it; it stops unsigned too |
//! | `S/R/cmd/hold` | anybody | `HoldMessage` | need not be |
//! | `S/R/out/ack` | robot | `Ack` | yes |
//! | `S/R/out/beat` | robot | `BeatAnswer` | yes |
//! | `S/R/out/gate` | robot | [`crate::commissioning::GateReport`] | yes |
//! | `S/R/out/state/**` | robot | see [`crate::state`] | yes, and with a stamp |
//!
//! Stamps only rise while the gate runs: what comes with the stamp of an earlier sample, or with one that lies ahead of
//! the station's clock, is a recording. A put on a wildcard is read by nobody.
//!
//! [`crate::signing`] describes signatures. A command is admitted only if all of this holds: its station is known and
//! signed it; it is for this robot; its station holds the claim, under exactly this epoch; its sequence number is above
//! the last; no stop is open; nobody at the robot has control; its time to live, counted from the gate's own answer to
//! the beat it names, is not over; [`safety::judge`] allows it by the manifest's own limits and the robot's own pose.
//!
//! Without a beat of the claimant for 500 ms the robot holds; after 1.5 s it stops and latches. Epoch and latch are on
//! the disk before they are acknowledged. After every start, with any configuration, nobody holds the claim and the
//! gate is latched until a station claims and releases it. A failure of the gate itself, or of the program that speaks
//! for the robot, stops it and latches under its own name.
//!
//! Bytes on the keys of stops and holds that cannot be read stop and hold the robot as well: stopping is protected by
//! no secret and by no form. A stop that a known station has signed is open under its number. Every other one, no
//! matter which sender it names, is the one stop of strangers: however many come, they leave one thing to release, by
//! the claimant or with the robot's pendant. Each that comes gives it another number, so that no release covers one it
//! was not prepared for.

mod commissioning;
mod inbox;
mod memory;
mod own;
mod shell;
mod stopping;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use robot::{
    ActuatorId, Command, Instant, LeaseToken, Manifest, ParseContext, RawCommand, RawEscape, RawMotion, RawPoseGoal,
    Reason, RobotId, Source, StationId, parse_command,
};
use safety::{
    Approved, Commissioning, CompileError, Limits, Measured, RobotState, SetPoint, SourceTimes, Speeds, judge,
};

use crate::commissioning::CommissionMessage;
use crate::envelope::{Beat, Claim, CommandEnvelope, HoldMessage, OpenStop, Release, StopMessage, StoppedBy};

pub use inbox::Inbox;
pub use memory::{GateFile, GateMemory, GateStore, Volatile};
pub use own::{MeasuredSpeed, OwnState};
pub use shell::{Credentials, Handled, Reply, ReplySender, RobotGate};

/// Without a beat of the claimant for this long the robot holds.
const HOLD_AFTER: Duration = Duration::from_millis(500);
/// Without a beat of the claimant for this long the robot stops and latches.
const STOP_AFTER: Duration = Duration::from_millis(1_500);
/// Legal time-to-live of a claim, milliseconds.
const CLAIM_TTL_MS: std::ops::RangeInclusive<u32> = 1_000..=5_000;
/// Answered beats that are remembered: those of five stations within the longest time-to-live.
const ANSWERED_MAX: usize = 256;

/// A message of a station, parsed.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each holds the message it is named after")]
pub enum Message {
    Command(Box<CommandEnvelope>),
    Claim(Claim),
    Release(Release),
    Commission(Box<CommissionMessage>),
    /// A stop that the station it names has signed.
    Stop(StopMessage),
    /// A stop that nobody the gate knows has signed.
    StrangersStop(StopMessage),
    Hold(HoldMessage),
    Beat(Beat),
}

/// A message that is in force; what the robot does now.
#[derive(Debug)]
pub enum Admit {
    /// Begin this motion; it replaces the one before of the same actuator.
    Move(Box<Approved<Command>>),
    /// Nothing: the claim is stored.
    Claimed,
    /// Nothing: the latch is open, and a fresh command is needed.
    Released,
    /// Stop everything.
    Stop,
    /// End every motion; the next command may begin another.
    Hold,
    /// Answer it.
    Beat,
    /// Carry out the step, or end it; the reply says how far it is.
    Commission(Box<CommissionMessage>),
}

/// A lapse: motion ends because something did not come in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lapse {
    /// The claimant's beats are missing: every motion ends.
    Held,
    /// They are missing for so long that the gate has latched: the stop behaviour.
    Stopped,
    /// A velocity was not renewed: it becomes zero.
    SetPoint(ActuatorId),
}

/// Everything the gate knows.
#[derive(Debug, Clone)]
pub struct GateState {
    manifest: Arc<Manifest>,
    /// The manifest's own; a station's may be tighter.
    limits: Arc<Limits>,
    memory: GateMemory,
    /// The motion that the robot's commissioning leaves; none if the gate carries out no commissioning.
    commissioning: Option<Commissioning>,
    claimant: Option<Claimant>,
    answered: VecDeque<AnsweredBeat>,
    /// Epoch and number of the newest beat of each station; a copy of an earlier one gives no time.
    newest: BTreeMap<StationId, (u64, u64)>,
    set_points: BTreeMap<ActuatorId, SetPoint>,
}

/// The commanding station, with the state of its claim under its epoch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Claimant {
    station: StationId,
    ttl: Duration,
    last_seq: Option<u64>,
    generation: u64,
    newest_beat: Instant,
    held: bool,
    latched: bool,
    for_commissioning: bool,
    last_commission: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct AnsweredBeat {
    station: StationId,
    n: u64,
    at: Instant,
}

/// Two gates are alike if they remember the same and wait for the same; what they were made from is not compared.
impl PartialEq for GateState {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory
            && self.commissioning == other.commissioning
            && self.claimant == other.claimant
            && self.answered == other.answered
            && self.newest == other.newest
            && self.set_points == other.set_points
    }
}

impl Eq for GateState {}

/// Set-points are left out: alike gates have alike hashes all the same.
impl Hash for GateState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.memory, self.commissioning, &self.claimant, &self.answered, &self.newest).hash(state);
    }
}

impl GateState {
    /// A gate that was just started with what its store holds: nobody has claimed it, and it is latched.
    pub fn new(manifest: &Manifest, stored: GateMemory) -> Result<Self, CompileError> {
        Ok(Self {
            manifest: Arc::new(manifest.clone()),
            limits: Arc::new(Limits::compile(manifest, &[], 0)?),
            memory: stored.started(),
            commissioning: None,
            claimant: None,
            answered: VecDeque::new(),
            newest: BTreeMap::new(),
            set_points: BTreeMap::new(),
        })
    }

    /// State that must outlast the gate.
    #[must_use]
    pub const fn memory(&self) -> &GateMemory {
        &self.memory
    }

    /// The station that commands.
    #[must_use]
    pub fn claimed_by(&self, now: Instant) -> Option<&StationId> {
        self.claimant.as_ref().filter(|claimant| claimant.holds(now)).map(|claimant| &claimant.station)
    }

    /// True while the claimant's beats are missing.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.claimant.as_ref().is_some_and(|claimant| claimant.held)
    }

    /// Finds what did not come in time. Called at least every 50 ms.
    pub fn tick(&mut self, now: Instant) -> Vec<Lapse> {
        let mut lapses = Vec::new();
        if let Some(claimant) = &mut self.claimant {
            let silent = now.since(claimant.newest_beat);
            if !claimant.held && silent >= HOLD_AFTER {
                claimant.held = true;
                self.set_points.clear();
                lapses.push(Lapse::Held);
            }
            if !claimant.latched && silent >= STOP_AFTER {
                claimant.latched = true;
                self.memory.latch(StoppedBy::Deadman);
                lapses.push(Lapse::Stopped);
            }
        }
        let lapsed = self.set_points.extract_if(.., |_, held| now >= held.until);
        lapses.extend(lapsed.map(|(actuator, _)| Lapse::SetPoint(actuator)));
        lapses
    }

    fn admit_command(&mut self, command: CommandEnvelope, own: &OwnState, now: Instant) -> Result<Admit, Reason> {
        if !self.memory.stops.is_empty() {
            return Err(Reason::Latched);
        }
        let epoch = self.memory.epoch;
        let answered_at = self.answered_at(&command.station, command.beat);
        let claimant = self.claimant.as_mut().filter(|claimant| claimant.station == command.station);
        let claimant = claimant.filter(|_| command.epoch == epoch).ok_or(Reason::Lease)?;
        match claimant.last_seq {
            Some(last) if command.seq == last => return Err(Reason::Replay),
            Some(last) if command.seq < last => return Err(Reason::Sequence),
            Some(_) | None => {}
        }
        // Used up even if the command is refused below: a copy that comes later might be admitted otherwise.
        claimant.last_seq = Some(command.seq);
        // It was approved before a stop or a release that a command of the same claim knows of already.
        if command.generation < claimant.generation {
            return Err(Reason::Latched);
        }
        claimant.generation = command.generation;
        if own.local {
            return Err(Reason::Arbitration);
        }
        let answered_at = answered_at.ok_or(Reason::Expired)?;
        // Nothing begins to move while missing beats hold everything that moves.
        if now.since(claimant.newest_beat) >= HOLD_AFTER {
            return Err(Reason::Expired);
        }
        let approved = self.judged(command, answered_at, own, now)?;
        let actuator = approved.command().actuator.clone();
        match SetPoint::of(approved.command()) {
            Some(set_point) => self.set_points.insert(actuator, set_point),
            None => self.set_points.remove(&actuator),
        };
        Ok(Admit::Move(Box::new(approved)))
    }

    /// Judges a command by the manifest's own limits. Its time-to-live began when the gate answered the beat it names.
    fn judged(
        &self,
        envelope: CommandEnvelope,
        answered_at: Instant,
        own: &OwnState,
        now: Instant,
    ) -> Result<Approved<Command>, Reason> {
        let CommandEnvelope { robot, actuator, id, station, epoch, seq, ttl_ms, frame, motion, force_n, .. } = envelope;
        let context = ParseContext {
            fresh_id: id,
            // The person behind the command is the station's matter; it answers for that with its signature.
            source: Source::Person(station.to_string()),
            lease: LeaseToken { station, epoch, seq },
            issued_at: answered_at,
            approval: None,
        };
        let speed = own.speed_at(now).map(|speed| Measured { value: speed.value.speed_mps, observed: speed.observed });
        let state = RobotState {
            // The gate reads the robot's sensors, not the topics that tell stations of them.
            heard: SourceTimes::at_hand(&self.manifest, now),
            pose: own.pose.clone().into(),
            joints: own.joints.clone().into(),
            transforms: own.transforms.clone(),
            speeds: Speeds { gate: speed.into(), ..Speeds::default() },
            set_points: self.set_points.values().cloned().collect(),
            armed: true,
            commissioning: self.left(),
            // Completeness of the limits is the station's matter: only it knows the whole set.
            unconstrained_until: Some(Instant(u64::MAX)),
            latched: !self.memory.stops.is_empty(),
            epoch,
            ..RobotState::default()
        };
        let raw = RawCommand {
            id: Some(id),
            robot,
            actuator,
            frame: Some(frame),
            force_n,
            ttl_ms: Some(ttl_ms),
            mission_id: None,
            motion: self.as_seen_here(motion, &state, now),
        };
        let command = parse_command(&raw, &self.manifest, context).map_err(|rejection| rejection.reason)?;
        let refused = judge(&self.limits, &state, command, now).into_approved();
        refused.map_err(|refusal| refusal.verdict.items.first().map_or(Reason::NotProvable, |item| item.reason.code))
    }

    /// A region may be known to the station and not to the robot: for it the way out is a slow goal.
    fn as_seen_here(&self, motion: RawMotion, state: &RobotState, now: Instant) -> RawMotion {
        let outside = || self.limits.arming_problem(state, now).is_some_and(|problem| problem.allows_escape());
        match motion {
            RawMotion::Escape(RawEscape { position_m, speed_mps }) if !outside() => {
                RawMotion::PoseGoal(RawPoseGoal { position_m, orientation: None, speed_mps, duration_s: None })
            }
            RawMotion::PoseGoal(_) | RawMotion::Path(_) | RawMotion::Velocity(_) | RawMotion::Joints(_) => motion,
            RawMotion::Gripper(_) | RawMotion::Switch(_) | RawMotion::Escape(_) => motion,
        }
    }

    fn admit_claim(&mut self, claim: Claim, now: Instant) -> Result<Admit, Reason> {
        if !CLAIM_TTL_MS.contains(&claim.ttl_ms) {
            return Err(Reason::Schema);
        }
        let owner = self.claimed_by(now);
        let same_purpose = claim.commissioning == self.is_commissioned_now();
        let repeated = claim.epoch == self.memory.epoch && owner == Some(&claim.station) && same_purpose;
        if repeated {
            // Its acknowledgement was lost: the claim is in force, and its sequence must not start anew.
            return Ok(Admit::Claimed);
        }
        if !self.has_purpose(claim.commissioning) {
            return Err(Reason::NotCommissioned);
        }
        let free = owner.is_none_or(|owner| *owner == claim.station);
        if !free || claim.epoch <= self.memory.epoch {
            return Err(Reason::Lease);
        }
        let ttl = Duration::from_millis(claim.ttl_ms.into());
        self.take(claim.station, claim.epoch, ttl, now);
        self.set_purpose(claim.commissioning);
        Ok(Admit::Claimed)
    }

    fn admit_release(&mut self, release: Release, now: Instant) -> Result<Admit, Reason> {
        let newer = release.epoch >= self.memory.epoch && release.epoch > self.memory.stopped_epoch;
        let claimant = self.claimant.as_ref().filter(|claimant| claimant.holds(now));
        let claimant = claimant.filter(|claimant| claimant.station == release.station && newer).ok_or(Reason::Lease)?;
        // With nothing open this is the same release again, whose acknowledgement was lost.
        let named: BTreeSet<OpenStop> = release.stops.into_iter().collect();
        if !self.memory.stops.is_subset(&named) {
            return Err(Reason::Latched);
        }
        self.memory.release();
        if release.epoch > self.memory.epoch {
            let (ttl, commissioning) = (claimant.ttl, claimant.for_commissioning);
            self.take(release.station, release.epoch, ttl, now);
            self.set_purpose(commissioning);
        }
        Ok(Admit::Released)
    }

    fn admit_beat(&mut self, beat: Beat, now: Instant) -> Admit {
        // A copy, or a beat of an earlier epoch, must not restart the time of a command or a claim.
        let order = (beat.epoch, beat.n);
        if self.newest.get(&beat.station).is_some_and(|newest| order <= *newest) {
            return Admit::Beat;
        }
        self.newest.insert(beat.station.clone(), order);
        let claimant =
            self.claimant.as_mut().filter(|claimant| claimant.station == beat.station && claimant.holds(now));
        if let Some(claimant) = claimant.filter(|_| beat.epoch == self.memory.epoch) {
            claimant.newest_beat = now;
            claimant.held = false;
        }
        if self.answered.len() == ANSWERED_MAX {
            self.answered.pop_front();
        }
        self.answered.push_back(AnsweredBeat { station: beat.station, n: beat.n, at: now });
        Admit::Beat
    }

    /// Time at which beat `n` of `station` was answered; the newest, because a station's count starts again with it.
    fn answered_at(&self, station: &StationId, n: u64) -> Option<Instant> {
        let of_beat = |answered: &&AnsweredBeat| answered.n == n && answered.station == *station;
        self.answered.iter().rev().find(of_beat).map(|answered| answered.at)
    }

    /// A new epoch: its sequence and generation start anew.
    fn take(&mut self, station: StationId, epoch: u64, ttl: Duration, now: Instant) {
        self.memory.epoch = epoch;
        self.claimant = Some(Claimant {
            station,
            ttl,
            last_seq: None,
            generation: 0,
            newest_beat: now,
            held: false,
            latched: false,
            for_commissioning: false,
            last_commission: None,
        });
    }
}

impl Claimant {
    /// True while its claim has not expired.
    fn holds(&self, now: Instant) -> bool {
        now.since(self.newest_beat) < self.ttl
    }
}

/// Decides about one message. A stop and a hold are always admitted.
pub fn admit(gate: &mut GateState, message: Message, own: &OwnState, now: Instant) -> Result<Admit, Reason> {
    if message.robot() != &gate.manifest.id {
        return Err(Reason::Schema);
    }
    match message {
        Message::Command(command) => gate.admit_command(*command, own, now),
        Message::Claim(claim) => gate.admit_claim(claim, now),
        Message::Release(release) => gate.admit_release(release, now),
        Message::Commission(message) => gate.admit_commission(*message, now),
        Message::Stop(stop) => Ok(gate.admit_stop(stop)),
        Message::StrangersStop(stop) => Ok(gate.admit_strangers_stop(stop)),
        Message::Hold(_) => Ok(gate.admit_hold()),
        Message::Beat(beat) => Ok(gate.admit_beat(beat, now)),
    }
}

impl Message {
    /// The robot it is meant for.
    #[must_use]
    pub const fn robot(&self) -> &RobotId {
        match self {
            Self::Command(command) => &command.robot,
            Self::Claim(claim) => &claim.robot,
            Self::Release(release) => &release.robot,
            Self::Commission(message) => &message.robot,
            Self::Stop(stop) | Self::StrangersStop(stop) => &stop.robot,
            Self::Hold(hold) => &hold.robot,
            Self::Beat(beat) => &beat.robot,
        }
    }

    /// The station that says it.
    #[must_use]
    pub const fn station(&self) -> &StationId {
        match self {
            Self::Command(command) => &command.station,
            Self::Claim(claim) => &claim.station,
            Self::Release(release) => &release.station,
            Self::Commission(message) => &message.station,
            Self::Stop(stop) | Self::StrangersStop(stop) => &stop.station,
            Self::Hold(hold) => &hold.station,
            Self::Beat(beat) => &beat.station,
        }
    }
}

#[cfg(test)]
mod tests;
