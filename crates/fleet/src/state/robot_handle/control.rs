//! Control of a robot, its orders and its beats: plain state behind the unit's lock.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use bridge::commissioning::GateReport;
use bridge::envelope::{BeatAnswer, GateSpeed, OpenStop, StoppedBy};
use robot::{ActuatorId, Command, CommandId, Instant, Motion, StationId, Supervision};
use safety::arbitration::Holder;
use safety::fallback::{STANDSTILL_GRACE, StopTimes};
use safety::machine::{CauseSet, RobotSafety, SafetyCause, State, StopKind};
use safety::{CommandRate, Commissioning, Fresh, Measured, Pose, RateMeter, SetPoint};

use crate::state::seals::SetFault;
use runtime::config::SafetySettings;
use runtime::wire::{ControlRequest, LinkState};

/// Beats that can be open at once: 3 s at 50 Hz; an older answer gives no round trip.
const BEATS_OPEN_MAX: usize = 150;
/// Round trips the median is taken of: 10 s at 10 Hz.
const ROUND_TRIPS_MAX: usize = 100;

/// An administrator's permission for one robot to move without a complete set of limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Station clock at which it ends.
    pub until: Instant,
    /// For people: who gave it, for how long, and why.
    pub sentence: String,
}

/// State of a robot's lock on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDisk {
    /// Nothing.
    #[default]
    Nothing,
    /// The robot is locked, and the disk does not take it.
    Failing,
    /// It is locked.
    Locked,
}

impl OnDisk {
    /// The state that people see of a robot in `state`: a locked one is shown as stopped for as long as a crash would
    /// leave no more than that.
    #[must_use]
    pub const fn shown(self, state: State) -> State {
        match (self, state) {
            (Self::Nothing | Self::Failing, State::Lockout) => State::SafeStop,
            (_, state) => state,
        }
    }
}

/// Arming, order of commands, stops.
#[derive(Debug)]
pub struct Control {
    /// The state machine; stepped by `supervision` alone.
    pub safety: RobotSafety,
    /// Causes found at the newest step, also those that do not count in the present state.
    pub present: CauseSet,
    /// True until the first motion since arming was sent.
    pub first_motion: bool,
    /// The claim's epoch.
    pub epoch: u64,
    /// The last sequence number used in this epoch.
    pub seq: u64,
    /// Stops that bind this robot, each with the cause it is; a stop that the machine itself asked for is none.
    pub open_stops: BTreeMap<u64, Option<SafetyCause>>,
    /// Pose at which the robot was last armed to escape.
    pub escape_from: Option<Pose>,
    /// The last order to the robot to end its motion.
    told: Option<StopOrder>,
    /// Number of such orders so far.
    ends: u64,
    /// Commands on their way to the robot, or under way there: of each actuator at most the one it was last sent, one
    /// that is being sent and one that waits to be.
    orders: Vec<Order>,
    /// The holder of control, as far as the station decides it.
    pub holder: Holder,
    /// The request for control that waits.
    pub request: Option<ControlRequest>,
    /// Rises whenever control changes hands: a claim that was under way then is not in force.
    pub handovers: u64,
    /// The need for a living screen, if somebody has set it in this run; else its manifest says it.
    pub supervision: Option<Supervision>,
    /// The grant to move without a complete set, with its end.
    pub grant: Option<Grant>,
    /// The fault in the stored constraints that bind this robot.
    pub set_fault: Option<SetFault>,
    /// A stop of this robot could not be saved.
    pub latch_unsaved: bool,
    /// The lock of this robot, as it is on disk.
    pub lockout: OnDisk,
    /// Judgements in a row that took longer than they may.
    pub slow_judgements: u32,
    /// Answers of the robot's gate.
    pub beats: Beats,
    /// The newest account that the gate has given of itself.
    pub gate_report: Option<GateReport>,
    /// The robot is claimed for commissioning: nothing but its steps passes.
    pub for_commissioning: bool,
    /// Rate meters of commands, at most two per actuator: sessions not in control must not use up the rate of the one
    /// that is.
    meters: BTreeMap<(ActuatorId, bool), RateMeter>,
    /// The set-point each actuator was last sent; at most one per actuator.
    set_points: BTreeMap<ActuatorId, SetPoint>,
}

