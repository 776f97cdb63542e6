//! The adapter `vda5050`: a vehicle that takes orders of VDA 5050 over an MQTT broker.
//!
//! Pose and velocity come from `state` and `visualization`. A goal becomes one order: a straight row of nodes, of
//! which the gate releases one edge after the other as the vehicle comes closer, so that the vehicle stops by itself
//! at the end of what is released. A hold is `startPause`; a stop is the same and, once the vehicle is paused or
//! after a second, `cancelOrder`. The broker holds a `startPause` as this gate's last will.
//!
//! An active order that is not this gate's is another commander: motion is refused, and stops go on. Nothing else of
//! other masters shows, and whoever is at the broker can command the vehicle.

mod broker;
mod hearing;
mod message;
mod order;
mod outbox;
mod stopping;
mod wiring;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::{ActuatorId, Command, CommandId, FrameId, Instant, Manifest, Motion, Reason};
use safety::Approved;
use tokio::sync::watch;

use crate::adapter::{
    Adapter, Begun, Events, Facts, Means, Outcome, SetPoints, StopEvidence, StopKind, StopSender, Watcher,
};
use crate::error::GateError;
use crate::sources::{Commander, Silence};
use broker::Link;
use hearing::{Inbound, Received};
use message::{State, VehicleError, instant_actions};
use order::{Goal, Plan, owner};
use outbox::{Outbox, Topic};
use stopping::{PAUSE, Stopping};
pub use wiring::Vda5050Wiring;

/// Names under which values of the vehicle are forwarded.
pub const EXTRAS: [&str; 3] = ["battery", "errors", "safety"];

/// A vehicle that drives and tells no place for this long is a fault.
const SILENCE: Duration = Duration::from_secs(1);
/// A place that is older begins and goes on with no order.
const PLACE_MAX: Duration = Duration::from_millis(1_000);
/// Actions that clear the way for an order are sent again after this time.
const AGAIN_AFTER: Duration = Duration::from_millis(200);
/// An order, or an update of one, that the vehicle has not taken by then was lost, and is sent again.
const LOST_AFTER: Duration = Duration::from_secs(2);
/// Time for the vehicle to give up its order, to go on after a pause, and to take in a new order.
const TAKE_WITHIN: Duration = Duration::from_secs(10);
/// Names of foreign orders are cut to this many characters.
const NAME_CHARS_MAX: usize = 64;

/// The receiving half: it subscribes only.
pub struct Vda5050Watcher {
    heard: Arc<Inbound>,
    /// Beginning of the names of this gate's orders.
    owner: String,
    silence: Silence,
    errors: Vec<VehicleError>,
    told: Commander,
    /// Its end is the end of the thread.
    _ended: Option<watch::Sender<()>>,
}

impl Vda5050Watcher {
    /// Only watches the vehicle. Relative paths of the wiring begin at `folder`.
    pub fn watch(
        wiring: &Vda5050Wiring,
        folder: &Path,
        manifest: &Manifest,
        clock: &ClockFn,
    ) -> Result<Self, GateError> {
        Self::open(wiring, folder, manifest, None, clock)
    }

    fn open(
        wiring: &Vda5050Wiring,
        folder: &Path,
        manifest: &Manifest,
        outbox: Option<Arc<Outbox>>,
        clock: &ClockFn,
    ) -> Result<Self, GateError> {
        let heard = Arc::new(Inbound::new(wiring, manifest.default_frame.clone()));
        let link = Link::new(wiring, folder, Arc::clone(&heard), outbox, clock)?;
        let (ended, end) = watch::channel(());
        let not_started = |error: std::io::Error| GateError::new(crate::code::GateCode::NotStarted, error.to_string());
        link.start(end).map_err(not_started)?;
        Ok(Self::of(heard, manifest, Some(ended)))
    }

    fn of(heard: Arc<Inbound>, manifest: &Manifest, ended: Option<watch::Sender<()>>) -> Self {
        Self {
            heard,
            owner: owner(manifest),
            silence: Silence::default(),
            errors: Vec::new(),
            told: Commander::default(),
            _ended: ended,
        }
    }

