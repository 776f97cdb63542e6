//! The reference gate at the robot: the last place where a command can be refused. Pure: messages and time come in.
//!
//! [`RobotGate`] puts it on a Zenoh session; the simulator runs it, and a robot integrator ships it.

mod shell;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use robot::{ActuatorId, ActuatorKind, Instant, Manifest, Motion, Reason, RobotId, StationId, path_points_max};

use crate::envelope::{Beat, Claim, CommandEnvelope, HoldMessage, OpenStop, Release, StopMessage};

pub use shell::{Handled, MeasuredSpeed, Reply, RobotGate};

/// Without a beat of the claimant for this long the robot holds.
const HOLD_AFTER: Duration = Duration::from_millis(500);
/// The longest time-to-live a command may ask for, milliseconds.
const TTL_MS_MAX: u32 = 5_000;
/// Answered beats that are remembered: those of five stations within the longest time-to-live.
const ANSWERED_MAX: usize = 256;
/// Open stops that are kept apart. Beyond this a stop still stops, but a release need not name it.
const OPEN_STOPS_MAX: usize = 64;

/// A message of a station, parsed.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each holds the message it is named after")]
pub enum Message {
    Command(CommandEnvelope),
    Claim(Claim),
    Release(Release),
    Stop(StopMessage),
    Hold(HoldMessage),
    Beat(Beat),
}

/// A message that is in force; what the robot does now.
#[derive(Debug, Clone, PartialEq)]
pub enum Admit {
    /// Begin this motion; it replaces the one before of the same actuator.
    Move(Box<CommandEnvelope>),
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
}

/// What ended because something did not come in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lapse {
    /// The claimant's beats are missing: every motion ends.
    Held,
    /// A velocity was not renewed: it becomes zero.
    SetPoint(ActuatorId),
}

/// Everything the gate remembers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GateState {
    robot: RobotId,
    actuators: BTreeMap<ActuatorId, ActuatorKind>,
    /// The highest epoch that was ever claimed; 0 before the first.
    epoch: u64,
    claimant: Option<Claimant>,
    stops: BTreeSet<OpenStop>,
    /// The epoch at the newest stop: a release needs a newer one.
    stopped_epoch: u64,
    answered: VecDeque<AnsweredBeat>,
    set_points: BTreeMap<ActuatorId, Instant>,
    /// A pendant at the robot has control.
    local: bool,
}

/// Who commands, and what it has said so far under its epoch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Claimant {
    station: StationId,
    last_seq: Option<u64>,
    generation: u64,
    newest_beat: Instant,
    held: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct AnsweredBeat {
    beat: Beat,
    at: Instant,
}

impl GateState {
    /// A gate nobody has claimed, not latched.
    #[must_use]
    pub fn new(manifest: &Manifest) -> Self {
        Self {
            robot: manifest.id.clone(),
            actuators: manifest.actuators.iter().map(|actuator| (actuator.id.clone(), actuator.kind)).collect(),
            epoch: 0,
            claimant: None,
            stops: BTreeSet::new(),
            stopped_epoch: 0,
            answered: VecDeque::new(),
            set_points: BTreeMap::new(),
            local: false,
        }
    }

    /// The highest epoch that was ever claimed.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The station that commands.
    #[must_use]
    pub fn claimed_by(&self) -> Option<&StationId> {
        self.claimant.as_ref().map(|claimant| &claimant.station)
    }

    /// The stops that are not released; latched if there is one.
    #[must_use]
    pub const fn stops(&self) -> &BTreeSet<OpenStop> {
        &self.stops
    }