/// A command that may move the robot, now or soon.
#[derive(Debug)]
struct Order {
    command: Command,
    /// Start of the unbroken motion of the robot's point that this command continues, if it moves the point.
    moves_since: Option<Instant>,
    sent: bool,
}

/// A hold or a stop, and how far it was obeyed.
#[derive(Debug, Clone, Copy)]
struct StopOrder {
    at: Instant,
    kind: StopKind,
    /// The number of a hold; its acknowledgement carries it.
    hold_id: Option<u64>,
    acknowledged: bool,
    stood: bool,
}

/// Beats sent and answered.
#[derive(Debug, Default)]
pub struct Beats {
    open: VecDeque<(u64, Instant)>,
    round_trips_ms: VecDeque<f64>,
    /// Station clock at the newest answer.
    pub last_answer: Option<Instant>,
    /// Speed the gate measured, metres per second. It was so, less its age there, after the beat it answers was sent.
    pub speed_mps: Fresh<f64>,
    /// True if the gate measured it to stand, turning and joints included.
    pub stands: Fresh<bool>,
    /// The epoch the gate holds.
    pub gate_epoch: u64,
    /// The station that commands the robot.
    pub claimed_by: Option<StationId>,
    /// True while a pendant at the robot has control.
    pub local: bool,
    /// The motion that the robot's commissioning leaves, by its gate.
    pub commissioning: Commissioning,
    /// Stops the gate holds, those of other stations included.
    pub gate_stops: BTreeSet<OpenStop>,
    /// The stops of others that the gate holds and that were taken over, with the number each has here.
    taken_over: BTreeMap<OpenStop, u64>,
    /// Count of the gate's starts.
    boot: Option<u64>,
}

/// News in a beat answer against the one before.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// The speed it measures, metres per second.
    pub speed_mps: Option<Measured<f64>>,
    /// Stops that the gate did not hold.
    pub stops: Vec<OpenStop>,
    /// The gate was started anew in between.
    pub restarted: bool,
    /// Another claimant.
    pub claimed_by: Option<StationId>,
}

