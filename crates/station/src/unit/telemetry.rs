//! What a robot says: state samples, answers to beats, acknowledgements. Runs on Zenoh's receive thread, so it only
//! decodes, stores and reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use bridge::envelope::{Status, Subject};
use bridge::signing::SignedSample;
use bridge::{Misheard, state};
use robot::{Codec, Instant, Sample, StateKind, StateSource, StationId};
use safety::Measured;
use safety::machine::{CauseSet, SafetyCause};
use safety::monitor::{PoseSource, StateSample};

use crate::StartError;
use crate::station::Station;
use crate::supervision;
use crate::unit::writers::Writers;
use crate::unit::{Measurements, RobotUnit};
use crate::wire::{AgeBasis, PoseValue, Signal, SignalOrigin, SignalValue};

/// Battery and other status values are shown as stale after this, milliseconds.
const STATUS_MAX_AGE_MS: u64 = 3_000;

/// Declares everything the station hears from `unit`.
pub(crate) async fn listen(station: &Arc<Station>, unit: &Arc<RobotUnit>) -> Result<(), StartError> {
    for (place, spec) in unit.manifest.state.iter().enumerate() {
        let (station_in, unit_in) = (Arc::downgrade(station), Arc::downgrade(unit));
        let source = Source::new(unit, place, spec);
        let (key, writers) = (spec.key.clone(), Writers::default());
        let subscription = station
            .link
            .subscribe_signed(&key, move |message| {
                if let (Some(station), Some(unit)) = (station_in.upgrade(), unit_in.upgrade())
                    && writers.admit(&station, &unit, &message)
                {
                    on_state(&station, &unit, &source, &message.sample);
                }
            })
            .await?;
        unit.keep(subscription);
    }
    let keys = bridge::RobotKeys::new(&unit.manifest);
    let battery_key = format!("{}/{}/out/state/battery", unit.manifest.site, unit.id());
    for (key, handle) in [
        (keys.beat_answer(), on_beat_answer as fn(&Arc<Station>, &Arc<RobotUnit>, &Writers, &SignedSample)),
        (keys.ack(), on_ack),
        (battery_key, on_battery),
    ] {
        let (station_in, unit_in) = (Arc::downgrade(station), Arc::downgrade(unit));
        let writers = Writers::default();
        let subscription = station
            .link
            .subscribe_signed(&key, move |message| {
                if let (Some(station), Some(unit)) = (station_in.upgrade(), unit_in.upgrade()) {
                    handle(&station, &unit, &writers, &message);
                }
            })
            .await?;
        unit.keep(subscription);
    }
    Ok(())
}

/// A declared source, and the newest stamp it has given.
struct Source {
    /// Its place in the manifest.
    place: usize,
    spec: StateSource,
    /// The first of its kind, whose values commands are judged by.
    is_first: bool,
    /// Unix milliseconds.
    newest_stamp_ms: AtomicI64,
}

impl Source {
    fn new(unit: &RobotUnit, place: usize, spec: &StateSource) -> Self {
        let is_first = unit.manifest.state.iter().position(|other| other.kind == spec.kind) == Some(place);
        Self { place, spec: spec.clone(), is_first, newest_stamp_ms: AtomicI64::new(i64::MIN) }
    }

    /// When what it said was true; `None`, which is counted, if it says nothing about now: its stamp is too old, or is the
    /// one it gave before.
    fn observed(&self, station: &Station, unit: &RobotUnit, sample: &Sample, stamp_ms: Option<i64>) -> Option<Instant> {
        let repeated =
            stamp_ms.is_some_and(|stamp_ms| self.newest_stamp_ms.swap(stamp_ms, Ordering::AcqRel) == stamp_ms);
        let ages = ages(station, unit, &self.spec, sample);
        let observed = observed_at(sample, stamp_ms, &ages).filter(|_| !repeated);
        if observed.is_none() {
            station.rejects.note_old(unit.id(), name_of(self.spec.kind));
        }
        observed
    }

    /// Keeps what it said.
    fn keep(&self, unit: &RobotUnit, (observed, received): (Instant, Instant), change: impl Fn(&mut Measurements)) {
        unit.measure(|measured| {
            measured.heard.note(self.place, observed);
            measured.last_heard = Some(received);
            change(measured);
        });
    }
}

/// The name of a source in the counts of refused samples.
const fn name_of(kind: StateKind) -> &'static str {
    match kind {
        StateKind::Pose => "pose",
        StateKind::Velocity => "velocity",
        StateKind::Joints => "joints",
        StateKind::Force => "force",
        StateKind::Frame => "frame",
    }
}

