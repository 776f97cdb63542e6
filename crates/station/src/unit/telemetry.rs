//! What a robot says: state samples, answers to beats, acknowledgements. Runs on Zenoh's receive thread, so it only
//! decodes, stores and reports.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridge::envelope::{Status, Subject};
use bridge::signing::SignedSample;
use bridge::{Misheard, state};
use robot::{Codec, Instant, Sample, StateKind, StateSource, StationId};
use safety::Measured;
use safety::machine::{CauseSet, SafetyCause};
use safety::monitor::{PoseSource, StateSample};

use crate::StartError;
use crate::lock::lock;
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
        let source = Source::new(unit, place, spec);
        hear(station, unit, &spec.key, move |station, unit, writers, message| {
            if writers.admit(station, unit, message) {
                on_state(station, unit, &source, &message.sample);
            }
        })
        .await?;
    }
    let keys = bridge::RobotKeys::new(&unit.manifest);
    hear(station, unit, &keys.beat_answer(), on_beat_answer).await?;
    hear(station, unit, &keys.ack(), on_ack).await?;
    let (battery, stamps) = (keys.battery(), Stamps::default());
    hear(station, unit, &battery, move |station, unit, writers, message| {
        if writers.admit(station, unit, message) {
            on_battery(station, unit, &stamps, &message.sample);
        }
    })
    .await
}

/// Hands what comes on `key` to `handle` for as long as station and robot are there.
async fn hear(
    station: &Arc<Station>,
    unit: &Arc<RobotUnit>,
    key: &str,
    handle: impl Fn(&Arc<Station>, &Arc<RobotUnit>, &Writers, &SignedSample) + Send + Sync + 'static,
) -> Result<(), StartError> {
    let (station_in, unit_in) = (Arc::downgrade(station), Arc::downgrade(unit));
    let writers = Writers::default();
    let on_message = move |message| {
        if let (Some(station), Some(unit)) = (station_in.upgrade(), unit_in.upgrade()) {
            handle(&station, &unit, &writers, &message);
        }
    };
    unit.keep(station.link.subscribe_signed(key, on_message).await?);
    Ok(())
}

/// A declared source, and the stamps it has given.
struct Source {
    /// Its place in the manifest.
    place: usize,
    spec: StateSource,
    /// The first of its kind, whose values commands are judged by.
    is_first: bool,
    stamps: Stamps,
}

impl Source {
    fn new(unit: &RobotUnit, place: usize, spec: &StateSource) -> Self {
        let is_first = unit.manifest.state.iter().position(|other| other.kind == spec.kind) == Some(place);
        Self { place, spec: spec.clone(), is_first, stamps: Stamps::default() }
    }