impl Control {
    /// A disarmed robot of which nothing is known.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            safety: RobotSafety::new(now),
            present: CauseSet::EMPTY,
            first_motion: false,
            epoch: 0,
            seq: 0,
            open_stops: BTreeMap::new(),
            escape_from: None,
            told: None,
            ends: 0,
            orders: Vec::new(),
            holder: Holder::Nobody,
            request: None,
            handovers: 0,
            supervision: None,
            grant: None,
            set_fault: None,
            latch_unsaved: false,
            lockout: OnDisk::Nothing,
            slow_judgements: 0,
            beats: Beats::default(),
            gate_report: None,
            for_commissioning: false,
            meters: BTreeMap::new(),
            set_points: BTreeMap::new(),
        }
    }

    /// Counts a command of `actuator` by somebody who is, or is not, in control; false if it comes too fast.
    pub fn admit(&mut self, actuator: &ActuatorId, in_control: bool, rate: CommandRate, now: Instant) -> bool {
        self.meters.entry((actuator.clone(), in_control)).or_default().admit(rate, now)
    }

    /// Until when it may move without a complete set; none if it may not at `now`.
    pub fn unconstrained_until(&self, now: Instant) -> Option<Instant> {
        self.grant.as_ref().map(|grant| grant.until).filter(|until| now < *until)
    }

    /// The causes that the station's storage tells of.
    #[must_use]
    pub fn store_causes(&self) -> CauseSet {
        let unsaved = self.latch_unsaved || self.lockout == OnDisk::Failing;
        let unsaved = unsaved.then_some(SafetyCause::StoreUnavailable);
        self.set_fault.iter().map(SetFault::cause).chain(unsaved).collect()
    }

    /// Notes that the robot is told to end its motion: no set-point holds any longer.
    pub fn told_to_end(&mut self, kind: StopKind, now: Instant) {
        self.ends += 1;
        self.told = Some(StopOrder { at: now, kind, hold_id: None, acknowledged: false, stood: false });
        for set_point in self.set_points.values_mut() {
            set_point.until = set_point.until.min(now);
        }
    }

    /// Notes that the robot is told to hold, under the number that its acknowledgement will carry.
    pub fn told_to_hold(&mut self, hold_id: u64, now: Instant) {
        self.told_to_end(StopKind::Hold, now);
        self.told.iter_mut().for_each(|told| told.hold_id = Some(hold_id));
    }

    /// Notes that the robot has received hold `hold_id`; a late word on an earlier one says nothing of the last.
    pub fn told_acknowledged(&mut self, hold_id: u64) {
        self.told.iter_mut().filter(|told| told.hold_id == Some(hold_id)).for_each(|told| told.acknowledged = true);
    }

    /// True if this station has told the robot to end its motion, and nothing to move since.
    #[must_use]
    pub const fn was_told_to_end(&self) -> bool {
        self.told.is_some()
    }

    /// True if the robot has acknowledged the last hold.
    #[must_use]
    pub fn hold_acknowledged(&self) -> bool {
        self.told.is_some_and(|told| told.acknowledged)
    }

    /// True if the robot did not acknowledge a hold in time, or was seen to move, at `moved`, after the time that
    /// stopping takes: because it never stood still, or although a hold or a stop is in force. Acknowledgements of a
    /// stop are kept with the stop.
    pub fn is_disobeyed(&mut self, moved: Option<Instant>, now: Instant, times: StopTimes, own: &StationId) -> bool {
        let in_force = matches!(self.safety.state(), State::Hold | State::SafeStop | State::Lockout);
        let (armed, bound) = (self.safety.is_armed(), in_force && !self.is_foreign(own));
        let Some(told) = self.told.as_mut().filter(|_| !armed) else { return false };
        // After a standstill a new motion disobeys only an order that is still in force.
        told.stood |= moved.is_none();
        let deaf = told.kind == StopKind::Hold && !told.acknowledged && now.since(told.at) > times.ack;
        let stands_by = told.at.plus(times.ack + times.stopping + STANDSTILL_GRACE);
        let moves = moved.is_some_and(|moved| moved > stands_by) && (bound || !told.stood);
        deaf || moves
    }

    /// True if another station commands the robot.
    #[must_use]
    pub fn is_foreign(&self, own: &StationId) -> bool {
        self.beats.claimed_by.as_ref().is_some_and(|claimant| claimant != own)
    }

    /// Commands that the robot carries out, or will.
    pub fn orders(&self) -> impl Iterator<Item = &Command> {
        self.orders.iter().map(|order| &order.command)
    }

    /// Start of the motion that the robot's point is commanded to make, if it is.
    #[must_use]
    pub fn moves_since(&self) -> Option<Instant> {
        self.orders.iter().filter_map(|order| order.moves_since).min()
    }

    /// True if goals of joints are all that moves the robot.
    #[must_use]
    pub fn moves_joints_only(&self) -> bool {
        let mut moving = self.orders.iter().filter(|order| order.moves_since.is_some());
        moving.all(|order| matches!(order.command.motion, Motion::Joints { .. }))
    }

    /// Notes that a command has ended, or is never sent.
    pub fn ended(&mut self, id: CommandId) {
        self.orders.retain(|order| order.command.id != id);
    }

    /// Notes a command that was handed over to be sent. Gives the number of orders to end its motion before it.
    pub fn handed_over(&mut self, command: &Command, now: Instant) -> u64 {
        let moves_since = moves(command).then(|| self.moves_since().unwrap_or(now));
        self.orders.push(Order { command: command.clone(), moves_since, sent: false });
        self.ends
    }

    /// Notes that a command that was handed over after `ends` orders to end was sent. If another came while it was on its
    /// way, nothing of the command holds, and the order stands.
    pub fn sent(&mut self, id: CommandId, ends: u64) {
        let is_newest = self.ends == ends;
        if is_newest {
            self.first_motion = false;
            self.told = None;
        }
        // The robot may have said that it is over before this is noted.
        let Some(place) = self.orders.iter().position(|order| order.command.id == id) else { return };
        self.orders[place].sent = true;
        let command = self.orders[place].command.clone();
        // The gate replaces the motion of this actuator; orders that wait to be sent are not at the gate yet.
        self.orders.retain(|order| {
            let replaced = order.sent && order.command.actuator == command.actuator && order.command.id != id;
            !replaced
        });
        self.set_points.remove(&command.actuator);
        if let Some(set_point) = SetPoint::of(&command).filter(|_| is_newest && self.safety.is_armed()) {
            self.set_points.insert(command.actuator, set_point);
        }
    }

    /// True if another station has claimed the robot since this one, `own`, did.
    #[must_use]
    pub fn is_claimed_elsewhere(&self, own: &StationId) -> bool {
        self.is_foreign(own) && self.epoch > 0 && self.beats.gate_epoch > self.epoch
    }

    /// Set-points that each actuator was last told to hold, and those it will be told before the next command.
    #[must_use]
    pub fn set_points(&self) -> Vec<SetPoint> {
        let waiting = self.orders.iter().filter(|order| !order.sent);
        let waiting = waiting.filter_map(|order| SetPoint::of(&order.command));
        self.set_points.values().cloned().chain(waiting).collect()
    }
}