fn on_state(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    match source.spec.kind {
        StateKind::Pose => on_pose(station, unit, source, sample),
        StateKind::Velocity => on_velocity(station, unit, source, sample),
        StateKind::Force => on_force(station, unit, source, sample),
        StateKind::Joints => on_joints(station, unit, source, sample),
        StateKind::Frame => on_frame(station, unit, source, sample),
    }
    station.commands.see(unit.id(), || station.sight(unit));
    supervision::step(station, unit, CauseSet::EMPTY, None);
}

fn on_pose(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    let pose = match state::decode_pose(sample, source.spec.codec) {
        Ok(pose) => pose,
        Err(reason) => return station.rejects.note(unit.id(), "pose", reason),
    };
    let Some(observed) = source.observed(station, unit, sample, pose.stamp_ms) else { return };
    let basis = if pose.stamp_ms.is_some() { AgeBasis::Source } else { AgeBasis::Received };
    let measured = Measured { value: pose.value.clone(), observed };
    let which = if source.is_first { PoseSource::First } else { PoseSource::Second };
    unit.watch(StateSample::Pose(which, &measured, &unit.measurements().transforms), sample.received);
    if !source.is_first {
        return source.keep(unit, (observed, sample.received), |_| {});
    }
    let shown_mps = unit.shown_speed_mps(sample.received);
    source.keep(unit, (observed, sample.received), |known| {
        known.pose.renew(measured.clone());
        known.shown_mps = shown_mps.clone();
    });
    let pose = pose.value;
    let orientation = pose.orientation.map(robot::UnitQuaternion::xyzw);
    let value = SignalValue::Pose(PoseValue { frame: pose.frame, position_m: pose.position_m, orientation });
    station.hub.signal(signal(unit, "pose", sample, (value, None, basis), observed, source.spec.max_age_ms));
}

fn on_velocity(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    let velocity = match state::decode_velocity(sample, source.spec.codec) {
        Ok(velocity) => velocity,
        Err(reason) => return station.rejects.note(unit.id(), "velocity", reason),
    };
    let Some(observed) = source.observed(station, unit, sample, velocity.stamp_ms) else { return };
    let speed_mps = velocity.value.speed_mps();
    let linear_mps = Measured { value: velocity.value.linear_mps, observed };
    unit.watch(StateSample::Velocity(&linear_mps), sample.received);
    if !source.is_first {
        return source.keep(unit, (observed, sample.received), |_| {});
    }
    source.keep(unit, (observed, sample.received), |known| {
        known.speed_mps.renew(Measured { value: speed_mps, observed });
    });
    station.stops.note_speed(station, unit, speed_mps);
    station.commands.see_speed(unit.id(), &unit.limits.load(), speed_mps);
    let value = (SignalValue::Number(speed_mps), Some("m/s"), AgeBasis::Received);
    station.hub.signal(signal(unit, "speed", sample, value, observed, source.spec.max_age_ms));
}

fn on_force(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    let force = match state::decode_force(sample, source.spec.codec) {
        Ok(force) => force,
        Err(reason) => return station.rejects.note(unit.id(), "force", reason),
    };
    let Some(observed) = source.observed(station, unit, sample, force.stamp_ms) else { return };
    unit.watch(StateSample::Force(&Measured { value: force.value, observed }), sample.received);
    source.keep(unit, (observed, sample.received), |_| {});
}

fn on_joints(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    let joints = match state::decode_joints(sample, source.spec.codec) {
        Ok(joints) => joints,
        Err(reason) => return station.rejects.note(unit.id(), "joints", reason),
    };
    let Some(observed) = source.observed(station, unit, sample, joints.stamp_ms) else { return };
    let joints = Measured { value: joints.value, observed };
    unit.watch(StateSample::Joints(&joints), sample.received);
    source.keep(unit, (observed, sample.received), |known| {
        if source.is_first {
            known.joints.renew(joints.clone());
        }
    });
}

fn on_frame(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &Source, sample: &Sample) {
    let frame = match state::decode_frame(sample, source.spec.codec, source.spec.max_age_ms) {
        Ok(frame) => frame,
        Err(reason) => return station.rejects.note(unit.id(), "frame", reason),
    };
    let Some(observed) = source.observed(station, unit, sample, frame.stamp_ms) else { return };
    let transform = Measured { value: frame.value, observed };
    let sources = unit.manifest.state.iter().filter(|source| source.kind == StateKind::Frame).count();
    source.keep(unit, (observed, sample.received), |known| known.keep_transform(transform.clone(), sources));
}