    /// The vehicle as far as it has shown itself: whether the broker answers, whether it is online, and its version.
    pub fn seen(&self) -> (bool, bool, Option<String>) {
        let version = |heard: &Received| heard.address.as_ref().map(|address| address.version.clone());
        self.heard.look(|heard| (heard.is_connected, heard.is_online, version(heard)))
    }

    /// The order of another master that the vehicle carries out.
    fn foreign(&self, state: Option<&State>) -> Option<String> {
        let state = state.filter(|state| state.is_active() && !state.order_id.is_empty())?;
        let is_ours = state.order_id.starts_with(&self.owner);
        (!is_ours).then(|| {
            let id: String = state.order_id.chars().take(NAME_CHARS_MAX).collect();
            format!("another master, with order {id}")
        })
    }

    fn note_silence(&mut self, is_driving: bool, now: Instant) -> Option<GateFault> {
        // A vehicle that stands may tell its place as seldom as its state.
        let (last, state_is_late) = self.heard.look(|heard| (heard.last_place, heard.state_is_late(now)));
        let is_silent = state_is_late || (is_driving && last.is_some_and(|last| now.since(last) > SILENCE));
        self.silence.fault(is_silent)
    }
}

impl Watcher for Vda5050Watcher {
    fn facts(&self) -> Facts {
        Facts {
            adapter: "vda5050",
            hold: "startPause 25 times a second until standstill is measured",
            stop: "the same, and once the vehicle is paused or after 1 s cancelOrder with it",
            last_to_command: "the vehicle, which plans its way between two nodes; any master on the broker can command it",
            base_timeout: "none: drives to the end of its released base; the broker pauses it when it notices that this gate is gone",
            foreign: "an active order that is not this gate's, as the vehicle's state shows it",
        }
    }

    fn means(&self) -> Means {
        Vda5050Wiring::means()
    }

    fn poll(&mut self, now: Instant) -> Events {
        let (readings, faults, errors) = self.heard.take();
        self.errors = errors;
        let mut events = Events { readings: readings.into(), faults, ..Events::default() };
        let state = self.heard.look(|heard| heard.state.clone());
        events.local = state.as_ref().map(|state| state.is_local());
        events.foreign = self.foreign(state.as_deref());
        events.faults.extend(self.note_silence(state.is_some_and(|state| state.driving), now));
        events.readings.extend(self.told.reading(events.foreign.as_ref(), now));
        events
    }
}

/// Both halves.
pub struct Vda5050Adapter {
    watcher: Vda5050Watcher,
    outbox: Arc<Outbox>,
    /// The actuator that orders move: the only base.
    base: Option<ActuatorId>,
    frame: FrameId,
    goal_mps: [f64; 2],
    reaction_s: f64,
    decel_mps2: f64,
    /// Tells the orders and actions of this run from earlier ones.
    run: String,
    count: u64,
    motion: Option<Drive>,
    /// An order that has failed is taken from the vehicle, so that it does not go on with it later.
    given_up: Option<Step>,
    stop: Option<Stopping>,
    /// The vehicle was sent a pause since it was last let go on: not every vehicle says that it is paused.
    has_paused: bool,
    /// Nothing is sent, as if the gate had died.
    mute: bool,
}

/// A goal that is being driven to.
struct Drive {
    id: CommandId,
    plan: Plan,
    phase: Phase,
    /// Beginning of the phase, or of the newest update of the order.
    since: Instant,
    /// The time at which the order, or its newest update, was sent last.
    sent: Instant,
}

/// Part of the way to a goal.
enum Phase {
    /// The order before it is given up.
    Cancelling(Step),
    /// The pause before it ends.
    Resuming(Step),
    /// The order was sent.
    Ordered,
    /// The vehicle has it.
    Driving,
}

/// An instant action that is sent again until the vehicle shows what it was for.
struct Step {
    action: String,
    sent: Instant,
}

