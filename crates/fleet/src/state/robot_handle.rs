//! One robot as the station runs it: what was measured, what limits hold, whether motion may pass.

mod control;
mod safety_row;
mod standstill;

pub(crate) use control::released_with;
pub use control::{Control, Grant, OnDisk};

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arc_swap::ArcSwap;
use bridge::signing::SignedSample;
use bridge::{Claims, RobotLink, Subscription};
use robot::{GateKind, Instant, Manifest, RobotId, StateKind, Supervision};
use safety::arbitration::Holder;
use safety::fallback::StopTimes;
use safety::machine::{ActiveCause, CauseSet, SafetyCause, State};
use safety::monitor::{Expected, History, StateSample};
use safety::{
    EscapeProgress, Fence, Fresh, JointPositions, Limits, Measured, MovingTransform, Pose, RobotState, Silent,
    SourceTimes, Speeds, Velocities,
};
use tokio::sync::watch;

use runtime::config::SafetySettings;
use runtime::lock::lock;
use runtime::stamps::Stamps;
use runtime::wire::{
    ActuatorRow, CameraRow, CauseRow, ControlRow, LimitsRow, LinkState, PoseRow, RobotRow, TransformRow,
};

/// The parts that a robot begins with.
pub struct Parts {
    /// Its manifest, which is valid.
    pub manifest: Manifest,
    /// True for a robot of the built-in simulator.
    pub simulated: bool,
    /// The last test before a command leaves.
    pub fence: Arc<Fence>,
    /// Its publishers.
    pub link: RobotLink,
    /// Those of its claims.
    pub claims: Claims,
    /// The limits in force.
    pub limits: Limits,
    /// The site's safety settings.
    pub settings: SafetySettings,
}

/// A robot with a valid manifest.
pub struct RobotHandle {
    /// Its manifest: identity, actuators, state sources and limits.
    pub manifest: Arc<Manifest>,
    /// True for a robot of the built-in simulator.
    pub simulated: bool,
    /// The last test before a command leaves.
    pub(crate) fence: Arc<Fence>,
    /// Its publishers.
    pub(crate) link: RobotLink,
    /// The limits in force.
    pub limits: ArcSwap<Limits>,
    /// The state, for those who wait for another.
    pub(crate) state_changed: watch::Sender<State>,
    /// Locked while the robot is claimed, so that claims follow one another.
    pub(crate) claims: tokio::sync::Mutex<Claims>,
    /// Locked while a lockout is written down or ended.
    pub locking: tokio::sync::Mutex<()>,
    /// The site's safety settings.
    pub settings: SafetySettings,
    measured: ArcSwap<Measurements>,
    /// The history of earlier samples; locked after `control`, never before it.
    history: Mutex<History>,
    /// The last sample of each velocity source.
    velocities: Mutex<Velocities>,
    turns: Mutex<Velocities>,
    control: Mutex<Control>,
    /// The newest stamps of what it has signed.
    pub stamps: Stamps,
    in_turn: Mutex<()>,
    subscriptions: Mutex<Vec<Subscription>>,
}

/// The newest measurements that the robot reported of itself.
#[derive(Debug, Clone, Default)]
pub struct Measurements {
    /// Rises with every change.
    pub snapshot_seq: u64,
    /// When each source of the manifest last spoke.
    pub heard: SourceTimes,
    /// Newest pose.
    pub pose: Fresh<Pose>,
    /// The largest of the newest speeds of its velocity sources, metres per second.
    pub speed_mps: Fresh<f64>,
    /// The largest of the newest rates of turn of its velocity sources, radians per second.
    pub turn_radps: Fresh<f64>,
    /// The speed that its newest poses show, metres per second.
    pub shown_mps: Fresh<f64>,
    /// Newest joint positions.
    pub joints: Fresh<JointPositions>,
    /// The newest of each moving transform; at most as many as the manifest has sources.
    pub transforms: Vec<Measured<MovingTransform>>,
    /// Station clock at the newest state sample of any kind.
    pub last_heard: Option<Instant>,
}

impl Measurements {
    /// Takes in a transform in place of the older one of the same frames. A robot that names more frames than its
    /// manifest has sources loses the oldest.
    pub(crate) fn keep_transform(&mut self, transform: Measured<MovingTransform>, frames_max: usize) {
        let same = |known: &Measured<MovingTransform>| {
            known.value.child == transform.value.child && known.value.parent == transform.value.parent
        };
        self.transforms.retain(|known| !same(known));
        self.transforms.push(transform);
        let surplus = self.transforms.len().saturating_sub(frames_max);
        self.transforms.drain(..surplus);
    }
}

