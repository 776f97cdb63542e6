//! Telemetry of a robot: state samples, answers to beats, acknowledgements. Runs on Zenoh's receive thread, so it only
//! decodes, stores and reports.

mod signed;
mod writers;

use std::sync::Arc;

use bridge::envelope::{Status, StoppedBy, Subject};
use bridge::signing::SignedSample;
use bridge::{MessageError, state};
use robot::{Codec, Instant, Sample, StateKind, StateSource, StationId};
use safety::JointPositions;
use safety::Measured;
use safety::machine::{CauseSet, SafetyCause};
use safety::monitor::{PoseSource, StateSample};

use crate::fleet::Fleet;
use crate::fleet::FleetError;
use crate::state::robot_handle::{Measurements, RobotHandle};
use crate::supervision;
use runtime::stamps::{NotNew, STATUS_MAX_AGE_MS, Stamps};
use runtime::wire::{AgeBasis, JointRow, PoseValue, Signal, SignalValue, ValueOrigin, word};
use signed::ages_of;
use writers::Writers;

/// Declares everything the station hears from `unit`.
pub async fn listen(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) -> Result<(), FleetError> {
    for (place, spec) in unit.manifest.state.iter().enumerate() {
        let source = Source::new(unit, place, spec);
        hear(fleet, unit, &spec.key, move |fleet, unit, writers, message| {
            if writers.admit(fleet, unit, message) {
                on_state(fleet, unit, &source, &message.sample);
            }
        })
        .await?;
    }
    let keys = bridge::RobotKeys::new(&unit.manifest);
    hear(fleet, unit, &keys.beat_answer(), on_beat_answer).await?;
    hear(fleet, unit, &keys.ack(), on_ack).await?;
    hear(fleet, unit, &keys.gate(), on_gate_report).await?;
    // The charge is only shown and decides nothing, so the manifest need not declare it.
    let (battery, stamps) = (keys.battery(), Stamps::default());
    hear(fleet, unit, &battery, move |fleet, unit, writers, message| {
        if writers.admit(fleet, unit, message) {
            on_battery(fleet, unit, &stamps, &message.sample);
        }
    })
    .await
}

/// Hands what comes on `key` to `handle` for as long as station and robot are there.
async fn hear(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    key: &str,
    handle: impl Fn(&Arc<Fleet>, &Arc<RobotHandle>, &Writers, &SignedSample) + Send + Sync + 'static,
) -> Result<(), FleetError> {
    // Weak: the robot keeps its subscriptions, and one that kept the robot would never let it leave.
    let (station_in, unit_in) = (Arc::downgrade(fleet), Arc::downgrade(unit));
    let writers = Writers::default();
    let on_message = move |message| {
        if let (Some(fleet), Some(unit)) = (station_in.upgrade(), unit_in.upgrade()) {
            handle(&fleet, &unit, &writers, &message);
        }
    };
    unit.keep(fleet.runtime.link.subscribe_signed(key, on_message).await?);
    Ok(())
}

/// A declared source, and the stamps that were taken of it.
struct Source {
    /// Its place in the manifest.
    place: usize,
    spec: StateSource,
    /// The first of its kind, whose values commands are judged by.
    is_first: bool,
    stamps: Stamps,
}

impl Source {
    fn new(unit: &RobotHandle, place: usize, spec: &StateSource) -> Self {
        let is_first = unit.manifest.state.iter().position(|other| other.kind == spec.kind) == Some(place);
        Self { place, spec: spec.clone(), is_first, stamps: Stamps::default() }
    }

    /// When what it said was true; `None`, which is counted, if it says nothing about now.
    fn observed(&self, fleet: &Fleet, unit: &RobotHandle, sample: &Sample, stamp_ms: Option<i64>) -> Option<Instant> {
        let ages = ages_of(fleet, unit, self.spec.max_age_ms, sample);
        let observed = self.stamps.observed(&unit.stamps, sample, stamp_ms, &ages);
        observed.map_err(|why| fleet.rejects.note_old(unit.id(), &word(&self.spec.kind), why)).ok()
    }

    /// Keeps what it said.
    fn keep(&self, unit: &RobotHandle, observed: Instant, received: Instant, change: impl Fn(&mut Measurements)) {
        unit.measure(|measured| {
            measured.heard.note(self.place, observed);
            measured.last_heard = Some(received);
            change(measured);
        });
    }
}