impl Vda5050Adapter {
    /// Speaks for the vehicle of this manifest. Relative paths of the wiring begin at `folder`.
    pub fn open(
        wiring: &Vda5050Wiring,
        folder: &Path,
        manifest: &Manifest,
        clock: &ClockFn,
    ) -> Result<Self, GateError> {
        let outbox = Arc::new(Outbox::of_run(clock().wall_ms.to_string()));
        let watcher = Vda5050Watcher::open(wiring, folder, manifest, Some(Arc::clone(&outbox)), clock)?;
        Ok(Self::of(watcher, outbox, manifest, clock))
    }

    fn of(watcher: Vda5050Watcher, outbox: Arc<Outbox>, manifest: &Manifest, clock: &ClockFn) -> Self {
        Self {
            watcher,
            outbox,
            base: manifest.base().map(|base| base.id.clone()),
            frame: manifest.default_frame.clone(),
            goal_mps: [manifest.stop.standstill_mps, manifest.limits.speed_mps_max],
            reaction_s: manifest.stop.reaction_s,
            decel_mps2: manifest.stop.decel_mps2,
            run: clock().wall_ms.to_string(),
            count: 0,
            motion: None,
            given_up: None,
            stop: None,
            // Whoever was here before may have left it paused, as a crash or the last will does.
            has_paused: true,
            mute: false,
        }
    }

    fn new_name(&mut self) -> String {
        self.count += 1;
        format!("{}{}-{}", self.watcher.owner, self.run, self.count)
    }

    fn state(&self) -> Option<Arc<State>> {
        self.watcher.heard.look(|heard| heard.state.clone())
    }

    /// The order of a motion for the vehicle as it stands now.
    fn plan(&mut self, command: &Command, now: Instant) -> Result<Plan, Reason> {
        let Motion::PoseGoal { position_m, orientation, speed_mps, duration_s } = &command.motion else {
            return Err(Reason::UnknownActuator);
        };
        if command.frame != self.frame {
            return Err(Reason::FrameMismatch);
        }
        let (is_there, place, map, is_v3) = self.watcher.heard.look(|heard| {
            let is_v3 = heard.address.as_ref().is_some_and(hearing::Address::is_v3);
            (heard.is_there(now), heard.place, heard.map().to_owned(), is_v3)
        });
        if !is_there {
            return Err(Reason::NotArmed);
        }
        let place = place.filter(|place| now.since(place.arrived) <= PLACE_MAX).ok_or(Reason::NoFreshPose)?;
        let way_m = || Ok((position_m[0] - place.at_m[0]).hypot(position_m[1] - place.at_m[1]));
        let speed_mps = super::goal_speed::judged_mps(*speed_mps, *duration_s, way_m, self.goal_mps)?;
        let goal = Goal {
            order_id: self.new_name(),
            from_m: place.at_m,
            to_m: [position_m[0], position_m[1]],
            theta_rad: orientation.map(robot::UnitQuaternion::yaw_rad),
            speed_mps,
            // Full speed during the reaction time, then even braking.
            stop_m: speed_mps * self.reaction_s + speed_mps * speed_mps / (2.0 * self.decel_mps2),
            map,
            is_v3,
        };
        Plan::straight(goal).ok_or(Reason::GoalJump)
    }

    /// The next part of the way to an order: what is left of an earlier one goes first, then the pause.
    fn next_phase(&mut self, plan: &Plan, state: &State, now: Instant) -> Option<Phase> {
        // A vehicle with an order takes no other one, and a paused one would not begin it.
        let clears = if state.is_active() {
            "cancelOrder"
        } else if state.paused.unwrap_or(self.has_paused) {
            "stopPause"
        } else {
            return self.outbox.motion(Topic::Order, plan.newest()).then_some(Phase::Ordered);
        };
        let step = self.step(clears, now)?;
        Some(if state.is_active() { Phase::Cancelling(step) } else { Phase::Resuming(step) })
    }