impl RobotHandle {
    /// A robot that has said nothing yet: disarmed, its fence engaged, so that nothing passes until it is armed.
    pub fn new(parts: Parts, now: Instant) -> Self {
        let Parts { manifest, simulated, fence, link, claims, limits, settings } = parts;
        fence.engage();
        Self {
            manifest: Arc::new(manifest),
            simulated,
            fence,
            link,
            limits: ArcSwap::from_pointee(limits),
            settings,
            measured: ArcSwap::from_pointee(Measurements::default()),
            state_changed: watch::Sender::new(State::Disarmed),
            claims: tokio::sync::Mutex::new(claims),
            locking: tokio::sync::Mutex::default(),
            history: Mutex::default(),
            velocities: Mutex::default(),
            turns: Mutex::default(),
            control: Mutex::new(Control::new(now)),
            stamps: Stamps::default(),
            in_turn: Mutex::default(),
            subscriptions: Mutex::default(),
        }
    }

    /// The robot's id.
    #[must_use]
    pub fn id(&self) -> &RobotId {
        &self.manifest.id
    }

    /// True if the robot's own key has signed `message`.
    #[must_use]
    pub fn has_signed(&self, message: &SignedSample) -> bool {
        self.link.is_of_robot(message)
    }

    /// Arming, epochs, sequence numbers and stops. A panic of a holder leaves motion disabled, never enabled:
    /// `Control` is changed by single assignments only, and the fence decides at the end.
    pub fn control(&self) -> std::sync::MutexGuard<'_, Control> {
        lock(&self.control)
    }

    /// Held from a command's judgement until it is sent: the next one is judged against what this one made of the
    /// robot, and sequence numbers leave in order. It guards no data, so a panic of a holder breaks nothing.
    pub fn in_turn(&self) -> std::sync::MutexGuard<'_, ()> {
        lock(&self.in_turn)
    }

    /// True if what is said on `key_expr` is state of this robot that counts only under its signature.
    pub fn signs(&self, key_expr: &str) -> bool {
        let Manifest { site, id, state, .. } = &*self.manifest;
        let of_state = || {
            let rest = key_expr.strip_prefix(site.as_str()).and_then(|rest| rest.strip_prefix('/'));
            let rest = rest.and_then(|rest| rest.strip_prefix(id.as_str()));
            rest.is_some_and(|rest| rest.starts_with("/out/state/"))
        };
        self.link.signs() && (of_state() || state.iter().any(|source| source.key == key_expr))
    }

    /// Keeps subscriptions for as long as the robot is known.
    pub fn keep(&self, subscription: Subscription) {
        lock(&self.subscriptions).push(subscription);
    }

    /// Hears nothing of the robot any more.
    pub(crate) fn forget_subscriptions(&self) {
        let ended = std::mem::take(&mut *lock(&self.subscriptions));
        drop(ended);
    }

    /// All measurements, as one snapshot.
    #[must_use]
    pub fn measurements(&self) -> Arc<Measurements> {
        self.measured.load_full()
    }

    pub(crate) fn measure(&self, change: impl Fn(&mut Measurements)) {
        // `change` runs again if another thread was faster, so it may touch nothing but its argument.
        self.measured.rcu(|measured| {
            let mut next = Measurements::clone(measured);
            next.snapshot_seq += 1;
            change(&mut next);
            next
        });
    }

    /// The state a command is judged against. The fence's word is read first: a stop after that is caught at sending.
    #[must_use]
    pub fn robot_state(&self) -> RobotState {
        let latch_generation = self.fence.generation();
        let fence_latched = self.fence.is_latched();
        let control = self.control();
        let measured = self.measurements();
        RobotState {
            snapshot_seq: measured.snapshot_seq,
            heard: measured.heard.clone(),
            pose: measured.pose.clone(),
            speeds: Speeds {
                velocity: measured.speed_mps.clone(),
                gate: control.beats.speed_mps.clone(),
                poses: measured.shown_mps.clone(),
            },
            joints: measured.joints.clone(),
            transforms: measured.transforms.clone(),
            set_points: control.set_points(),
            armed: control.safety.is_armed() && !fence_latched,
            escape_only: control.safety.escapes(),
            commissioning: control.left_by_commissioning(control.supervision.unwrap_or(self.manifest.supervision)),
            unconstrained_until: control.grant.as_ref().map(|grant| grant.until),
            latched: !control.open_stops.is_empty(),
            latch_generation,
            epoch: control.epoch,
        }
    }

    /// Hands a sample to the monitor.
    pub fn watch(&self, sample: StateSample<'_>, now: Instant) {
        let expected = {
            let control = self.control();
            // Motion under another station's claim, or of a robot without a gate, is not unexpected here.
            let watched = !control.is_foreign(self.link.station()) && self.manifest.gate != GateKind::None;
            let still_since = control.safety.still_since().filter(|_| watched);
            Expected {
                commanded_since: control.moves_since(),
                by_joints: control.moves_joints_only(),
                still_since,
                stopped: control.safety.is_stopped(),
            }
        };
        lock(&self.history).observe(&self.limits.load(), sample, expected, now);
    }

    /// Takes in what the velocity source at `place` of the manifest
    /// says, metres per second; gives the fastest of them all.
    pub(crate) fn fastest_mps(&self, place: usize, linear_mps: Measured<[f64; 3]>, now: Instant) -> Measured<[f64; 3]> {
        lock(&self.velocities).note(&self.manifest, place, linear_mps, now)
    }

    /// The same of its rate of turn, radians per second.
    pub(crate) fn fastest_radps(
        &self,
        place: usize,
        angular_radps: Measured<[f64; 3]>,
        now: Instant,
    ) -> Measured<[f64; 3]> {
        lock(&self.turns).note(&self.manifest, place, angular_radps, now)
    }

    /// The causes that samples, or their silence, tell of.
    pub fn found_by_monitor(&self, now: Instant) -> CauseSet {
        let history = lock(&self.history);
        history.found().union(history.silent(&self.limits.load(), &self.measurements().heard, now))
    }

    /// The speed that the robot's newest poses show, metres per second.
    pub(crate) fn shown_speed_mps(&self, now: Instant) -> Fresh<f64> {
        lock(&self.history).shown_speed_mps(now)
    }

    /// The row of an active cause, in words: where several sources can be the cause, its sentence names those that are.
    fn cause_row(&self, active: &ActiveCause, now: Instant) -> CauseRow {
        let mut row = CauseRow::from(active);
        let measured = self.measurements();
        let silent = measured.heard.silent(&self.manifest, now).filter(|silent| silent.cause() == active.cause);
        let keys: Vec<&str> = silent.map(|Silent { source, .. }| source.key.as_str()).collect();
        if !keys.is_empty() {
            row.sentence = format!("{} Nothing new comes on {}.", row.sentence, keys.join(", "));
        }
        row
    }

    /// The causes that samples tell of while the robot, armed to escape, is where it may not be: that it is there is
    /// known, so what counts is whether it gets out. With whether it has.
    pub(crate) fn found_of_escape(&self, found: CauseSet, now: Instant) -> (CauseSet, bool) {
        let (state, began) = (self.robot_state(), self.control().escape_from.clone());
        let limits = self.limits.load();
        let progress = began.map_or(EscapeProgress::Deeper, |began| limits.escape_progress(&began, &state, now));
        // The place of a robot whose pose sensor is silent is unknown, and that is a cause of its own.
        let deeper = progress == EscapeProgress::Deeper && !found.has(SafetyCause::PoseStale);
        let fast = limits.is_too_fast_to_escape(&state, now);
        let mut present = found;
        present.set(SafetyCause::Breach, deeper);
        // Every way out begins outside the limits; what counts is that it leads no deeper.
        present.set(SafetyCause::BreachAhead, false);
        present.set(SafetyCause::OverSpeed, fast || found.has(SafetyCause::OverSpeed));
        (present, progress == EscapeProgress::Inside)
    }

    /// Lets motion pass, if the robot is armed and nothing has engaged the fence since it was seen at `generation`.
    pub(crate) fn open_fence(&self, generation: u64) -> bool {
        let mut control = self.control();
        // Under the lock: a step that disarms comes wholly before the release or engages the fence after it.
        let opened = control.safety.is_armed() && self.fence.release(generation).is_some();
        control.first_motion |= opened;
        opened
    }

    /// Tells the robot to end its motion, without a latch.
    pub fn hold(&self, now: Instant) {
        // Under the lock: the acknowledgement cannot come before its number is noted.
        let mut control = self.control();
        let hold_id = self.link.hold();
        control.told_to_hold(hold_id, now);
        if self.manifest.gate == GateKind::None {
            // Without a gate there is no acknowledgement; the robot's standstill is what counts.
            control.told_acknowledged(hold_id);
        }
    }

    /// Times that the robot may take to acknowledge, and to stop from its highest speed.
    pub(crate) fn stop_times(&self) -> StopTimes {
        let stop = &self.manifest.stop;
        // Full speed lasts through the reaction time; from there v / a is the time of constant braking.
        let stopping_s = stop.reaction_s + self.manifest.limits.speed_mps_max / stop.decel_mps2;
        StopTimes { ack: Duration::from_millis(stop.ack_ms.into()), stopping: Duration::from_secs_f64(stopping_s) }
    }

    /// The state of the link to the robot. Without a gate of its own its state samples are all there is.
    #[must_use]
    pub fn link_state(&self, now: Instant) -> LinkState {
        let last = match self.manifest.gate {
            GateKind::Reference => self.control().beats.last_answer,
            GateKind::Vendor | GateKind::None => self.measurements().last_heard,
        };
        control::link_state(last, &self.settings, now)
    }

    /// When its gate last answered a beat.
    #[must_use]
    pub fn last_beat(&self) -> Option<Instant> {
        self.control().beats.last_answer
    }

    /// True while its gate listens to the station, whatever it answers.
    #[must_use]
    pub fn gate_is_connected(&self) -> bool {
        self.link.is_listened_to()
    }

    /// The need for a living screen while it moves: as set in this run, else as in its manifest.
    #[must_use]
    pub fn supervision(&self) -> Supervision {
        self.control().supervision.unwrap_or(self.manifest.supervision)
    }

    /// The state word.
    #[must_use]
    pub fn state(&self) -> State {
        let control = self.control();
        control.lockout.shown(control.safety.state())
    }

    /// The holder of control: a pendant, or a lost link, comes before what the station has decided.
    #[must_use]
    pub fn holder(&self, now: Instant) -> Holder {
        self.control_row(now).holder
    }

    /// The holder of control, and the request for it.
    pub(crate) fn control_row(&self, now: Instant) -> ControlRow {
        let link_lost = self.link_state(now) == LinkState::Lost;
        let control = self.control();
        let holder = control.holder.seen(link_lost, control.beats.local);
        ControlRow { robot: self.id().clone(), holder, request: control.request.clone() }
    }

    /// The row of `list_robots`.
    #[must_use]
    pub fn row(&self, now: Instant) -> RobotRow {
        let manifest = &self.manifest;
        let mut frames: Vec<_> =
            manifest.frames.iter().flat_map(|frame| [frame.parent.clone(), frame.child.clone()]).collect();
        frames.push(manifest.default_frame.clone());
        frames.sort();
        frames.dedup();
        let rtt_ms = self.control().beats.rtt_ms_median();
        RobotRow {
            id: manifest.id.to_string(),
            site: manifest.site.to_string(),
            simulated: self.simulated,
            state: self.state(),
            control: self.holder(now),
            default_frame: manifest.default_frame.to_string(),
            frames,
            transforms: self.transform_rows(),
            actuators: manifest.actuators.iter().map(ActuatorRow::from).collect(),
            cameras: self.manifest.cameras.iter().map(CameraRow::from).collect(),
            has_map: self.manifest.map.is_some(),
            pose: self.measurements().pose.last_known().map(|pose| pose_row(pose, now)),
            limits: Some(LimitsRow {
                speed_mps_max: manifest.limits.speed_mps_max,
                force_n_max: manifest.limits.force_n_max,
            }),
            body_radius_m: manifest.body.bounding_radius_m,
            link: self.link_state(now),
            rtt_ms,
            hardware_estop: manifest.hardware_estop.clone(),
            stop_behaviour: manifest.stop.behaviour.into(),
            errors: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn transform_rows(&self) -> Vec<TransformRow> {
        self.manifest
            .frames
            .iter()
            .map(|frame| TransformRow {
                parent: frame.parent.clone(),
                child: frame.child.clone(),
                translation_m: frame.translation_m,
                rotation_xyzw: frame.rotation_xyzw.xyzw(),
            })
            .collect()
    }

    /// Age after which a pose counts for nothing, milliseconds.
    #[must_use]
    pub fn pose_max_age_ms(&self) -> u64 {
        // Without a source every pose is too old.
        self.manifest.state_source(StateKind::Pose).map_or(0, |source| source.max_age_ms)
    }
}

fn pose_row(pose: &Measured<Pose>, now: Instant) -> PoseRow {
    PoseRow {
        frame: pose.value.frame.clone(),
        position_m: pose.value.position_m,
        orientation: pose.value.orientation.map(robot::UnitQuaternion::xyzw),
        age_ms: now.ms_since(pose.observed),
    }
}