fn on_state(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    match source.spec.kind {
        StateKind::Pose => on_pose(fleet, unit, source, sample),
        StateKind::Velocity => on_velocity(fleet, unit, source, sample),
        StateKind::Force => on_force(fleet, unit, source, sample),
        StateKind::Joints => on_joints(fleet, unit, source, sample),
        StateKind::Frame => on_frame(fleet, unit, source, sample),
    }
    fleet.commands.see(unit.id(), || fleet.sight(unit));
    // On every sample and not at the next sweep: a breach is answered when it is seen.
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
}

fn on_pose(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    let pose = match state::decode_pose(sample, source.spec.codec) {
        Ok(pose) => pose,
        Err(reason) => return fleet.rejects.note(unit.id(), "pose", reason),
    };
    let Some(observed) = source.observed(fleet, unit, sample, pose.stamp_ms) else { return };
    let basis = if pose.stamp_ms.is_some() { AgeBasis::Source } else { AgeBasis::Received };
    let measured = Measured { value: pose.value.clone(), observed };
    let which = if source.is_first { PoseSource::First } else { PoseSource::Second };
    unit.watch(StateSample::Pose(which, &measured, &unit.measurements().transforms), sample.received);
    if !source.is_first {
        // A second source can only refute the first: it is compared
        // by the monitor, and commands are not judged by it.
        return source.keep(unit, observed, sample.received, |_| {});
    }
    let shown_mps = unit.shown_speed_mps(sample.received);
    source.keep(unit, observed, sample.received, |known| {
        known.pose.renew(measured.clone());
        known.shown_mps = shown_mps.clone();
    });
    let pose = pose.value;
    let orientation = pose.orientation.map(robot::UnitQuaternion::xyzw);
    let value = SignalValue::Pose(PoseValue { frame: pose.frame, position_m: pose.position_m, orientation });
    let shown = MeasuredValue { value, unit: None, age_basis: basis, observed, max_age_ms: source.spec.max_age_ms };
    fleet.runtime.bus.signal(signal(unit, "pose", sample, shown));
}

fn on_velocity(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    let velocity = match state::decode_velocity(sample, source.spec.codec) {
        Ok(velocity) => velocity,
        Err(reason) => return fleet.rejects.note(unit.id(), "velocity", reason),
    };
    let Some(observed) = source.observed(fleet, unit, sample, velocity.stamp_ms) else { return };
    let linear_mps = Measured { value: velocity.value.linear_mps, observed };
    let fastest_mps = unit.fastest_mps(source.place, linear_mps, sample.received);
    unit.watch(StateSample::Velocity(&fastest_mps), sample.received);
    let angular_radps = Measured { value: velocity.value.angular_radps, observed };
    let turn = unit.fastest_radps(source.place, angular_radps, sample.received).length();
    unit.watch(StateSample::Turn(&turn), sample.received);
    let speed = fastest_mps.length();
    source.keep(unit, observed, sample.received, |known| {
        known.speed_mps = speed.clone().into();
        known.turn_radps = turn.clone().into();
    });
    let Measured { value: speed_mps, observed } = speed;
    // The fastest of all sources: one encoder at zero proves no standstill while another turns (decision 0091).
    fleet.stops.note_speed(fleet, unit, speed_mps, turn.value);
    fleet.commands.see_speed(unit.id(), &unit.limits.load(), speed_mps);
    if !source.is_first {
        return;
    }
    let shown = MeasuredValue::number(speed_mps, "m/s", observed, source.spec.max_age_ms);
    fleet.runtime.bus.signal(signal(unit, "speed", sample, shown));
}

fn on_force(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    let force = match state::decode_force(sample, source.spec.codec) {
        Ok(force) => force,
        Err(reason) => return fleet.rejects.note(unit.id(), "force", reason),
    };
    let Some(observed) = source.observed(fleet, unit, sample, force.stamp_ms) else { return };
    unit.watch(StateSample::Force(&Measured { value: force.value, observed }), sample.received);
    source.keep(unit, observed, sample.received, |_| {});
}