    fn step(&mut self, kind: &str, now: Instant) -> Option<Step> {
        let action = self.new_name();
        let body = instant_actions(&[(kind, &action)]);
        self.outbox.motion(Topic::InstantActions, body).then_some(Step { action, sent: now })
    }

    fn again(&self, kind: &str, step: &mut Step, now: Instant) {
        if now.since(step.sent) >= AGAIN_AFTER {
            // Under the same id, so that a vehicle which has it already sees one action and not several.
            step.sent = now;
            self.outbox.motion(Topic::InstantActions, instant_actions(&[(kind, &step.action)]));
        }
    }

    /// Goes on with the motion: clears its way, sends its order, releases its next edge.
    fn drive(&mut self, state: &State, now: Instant) {
        let Some(mut drive) = self.motion.take() else { return };
        let is_through = match &mut drive.phase {
            Phase::Cancelling(step) if state.is_active() => {
                self.again("cancelOrder", step, now);
                false
            }
            Phase::Resuming(step) if state.is_paused_until(&step.action) => {
                self.again("stopPause", step, now);
                false
            }
            Phase::Cancelling(_) => true,
            Phase::Resuming(_) => {
                self.has_paused = false;
                true
            }
            Phase::Ordered | Phase::Driving => {
                self.go_on(&mut drive, state, now);
                false
            }
        };
        if is_through && let Some(phase) = self.next_phase(&drive.plan, state, now) {
            drive.phase = phase;
            (drive.since, drive.sent) = (now, now);
        }
        self.motion = Some(drive);
    }

    /// Releases the next part of an order, or sends again what the vehicle has not taken: at QoS 0 it is lost when the
    /// vehicle's own network is. A vehicle that has it drops a second one of the same number.
    fn go_on(&self, drive: &mut Drive, state: &State, now: Instant) {
        if !state.has_taken(drive.plan.order_id(), drive.plan.update()) {
            if now.since(drive.sent) >= LOST_AFTER {
                drive.sent = now;
                self.outbox.motion(Topic::Order, drive.plan.newest());
            }
            return;
        }
        let place = self.watcher.heard.look(|heard| heard.place);
        // The released way ends soon after the way to standstill: without a place nothing is added to it.
        let Some(place) = place.filter(|place| now.since(place.arrived) <= PLACE_MAX) else { return };
        if let Some(update) = drive.plan.release(place.at_m, state.last_node_sequence_id) {
            self.outbox.motion(Topic::Order, update);
            (drive.since, drive.sent) = (now, now);
        }
    }

    /// Takes in what the vehicle says of the motion; gives its end.
    fn end_of_motion(&mut self, state: Option<&State>, now: Instant) -> Option<(CommandId, Outcome)> {
        let errors = std::mem::take(&mut self.watcher.errors);
        if self.watcher.foreign(state).is_some() {
            // The gate ends it, and nothing of it is repeated against somebody else.
            return None;
        }
        let drive = self.motion.as_mut()?;
        let is_ordered = matches!(drive.phase, Phase::Ordered | Phase::Driving);
        let name = drive.plan.order_id().to_owned();
        let has_it = state.is_some_and(|state| state.order_id == name);
        if matches!(drive.phase, Phase::Ordered) && has_it {
            drive.phase = Phase::Driving;
        }
        let is_driving = matches!(drive.phase, Phase::Driving);
        let is_refused = errors.iter().any(|error| error.is_fatal() || (is_ordered && error.is_about(&name)));
        // A vehicle may take an order, or an update of it, without a word.
        let has_newest = state.is_some_and(|state| state.has_taken(&name, drive.plan.update()));
        let is_late = !(is_driving && has_newest) && now.since(drive.since) > TAKE_WITHIN;
        let is_gone = is_driving && !has_it;
        let is_over = is_driving && state.is_some_and(|state| has_it && !state.is_active());
        let is_done = is_over && state.is_some_and(|state| state.last_node_sequence_id == drive.plan.last_sequence());
        let id = drive.id;
        // A vehicle that reports an error about the order has not done it, even at its last node.
        if is_done && !is_refused {
            self.motion = None;
            return Some((id, Outcome::Done));
        }
        if is_refused || is_late || is_gone || is_over {
            self.motion = None;
            self.given_up = self.step("cancelOrder", now);
            return Some((id, Outcome::Failed));
        }
        None
    }
}