impl Beats {
    /// Count of the gate's starts; `None` before its first answer.
    #[must_use]
    pub const fn boot(&self) -> Option<u64> {
        self.boot
    }

    /// Notes that beat `n` was put.
    pub fn sent(&mut self, n: u64, at: Instant) {
        if self.open.len() >= BEATS_OPEN_MAX {
            self.open.pop_front();
        }
        self.open.push_back((n, at));
    }

    /// Notes an answer.
    pub fn answered(&mut self, answer: &BeatAnswer, at: Instant) -> Changes {
        let n = answer.n;
        let other = |claimant: &&StationId| self.claimed_by.as_ref() != Some(*claimant);
        let claimed_by = answer.claimed_by.as_ref().filter(other).cloned();
        let restarted = self.boot.replace(answer.boot).is_some_and(|boot| boot != answer.boot);
        self.local = answer.local;
        self.commissioning = answer.commissioning;
        self.last_answer = Some(at);
        self.gate_epoch = answer.epoch;
        self.claimed_by = answer.claimed_by.clone();
        let stops: BTreeSet<OpenStop> = answer.stops.iter().cloned().collect();
        let new = stops.difference(&self.gate_stops).cloned().collect();
        // A stop that disappears and comes back is another one, with a number of its own.
        self.taken_over.retain(|stop, _| stops.contains(stop));
        self.gate_stops = stops;
        let sent = self.note_round_trip(n, at);
        // The gate answered after the beat was sent, so the measurement can be newer than this and never older.
        let measured =
            sent.zip(answer.speed).map(|(sent, speed)| (speed, sent.minus(Duration::from_millis(speed.age_ms))));
        let speed_mps = measured.map(|(GateSpeed { mps, .. }, observed)| Measured { value: mps, observed });
        self.stands = measured.map(|(GateSpeed { stands, .. }, observed)| Measured { value: stands, observed }).into();
        self.speed_mps = speed_mps.clone().filter(|speed| speed.value.is_finite()).into();
        Changes { speed_mps, stops: new, restarted, claimed_by }
    }