fn on_joints(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    let joints = match state::decode_joints(sample, source.spec.codec) {
        Ok(joints) => joints,
        Err(reason) => return fleet.rejects.note(unit.id(), "joints", reason),
    };
    let Some(observed) = source.observed(fleet, unit, sample, joints.stamp_ms) else { return };
    let joints = Measured { value: joints.value, observed };
    unit.watch(StateSample::Joints(&joints), sample.received);
    source.keep(unit, observed, sample.received, |known| {
        if source.is_first {
            known.joints.renew(joints.clone());
        }
    });
    if source.is_first {
        show_joints(fleet, unit, source, sample, &joints);
    }
}

/// Shows where the joints of the manifest are; others have no unit.
fn show_joints(fleet: &Fleet, unit: &RobotHandle, source: &Source, sample: &Sample, joints: &Measured<JointPositions>) {
    let specs = unit.manifest.actuators.iter().flat_map(|actuator| &actuator.joints);
    for spec in specs {
        let Some(position) = joints.value.of(&spec.name) else { continue };
        let shown =
            MeasuredValue::number(position, JointRow::unit_of(spec.motion), joints.observed, source.spec.max_age_ms);
        fleet.runtime.bus.signal(signal(unit, &format!("joint/{}", spec.name), sample, shown));
    }
}

fn on_frame(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, source: &Source, sample: &Sample) {
    let frame = match state::decode_frame(sample, source.spec.codec, source.spec.max_age_ms) {
        Ok(frame) => frame,
        Err(reason) => return fleet.rejects.note(unit.id(), "frame", reason),
    };
    let Some(observed) = source.observed(fleet, unit, sample, frame.stamp_ms) else { return };
    let transform = Measured { value: frame.value, observed };
    let sources = unit.manifest.state.iter().filter(|source| source.kind == StateKind::Frame).count();
    source.keep(unit, observed, sample.received, |known| known.keep_transform(transform.clone(), sources));
}

fn on_battery(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, stamps: &Stamps, sample: &Sample) {
    let percent = match state::decode_battery(sample, Codec::Auto) {
        Ok(percent) => percent,
        Err(reason) => return fleet.rejects.note(unit.id(), "battery", reason),
    };
    let ages = ages_of(fleet, unit, STATUS_MAX_AGE_MS, sample);
    let observed = match stamps.observed(&unit.stamps, sample, percent.stamp_ms, &ages) {
        Ok(observed) => observed,
        Err(why) => return fleet.rejects.note_old(unit.id(), "battery", why),
    };
    let shown = MeasuredValue::number(percent.value, "%", observed, STATUS_MAX_AGE_MS);
    fleet.runtime.bus.signal(signal(unit, "battery", sample, shown));
}

fn on_beat_answer(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, writers: &Writers, message: &SignedSample) {
    let answer = match unit.link.hear_beat_answer(message) {
        Ok(answer) => answer,
        Err(error) => return on_misheard(fleet, unit, writers, error, message),
    };
    if !unit.link.note_beat_answer(&answer) {
        // Answers to other stations come on the same key and are no error.
        if answer.station == fleet.runtime.id {
            fleet.rejects.note_old(unit.id(), "beat", NotNew::Repeated);
        }
        return;
    }
    if let Some(speed) = answer.speed {
        fleet.commands.see_speed(unit.id(), &unit.limits.load(), speed.mps);
    }
    let changes = unit.control().beats.answered(&answer, message.sample.received);
    if let Some(speed_mps) = &changes.speed_mps {
        unit.watch(StateSample::GateSpeed(speed_mps), message.sample.received);
    }
    if changes.restarted {
        // A gate that was started anew has forgotten its motions, and the robot's motion meanwhile is unknown.
        fleet.note_steps(fleet.commands.gate_restarted(unit.id()));
        gate_fault(fleet, unit);
    }
    if let Some(other) = changes.claimed_by.filter(|claimant| *claimant != fleet.runtime.id) {
        let sentence = format!("{} was claimed by {other}.", unit.id());
        fleet.observer.note_forged(unit.id(), sentence.clone());
        fleet.runtime.bus.event("foreign_claim", sentence);
    }
    for stop in changes.stops {
        if let StoppedBy::Fault(fault) = &stop.by {
            let sentence = format!("The gate of {} has stopped it: {}.", unit.id(), fault.clause());
            fleet.runtime.bus.event("gate_fault", sentence);
            gate_fault(fleet, unit);
        }
        crate::stops::take_over(fleet, unit, stop);
    }
}