impl Watcher for Vda5050Adapter {
    fn facts(&self) -> Facts {
        self.watcher.facts()
    }

    fn means(&self) -> Means {
        self.watcher.means()
    }

    fn poll(&mut self, now: Instant) -> Events {
        let mut events = self.watcher.poll(now);
        let state = self.state();
        if let Some(stop) = &mut self.stop {
            events.faults.extend(stop.hear(state.as_deref(), &self.watcher.errors, now));
        }
        events.ended.extend(self.end_of_motion(state.as_deref(), now));
        events
    }
}

impl Adapter for Vda5050Adapter {
    fn moves(&self, actuator: &ActuatorId) -> bool {
        self.base.as_ref() == Some(actuator)
    }

    fn begin(&mut self, approved: &Approved<Command>, now: Instant) -> Begun {
        let command = approved.command();
        let state = self.state();
        if self.watcher.foreign(state.as_deref()).is_some() {
            return Begun::Refused(Reason::Arbitration);
        }
        let plan = match self.plan(command, now) {
            Ok(plan) => plan,
            Err(reason) => return Begun::Refused(reason),
        };
        let phase = state.and_then(|state| self.next_phase(&plan, &state, now));
        let Some(phase) = phase else { return Begun::Refused(Reason::NotArmed) };
        // Only now: a motion that was refused leaves the stop before it as it is.
        self.stop = None;
        self.given_up = None;
        self.mute = false;
        self.motion = Some(Drive { id: command.id, plan, phase, since: now, sent: now });
        Begun::Running
    }

    fn refresh(&mut self, _: &SetPoints, now: Instant) {
        let Some(state) = self.state().filter(|_| !self.mute) else { return };
        if self.watcher.foreign(Some(&state)).is_some() {
            // A hold is over once somebody else moves the vehicle: it would pause it between two of their orders.
            self.stop.take_if(|stop| stop.kind() == StopKind::Hold);
            return;
        }
        if let Some(stop) = &mut self.stop {
            stop.linger(&state, &self.outbox, now);
        }
        if let Some(mut step) = self.given_up.take().filter(|_| state.is_active()) {
            self.again("cancelOrder", &mut step, now);
            self.given_up = Some(step);
        }
        self.drive(&state, now);
    }

    fn fall_silent(&mut self) {
        self.mute = true;
    }

    fn stop(&mut self, kind: StopKind, episode: u64, now: Instant) -> StopEvidence {
        self.mute = false;
        self.has_paused = true;
        self.motion = None;
        self.given_up = None;
        let state = self.state();
        if self.stop.as_ref().is_none_or(|stop| stop.episode() != episode) {
            let (pause, cancel) = (self.new_name(), self.new_name());
            self.stop = Some(Stopping::new(episode, pause, cancel, self.stop.as_ref(), now));
        }
        match &mut self.stop {
            Some(stop) => stop.send(kind, state.as_deref(), &self.outbox, now),
            None => StopEvidence::Waiting,
        }
    }

    /// A vehicle that is gone cannot be told anything more.
    fn is_settled(&self) -> bool {
        let Some(state) = self.state() else { return true };
        self.given_up.is_none() && self.stop.as_ref().is_none_or(|stop| stop.is_over(&state))
    }

    fn unanswered(&self) -> Vec<String> {
        let state = self.state();
        let open = self.stop.iter().filter(|stop| !stop.has_paused(state.as_deref()));
        open.map(|_| PAUSE.to_owned()).collect()
    }

    fn stop_sender(&self) -> Arc<dyn StopSender> {
        Arc::<Outbox>::clone(&self.outbox)
    }
}

#[cfg(test)]
pub(crate) mod tests;