    /// When what it said was true; `None`, which is counted, if it says nothing about now.
    fn observed(&self, station: &Station, unit: &RobotUnit, sample: &Sample, stamp_ms: Option<i64>) -> Option<Instant> {
        let ages = ages(station, unit, self.spec.max_age_ms, sample);
        let observed = self.stamps.observed(sample, stamp_ms, &ages);
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

/// The newest stamp of one key, Unix milliseconds, and the start of the robot's gate it belongs to.
#[derive(Debug, Default)]
struct Stamps {
    newest: Mutex<(Option<u64>, Option<i64>)>,
}

impl Stamps {
    /// When a sample was true; `None` if it says nothing about now: its stamp is no good, or was there before. Whoever has
    /// recorded what a robot signed can put it again, so its stamps only rise. A gate that was started anew may have
    /// another clock, and says so under a nonce that nobody could record.
    fn observed(&self, sample: &Sample, stamp_ms: Option<i64>, ages: &Ages) -> Option<Instant> {
        let observed = observed_at(sample, stamp_ms, ages)?;
        let mut newest = lock(&self.newest);
        let known = newest.1.filter(|_| newest.0 == ages.boot);
        let is_new = stamp_ms.zip(known).is_none_or(
            |(stamp_ms, known)| {
                if ages.signed { stamp_ms > known } else { stamp_ms != known }
            },
        );
        if is_new {
            *newest = (ages.boot, stamp_ms);
        }
        is_new.then_some(observed)
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
    let linear_mps = Measured { value: velocity.value.linear_mps, observed };
    let fastest_mps = unit.fastest_mps(source.place, linear_mps, sample.received);
    unit.watch(StateSample::Velocity(&fastest_mps), sample.received);
    let speed = fastest_mps.speed_mps();
    source.keep(unit, (observed, sample.received), |known| known.speed_mps = speed.clone().into());
    let Measured { value: speed_mps, observed } = speed;
    station.stops.note_speed(station, unit, speed_mps);
    station.commands.see_speed(unit.id(), &unit.limits.load(), speed_mps);
    if !source.is_first {
        return;
    }
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

fn on_battery(station: &Arc<Station>, unit: &Arc<RobotUnit>, stamps: &Stamps, sample: &Sample) {
    let percent = match state::decode_battery(sample, Codec::Auto) {
        Ok(percent) => percent,
        Err(reason) => return station.rejects.note(unit.id(), "battery", reason),
    };
    let ages = ages(station, unit, STATUS_MAX_AGE_MS, sample);
    let Some(observed) = stamps.observed(sample, percent.stamp_ms, &ages) else {
        return station.rejects.note_old(unit.id(), "battery");
    };
    let value = (SignalValue::Number(percent.value), Some("%"), AgeBasis::Received);
    station.hub.signal(signal(unit, "battery", sample, value, observed, STATUS_MAX_AGE_MS));
}

fn on_beat_answer(station: &Arc<Station>, unit: &Arc<RobotUnit>, writers: &Writers, message: &SignedSample) {
    let answer = match unit.link.hear_beat_answer(message) {
        Ok(answer) => answer,
        Err(misheard) => return on_misheard(station, unit, writers, (misheard, message)),
    };
    if !unit.link.note_beat_answer(&answer) {
        // Other stations are answered on the same key.
        if answer.station == station.id {
            station.rejects.note_old(unit.id(), "beat");
        }
        return;
    }
    if let Some(speed) = answer.speed {
        station.commands.see_speed(unit.id(), &unit.limits.load(), speed.mps);
    }
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
                // Anybody may hold the robot in our name; what ends a motion here that we did not end shows why.
                && (*other != station.id || !unit.control().was_told_to_end())
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
    let by = if *other == station.id { "somebody in the name of this station" } else { other.as_str() };
    station.hub.event("held_elsewhere", format!("{} was told to hold by {by}.", unit.id()));
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
    signed: bool,
    /// The start of the robot's gate that it last told of.
    boot: Option<u64>,
}

fn ages(station: &Station, unit: &RobotUnit, max_ms: u64, sample: &Sample) -> Ages {
    Ages {
        max_ms,
        ahead_ms: unit.settings.future_stamp_ms,
        steady_ms: station.clock.steady_wall_ms(sample.received),
        signed: unit.link.signs(),
        boot: unit.control().beats.boot(),
    }
}

/// When a sample's value was true: its own stamp, or, unless its robot signs, its arrival if it has none or the stamp lies
/// ahead. A recording made while the robot's clock was ahead would otherwise be new until that time has come. A sample
/// whose stamp is too old tells nothing about now and gives `None`. It is too old if it is so by the wall clock and by
/// the one that nobody sets: the robot may follow either, so a wall clock that jumps makes nothing stale.
fn observed_at(sample: &Sample, stamp_ms: Option<i64>, ages: &Ages) -> Option<Instant> {
    let Some(stamp_ms) = stamp_ms else { return (!ages.signed).then_some(sample.received) };
    let arrivals_ms = [sample.received_ms, ages.steady_ms];
    let age_ms = arrivals_ms.map(|arrival_ms| arrival_ms.saturating_sub(stamp_ms));
    let credible = age_ms.into_iter().filter(|age_ms| *age_ms >= -i64::from(ages.ahead_ms));
    // Ahead by both clocks, it is wrong by both.
    let Some(age_ms) = credible.min() else { return (!ages.signed).then_some(sample.received) };
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

    const AGES: Ages = Ages { max_ms: 500, ahead_ms: 100, steady_ms: 1_000_000, signed: false, boot: None };

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
        let signed = Ages { signed: true, ..AGES };
        assert_eq!(observed_at(&sample(1_000_000), None, &signed), None, "it could be a recorded one");
        assert_eq!(observed_at(&sample(1_000_000), Some(1_600_000), &AGES), Some(Instant::from_millis(10_000)));
        assert_eq!(observed_at(&sample(1_000_000), Some(1_000_100), &signed), Some(Instant::from_millis(10_000)));
        assert_eq!(observed_at(&sample(1_000_000), Some(1_000_101), &signed), None, "a recording of the future");
    }

    #[test]
    fn att_17_recordings_of_what_a_robot_signed_are_not_new_however_they_alternate() {
        let signed = Ages { signed: true, boot: Some(1), ..AGES };
        let outcomes = |ages: &Ages, stamps_ms: &[i64]| {
            let stamps = Stamps::default();
            let is_new = |stamp_ms: &i64| stamps.observed(&sample(1_000_000), Some(*stamp_ms), ages).is_some();
            stamps_ms.iter().map(is_new).collect::<Vec<_>>()
        };
        let alternating = [999_900, 999_950, 999_900, 999_950, 999_951];
        assert_eq!(outcomes(&signed, &alternating), [true, true, false, false, true]);
        assert_eq!(outcomes(&AGES, &[999_900, 999_900, 999_950]), [true, false, true], "a sensor that stands still");
        let glitch = [1_600_000, 999_900, 999_950];
        assert_eq!(outcomes(&signed, &glitch), [false, true, true], "one stamp ahead does not shut out the rest");
    }

    #[test]
    fn a_gate_that_was_started_anew_may_have_another_clock() {
        let (stamps, boot) = (Stamps::default(), |boot| Ages { signed: true, boot: Some(boot), ..AGES });
        let is_new = |stamp_ms, boot| stamps.observed(&sample(1_000_000), Some(stamp_ms), &boot).is_some();
        let outcomes = [is_new(999_950, boot(1)), is_new(999_800, boot(1)), is_new(999_800, boot(2))];
        assert_eq!((outcomes, is_new(999_800, boot(2))), ([true, false, true], false));
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