fn on_ack(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, writers: &Writers, message: &SignedSample) {
    match unit.link.hear_ack(message) {
        Ok(ack) => {
            fleet.note_ack(unit, &ack, message.sample.received);
            if let (Subject::Hold { station: other, .. }, Status::Received) = (&ack.subject, ack.status)
                // A hold needs no signature, so anybody can send one under
                // this station's id; people have to see why it stands.
                && (*other != fleet.runtime.id || !unit.control().was_told_to_end())
            {
                held_elsewhere(fleet, unit, other);
            }
        }
        Err(error) => on_misheard(fleet, unit, writers, error, message),
    }
}

fn on_gate_report(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, writers: &Writers, message: &SignedSample) {
    let report = match unit.link.hear_gate_report(message) {
        Ok(report) => report,
        Err(error) => return on_misheard(fleet, unit, writers, error, message),
    };
    let mut control = unit.control();
    if control.gate_report.as_ref().is_none_or(|last| report.is_newer_than(last)) {
        control.gate_report = Some(report);
    } else {
        // The counters write to the log, which must not happen under the robot's lock.
        drop(control);
        fleet.rejects.note_old(unit.id(), "gate", NotNew::Repeated);
    }
}

/// Another desk has ended the motion of `unit`: here it is held as well, and says why.
fn held_elsewhere(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, other: &StationId) {
    let held = [SafetyCause::HoldRequested].into_iter().collect();
    supervision::step(fleet, unit, held, None);
    let by = if *other == fleet.runtime.id { "somebody in the name of this station" } else { other.as_str() };
    fleet.runtime.bus.event("held_elsewhere", format!("{} was told to hold by {by}.", unit.id()));
}

/// Whoever spoke on the keys of the gate was not the gate, or the gate is out of order. Only what the robot has signed
/// is held against it: anybody can put the rest there, and must not stop it with that.
fn on_misheard(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    writers: &Writers,
    error: MessageError,
    message: &SignedSample,
) {
    let is_told = fleet.rejects.note_misheard(unit.id(), error);
    match error {
        MessageError::BadSignature | MessageError::Unattributed => writers.refused(fleet, unit, message),
        // Signed with this robot's key in the name of another: one of the two is not the robot it should be.
        MessageError::OtherRobot => {
            let sentence = format!("What {} signs speaks for another robot.", unit.id());
            fleet.observer.note_forged(unit.id(), sentence.clone());
            if is_told {
                fleet.runtime.bus.event("identity_disagreement", sentence);
            }
            supervision::step(fleet, unit, [SafetyCause::IdentityMismatch].into_iter().collect(), None);
        }
        MessageError::Schema => {
            let sentence = format!("The gate of {} signs what is no message.", unit.id());
            fleet.observer.note_forged(unit.id(), sentence);
            gate_fault(fleet, unit);
        }
    }
}

fn gate_fault(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>) {
    supervision::step(fleet, unit, [SafetyCause::RobotGateFault].into_iter().collect(), None);
}

/// A measured value as screens show it.
struct MeasuredValue {
    value: SignalValue,
    unit: Option<&'static str>,
    age_basis: AgeBasis,
    observed: Instant,
    max_age_ms: u64,
}

impl MeasuredValue {
    /// A number whose age counts from when it was received.
    const fn number(value: f64, unit: &'static str, observed: Instant, max_age_ms: u64) -> Self {
        let (value, unit) = (SignalValue::Number(value), Some(unit));
        Self { value, unit, age_basis: AgeBasis::Received, observed, max_age_ms }
    }
}

fn signal(unit: &RobotHandle, what: &str, sample: &Sample, shown: MeasuredValue) -> Signal {
    Signal {
        id: format!("robot/{}/{what}", unit.id()),
        source: sample.key_expr.to_string(),
        value: shown.value,
        unit: shown.unit.map(str::to_owned),
        confidence: None,
        observed_mono_ms: shown.observed.mono_ms(),
        max_age_ms: shown.max_age_ms,
        age_basis: shown.age_basis,
        origin: ValueOrigin::Measured,
        source_lost: false,
        simulated: unit.simulated,
    }
}