fn on_battery(station: &Arc<Station>, unit: &Arc<RobotUnit>, writers: &Writers, message: &SignedSample) {
    if !writers.admit(station, unit, message) {
        return;
    }
    let sample = &message.sample;
    match state::decode_battery(sample, Codec::Auto) {
        Ok(percent) => {
            let value = (SignalValue::Number(percent.value), Some("%"), AgeBasis::Received);
            station.hub.signal(signal(unit, "battery", sample, value, sample.received, STATUS_MAX_AGE_MS));
        }
        Err(reason) => station.rejects.note(unit.id(), "battery", reason),
    }
}

fn on_beat_answer(station: &Arc<Station>, unit: &Arc<RobotUnit>, writers: &Writers, message: &SignedSample) {
    let answer = match unit.link.hear_beat_answer(message) {
        Ok(answer) => answer,
        Err(misheard) => return on_misheard(station, unit, writers, (misheard, message)),
    };
    if !unit.link.note_beat_answer(&answer) {
        return;
    }
    station.commands.see_speed(unit.id(), &unit.limits.load(), answer.speed_mps);
    let changes = unit.control().beats.answered(&answer, message.sample.received);
    if let Some(speed_mps) = &changes.speed_mps {
        unit.watch(StateSample::GateSpeed(speed_mps), message.sample.received);
    }
    if changes.restarted {
        station.note_steps(station.commands.gate_restarted(unit.id()));
        gate_fault(station, unit);
    }
    if let Some(other) = changes.claimed_by.filter(|claimant| *claimant != station.id) {
        let sentence = format!("{} was claimed by {other}.", unit.id());
        station.alarms.note_forged(unit.id(), sentence.clone());
        station.hub.event("foreign_claim", sentence);
    }
    for stop in changes.stops {
        crate::stops::take_over(station, unit, stop);
    }
}

fn on_ack(station: &Arc<Station>, unit: &Arc<RobotUnit>, writers: &Writers, message: &SignedSample) {
    match unit.link.hear_ack(message) {
        Ok(ack) => {
            station.note_ack(unit, &ack, message.sample.received);
            if let (Subject::Hold { station: other, .. }, Status::Received) = (&ack.subject, ack.status)
                && *other != station.id
            {
                held_elsewhere(station, unit, other);
            }
        }
        Err(misheard) => on_misheard(station, unit, writers, (misheard, message)),
    }
}

/// Another desk has ended the motion of `unit`: here it is held as well, and says why.
fn held_elsewhere(station: &Arc<Station>, unit: &Arc<RobotUnit>, other: &StationId) {
    let held = [SafetyCause::HoldRequested].into_iter().collect();
    supervision::step(station, unit, held, None);
    station.hub.event("held_elsewhere", format!("{} was told to hold by {other}.", unit.id()));
}

/// Whoever spoke on the keys of the gate was not the gate, or the gate is out of order. Only what the robot has signed is
/// held against it: anybody can put the rest there, and must not stop it with that.
fn on_misheard(
    station: &Arc<Station>,
    unit: &Arc<RobotUnit>,
    writers: &Writers,
    (misheard, message): (Misheard, &SignedSample),
) {
    let is_told = station.rejects.note_misheard(unit.id(), misheard);
    match misheard {
        Misheard::BadSignature | Misheard::Unattributed => writers.refused(station, unit, message),
        Misheard::OtherRobot => {
            let sentence = format!("What {} signs speaks for another robot.", unit.id());
            station.alarms.note_forged(unit.id(), sentence.clone());
            if is_told {
                station.hub.event("identity_disagreement", sentence);
            }
            supervision::step(station, unit, [SafetyCause::IdentityMismatch].into_iter().collect(), None);
        }
        Misheard::Schema => {
            let sentence = format!("The gate of {} signs what is no message.", unit.id());
            station.alarms.note_forged(unit.id(), sentence);
            gate_fault(station, unit);
        }
    }
}

fn gate_fault(station: &Arc<Station>, unit: &Arc<RobotUnit>) {
    supervision::step(station, unit, [SafetyCause::RobotGateFault].into_iter().collect(), None);
}