    /// True while the claimant's beats are missing.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.claimant.as_ref().is_some_and(|claimant| claimant.held)
    }

    /// True while a pendant at the robot has control.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.local
    }

    /// Gives control to a pendant at the robot, or back: until then no command of a station passes.
    pub fn set_local(&mut self, local: bool) {
        self.local = local;
        if local {
            self.set_points.clear();
        }
    }

    /// Finds what did not come in time. Called at least every 50 ms.
    pub fn tick(&mut self, now: Instant) -> Vec<Lapse> {
        let mut lapses = Vec::new();
        if let Some(claimant) = &mut self.claimant
            && !claimant.held
            && now.since(claimant.newest_beat) >= HOLD_AFTER
        {
            claimant.held = true;
            self.set_points.clear();
            lapses.push(Lapse::Held);
        }
        let lapsed = self.set_points.extract_if(.., |_, until| now >= *until);
        lapses.extend(lapsed.map(|(actuator, _)| Lapse::SetPoint(actuator)));
        lapses
    }

    fn admit_command(&mut self, command: CommandEnvelope, now: Instant) -> Result<Admit, Reason> {
        self.check_form(&command)?;
        if !self.stops.is_empty() {
            return Err(Reason::Latched);
        }
        if self.local {
            return Err(Reason::Arbitration);
        }
        let epoch = self.epoch;
        let answered_at = self.answered_at(&command.station, command.beat);
        let claimant = self.claimant.as_mut().filter(|claimant| claimant.station == command.station);
        let claimant = claimant.filter(|_| command.epoch == epoch).ok_or(Reason::Lease)?;
        match claimant.last_seq {
            Some(last) if command.seq == last => return Err(Reason::Replay),
            Some(last) if command.seq < last => return Err(Reason::Sequence),
            Some(_) | None => {}
        }
        if command.generation < claimant.generation {
            return Err(Reason::Latched);
        }
        let until = answered_at.ok_or(Reason::Expired)?.plus(Duration::from_millis(command.ttl_ms.into()));
        if now > until || now.since(claimant.newest_beat) >= HOLD_AFTER {
            return Err(Reason::Expired);
        }
        claimant.last_seq = Some(command.seq);
        claimant.generation = command.generation;
        match command.motion {
            Motion::Velocity { .. } => {
                self.set_points.insert(command.actuator.clone(), until);
            }
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Joints { .. } | Motion::Escape { .. } => {
                self.set_points.remove(&command.actuator);
            }
            Motion::Gripper { .. } | Motion::Switch { .. } => {
                self.set_points.remove(&command.actuator);
            }
        }
        Ok(Admit::Move(Box::new(command)))
    }

    fn check_form(&self, command: &CommandEnvelope) -> Result<(), Reason> {
        let kind = *self.actuators.get(&command.actuator).ok_or(Reason::UnknownActuator)?;
        if let Motion::Path { points_m, .. } = &command.motion
            && points_m.len() > path_points_max()
        {
            return Err(Reason::TooLarge);
        }
        if command.motion.fits(kind) && command.ttl_ms <= TTL_MS_MAX { Ok(()) } else { Err(Reason::Schema) }
    }

    fn admit_claim(&mut self, claim: Claim, now: Instant) -> Result<Admit, Reason> {
        let repeated = claim.epoch == self.epoch && self.claimed_by() == Some(&claim.station);
        if repeated {
            return Ok(Admit::Claimed);
        }
        if claim.epoch <= self.epoch {
            return Err(Reason::Lease);
        }
        self.take(claim.station, claim.epoch, now);
        Ok(Admit::Claimed)
    }

    fn admit_release(&mut self, release: Release, now: Instant) -> Result<Admit, Reason> {
        let newer = release.epoch >= self.epoch && release.epoch > self.stopped_epoch;
        if self.claimed_by() != Some(&release.station) || !newer {
            return Err(Reason::Lease);
        }
        // With nothing open this is the same release again, whose acknowledgement was lost.
        if !self.stops.is_empty() && self.stops != release.stops.into_iter().collect() {
            return Err(Reason::Latched);
        }
        self.stops.clear();
        if release.epoch > self.epoch {
            self.take(release.station, release.epoch, now);
        }
        Ok(Admit::Released)
    }

    fn admit_stop(&mut self, stop: StopMessage) -> Admit {
        if self.stops.len() < OPEN_STOPS_MAX {
            self.stops.insert(OpenStop { station: stop.station, stop_id: stop.stop_id });
        }
        self.stopped_epoch = self.epoch;
        self.set_points.clear();
        Admit::Stop
    }

    fn admit_hold(&mut self) -> Admit {
        self.set_points.clear();
        Admit::Hold
    }

    fn admit_beat(&mut self, beat: Beat, now: Instant) -> Admit {
        // A beat that comes twice was answered once: a command's time must not start again with it.
        if self.answered.iter().any(|answered| answered.beat == beat) {
            return Admit::Beat;
        }
        if let Some(claimant) = self.claimant.as_mut().filter(|claimant| claimant.station == beat.station) {
            claimant.newest_beat = now;
            claimant.held = false;
        }
        if self.answered.len() == ANSWERED_MAX {
            self.answered.pop_front();
        }
        self.answered.push_back(AnsweredBeat { beat, at: now });
        Admit::Beat
    }

    /// When beat `n` of `station` was answered; the newest, because a station's count starts again with it.
    fn answered_at(&self, station: &StationId, n: u64) -> Option<Instant> {
        let of_beat = |answered: &&AnsweredBeat| answered.beat.n == n && answered.beat.station == *station;
        self.answered.iter().rev().find(of_beat).map(|answered| answered.at)
    }

    /// A new epoch: its sequence and generation start anew.
    fn take(&mut self, station: StationId, epoch: u64, now: Instant) {
        self.epoch = epoch;
        self.claimant = Some(Claimant { station, last_seq: None, generation: 0, newest_beat: now, held: false });
    }
}

/// Decides about one message. A stop and a hold are always admitted.
pub fn admit(gate: &mut GateState, message: Message, now: Instant) -> Result<Admit, Reason> {
    if message.robot() != &gate.robot {
        return Err(Reason::Schema);
    }
    match message {
        Message::Command(command) => gate.admit_command(command, now),
        Message::Claim(claim) => gate.admit_claim(claim, now),
        Message::Release(release) => gate.admit_release(release, now),
        Message::Stop(stop) => Ok(gate.admit_stop(stop)),
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
            Self::Stop(stop) => &stop.robot,
            Self::Hold(hold) => &hold.robot,
            Self::Beat(beat) => &beat.robot,
        }
    }
}

#[cfg(test)]
mod tests;