    /// When the beat `n` was sent; `None` if that is not known any more.
    fn note_round_trip(&mut self, n: u64, at: Instant) -> Option<Instant> {
        let known = self.open.iter().find(|(open, _)| *open == n).map(|(_, sent)| *sent);
        if let Some(sent) = known {
            if self.round_trips_ms.len() >= ROUND_TRIPS_MAX {
                self.round_trips_ms.pop_front();
            }
            self.round_trips_ms.push_back(at.since(sent).as_secs_f64() * 1e3);
        }
        // Answers come in order: no older beat is answered any more.
        self.open.retain(|(open, _)| *open > n);
        known
    }

    /// True if the gate holds a stop that neither `own` nor the gate itself has asked for.
    #[must_use]
    pub fn is_stopped_elsewhere(&self, own: &StationId) -> bool {
        self.gate_stops.iter().any(|stop| match &stop.by {
            StoppedBy::Station(by) => by != own,
            StoppedBy::Stranger => true,
            StoppedBy::Restart | StoppedBy::Deadman | StoppedBy::Fault(_) => false,
        })
    }

    /// Notes that a stop of somebody else was taken over under the number `stop_id`.
    pub fn note_taken_over(&mut self, stop: OpenStop, stop_id: u64) {
        if self.gate_stops.contains(&stop) {
            self.taken_over.insert(stop, stop_id);
        }
    }

    /// Stops that the gate holds, each with the number under which it was taken over here, if it was.
    #[must_use]
    pub fn held(&self) -> Vec<(OpenStop, Option<u64>)> {
        self.gate_stops.iter().map(|stop| (stop.clone(), self.taken_over.get(stop).copied())).collect()
    }

    /// Median round trip, milliseconds.
    #[must_use]
    pub fn rtt_ms_median(&self) -> Option<f64> {
        self.rtt_ms_at(0.5)
    }

    /// The 95th percentile of the round trips, milliseconds.
    #[must_use]
    pub fn rtt_ms_p95(&self) -> Option<f64> {
        self.rtt_ms_at(0.95)
    }

    /// The round trip at `share` of all, shortest first.
    fn rtt_ms_at(&self, share: f64) -> Option<f64> {
        let mut sorted: Vec<f64> = self.round_trips_ms.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get((sorted.len() as f64 * share) as usize).copied()
    }
}

/// Stops of `held` that a gate lets go when those of `own` are released of which nothing stays. One of others ends with
/// the number it was taken over under; before that nobody releases it, because no desk has shown it.
pub(crate) fn released_with(
    held: Vec<(OpenStop, Option<u64>)>,
    own: &StationId,
    stays: impl Fn(u64) -> bool,
) -> BTreeSet<OpenStop> {
    let is_over = |(stop, taken_over): &(OpenStop, Option<u64>)| match &stop.by {
        StoppedBy::Station(by) if by == own => !stays(stop.stop_id),
        StoppedBy::Station(_) | StoppedBy::Stranger => taken_over.is_some_and(|stop_id| !stays(stop_id)),
        StoppedBy::Restart | StoppedBy::Deadman | StoppedBy::Fault(_) => true,
    };
    held.into_iter().filter(is_over).map(|(stop, _)| stop).collect()
}

/// True if it moves the point that poses are about.
fn moves(command: &Command) -> bool {
    let rests = matches!(command.motion, Motion::Velocity { linear_mps, .. } if linear_mps == [0.0; 3]);
    command.motion.is_through_space() && !rests
}

/// The link's state from the last sign of life.
pub fn link_state(last: Option<Instant>, settings: &SafetySettings, now: Instant) -> LinkState {
    let Some(age_ms) = last.map(|last| now.ms_since(last)) else { return LinkState::Never };
    if age_ms < settings.beat_late_ms.into() {
        LinkState::Live
    } else if age_ms < settings.beat_lost_ms.into() {
        LinkState::Late
    } else {
        LinkState::Lost
    }
}

#[cfg(test)]
mod tests;