/// What stamps are taken for good, and by which clocks.
struct Ages {
    max_ms: u64,
    /// How far a stamp may be ahead of its arrival before it counts as wrong.
    ahead_ms: u32,
    /// The arrival by a wall clock that nobody sets, Unix milliseconds.
    steady_ms: i64,
    /// Only a stamp tells a signed sample from a recorded one, so a robot that signs must stamp.
    stamped: bool,
}

fn ages(station: &Station, unit: &RobotUnit, source: &StateSource, sample: &Sample) -> Ages {
    Ages {
        max_ms: source.max_age_ms,
        ahead_ms: unit.settings.future_stamp_ms,
        steady_ms: station.clock.steady_wall_ms(sample.received),
        stamped: unit.link.signs(),
    }
}

/// When a sample's value was true: its own stamp, or its arrival if it has none or the stamp lies ahead. A sample
/// whose stamp is too old tells nothing about now and gives `None`. It is too old if it is so by the wall clock and by
/// the one that nobody sets: the robot may follow either, so a wall clock that jumps makes nothing stale.
fn observed_at(sample: &Sample, stamp_ms: Option<i64>, ages: &Ages) -> Option<Instant> {
    let Some(stamp_ms) = stamp_ms else { return (!ages.stamped).then_some(sample.received) };
    let arrivals_ms = [sample.received_ms, ages.steady_ms];
    let age_ms = arrivals_ms.map(|arrival_ms| arrival_ms.saturating_sub(stamp_ms));
    let credible = age_ms.into_iter().filter(|age_ms| *age_ms >= -i64::from(ages.ahead_ms));
    // Ahead by both clocks, it is wrong by both.
    let Some(age_ms) = credible.min() else { return Some(sample.received) };
    let age_ms = u64::try_from(age_ms).unwrap_or(0);
    (age_ms <= ages.max_ms).then(|| sample.received.minus(Duration::from_millis(age_ms)))
}

fn signal(
    unit: &RobotUnit,
    what: &str,
    sample: &Sample,
    (value, unit_of_value, age_basis): (SignalValue, Option<&str>, AgeBasis),
    observed: Instant,
    max_age_ms: u64,
) -> Signal {
    Signal {
        id: format!("robot/{}/{what}", unit.id()),
        source: sample.key_expr.to_string(),
        value,
        unit: unit_of_value.map(str::to_owned),
        confidence: None,
        observed_mono_ms: observed.mono_ms(),
        max_age_ms,
        age_basis,
        origin: SignalOrigin::Measured,
        source_lost: false,
        simulated: unit.simulated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: Ages = Ages { max_ms: 500, ahead_ms: 100, steady_ms: 1_000_000, stamped: false };

    fn sample(received_ms: i64) -> Sample {
        Sample {
            key_expr: "lab/arm-1/out/state/pose".into(),
            encoding: "".into(),
            payload: Arc::from(&b""[..]),
            stamp_ms: None,
            received: Instant::from_millis(10_000),
            received_ms,
            n: 0,
        }
    }

    #[test]
    fn t2_an_old_stamp_never_refreshes_what_is_known_and_one_from_the_future_counts_from_its_arrival() {
        assert_eq!(observed_at(&sample(1_000_000), Some(999_400), &AGES), None);
        assert_eq!(observed_at(&sample(1_000_000), Some(999_900), &AGES), Some(Instant::from_millis(9_900)));
        assert_eq!(observed_at(&sample(1_000_000), None, &AGES), Some(Instant::from_millis(10_000)));
        let signed = Ages { stamped: true, ..AGES };
        assert_eq!(observed_at(&sample(1_000_000), None, &signed), None, "it could be a recorded one");
        assert_eq!(observed_at(&sample(1_000_000), Some(1_600_000), &AGES), Some(Instant::from_millis(10_000)));
    }

    #[test]
    fn t3_a_wall_clock_that_jumps_an_hour_or_a_leap_second_makes_nothing_stale() {
        let (before_ms, received) = (1_000_000_i64, Instant::from_millis(10_000));
        for jump_ms in [3_600_000, -3_600_000, 1_000, -1_000] {
            let arrives = sample(before_ms + jump_ms);
            // A robot with a clock of its own, and one that jumps together with the station.
            for stamp_ms in [before_ms, before_ms + jump_ms] {
                assert_eq!(observed_at(&arrives, Some(stamp_ms), &AGES), Some(received), "{jump_ms} {stamp_ms}");
            }
            let old_ms = before_ms.min(before_ms + jump_ms) - 501;
            assert_eq!(observed_at(&arrives, Some(old_ms), &AGES), None, "{jump_ms}: old by both clocks");
        }
    }
}
