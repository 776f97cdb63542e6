//! What a robot says: state samples, answers to beats, acknowledgements. Runs on Zenoh's receive thread, so it only
//! decodes, stores and reports.

use std::sync::Arc;
use std::time::Duration;

use bridge::envelope::StoppedBy;
use bridge::signing::SignedSample;
use bridge::{Misheard, state};
use robot::{Codec, Instant, Sample, StateKind, StateSource};
use safety::Measured;
use safety::machine::{CauseSet, SafetyCause};
use safety::monitor::{PoseSource, StateSample};

use crate::StartError;
use crate::station::Station;
use crate::supervision;
use crate::unit::RobotUnit;
use crate::wire::{AgeBasis, PoseValue, Signal, SignalOrigin, SignalValue};

/// Battery and other status values are shown as stale after this, milliseconds.
const STATUS_MAX_AGE_MS: u64 = 3_000;

/// Declares everything the station hears from `unit`.
pub(crate) async fn listen(station: &Arc<Station>, unit: &Arc<RobotUnit>) -> Result<(), StartError> {
    for source in unit.manifest.state.clone() {
        let (station_in, unit_in) = (Arc::downgrade(station), Arc::downgrade(unit));
        let key = source.key.clone();
        let subscription = station
            .link
            .subscribe(&key, move |sample| {
                if let (Some(station), Some(unit)) = (station_in.upgrade(), unit_in.upgrade()) {
                    on_state(&station, &unit, &source, &sample);
                }
            })
            .await?;
        unit.keep(subscription);
    }
    let keys = bridge::RobotKeys::new(&unit.manifest);
    let battery_key = format!("{}/{}/out/state/battery", unit.manifest.site, unit.id());
    for (key, handle) in [
        (keys.beat_answer(), on_beat_answer as fn(&Arc<Station>, &Arc<RobotUnit>, &SignedSample)),
        (keys.ack(), on_ack),
        (battery_key, |station, unit, message| on_battery(station, unit, &message.sample)),
    ] {
        let (station_in, unit_in) = (Arc::downgrade(station), Arc::downgrade(unit));
        let subscription = station
            .link
            .subscribe_signed(&key, move |message| {
                if let (Some(station), Some(unit)) = (station_in.upgrade(), unit_in.upgrade()) {
                    handle(&station, &unit, &message);
                }
            })
            .await?;
        unit.keep(subscription);
    }
    Ok(())
}

fn on_state(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    match source.kind {
        StateKind::Pose => on_pose(station, unit, source, sample),
        StateKind::Velocity => on_velocity(station, unit, source, sample),
        StateKind::Force => on_force(station, unit, source, sample),
        StateKind::Joints => on_joints(station, unit, source, sample),
        StateKind::Frame => on_frame(station, unit, source, sample),
    }
    supervision::step(station, unit, CauseSet::EMPTY, None);
}

fn on_pose(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    let pose = match state::decode_pose(sample, source.codec) {
        Ok(pose) => pose,
        Err(reason) => return station.rejects.note(unit.id(), "pose", reason),
    };
    let Some(observed) = observed_at(sample, pose.stamp_ms, &ages(station, unit, source, sample)) else {
        return station.rejects.note_old(unit.id(), "pose");
    };
    let basis = if pose.stamp_ms.is_some() { AgeBasis::Source } else { AgeBasis::Received };
    let pose = pose.value;
    let first = unit.manifest.state_source(StateKind::Pose).is_some_and(|first| first.key == source.key);
    let which = if first { PoseSource::First } else { PoseSource::Second };
    let measured = Measured { value: pose.clone(), observed };
    unit.watch(StateSample::Pose(which, &measured, &unit.measurements().transforms), sample.received);
    if !first {
        return;
    }
    unit.measure(|measured| {
        measured.pose = Some(Measured { value: pose.clone(), observed });
        measured.last_heard = Some(sample.received);
    });
    let orientation = pose.orientation.map(robot::UnitQuaternion::xyzw);
    let value = SignalValue::Pose(PoseValue { frame: pose.frame, position_m: pose.position_m, orientation });
    station.hub.signal(signal(unit, "pose", sample, (value, None, basis), observed, source.max_age_ms));
}

fn on_velocity(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    let velocity = match state::decode_velocity(sample, source.codec) {
        Ok(velocity) => velocity,
        Err(reason) => return station.rejects.note(unit.id(), "velocity", reason),
    };
    let Some(observed) = observed_at(sample, velocity.stamp_ms, &ages(station, unit, source, sample)) else {
        return station.rejects.note_old(unit.id(), "velocity");
    };
    let speed_mps = velocity.value.speed_mps();
    let linear_mps = Measured { value: velocity.value.linear_mps, observed };
    unit.watch(StateSample::Velocity(&linear_mps), sample.received);
    unit.measure(|measured| {
        measured.speed_mps = Some(Measured { value: speed_mps, observed });
        measured.last_heard = Some(sample.received);
    });
    station.stops.note_speed(station, unit, speed_mps);
    let value = (SignalValue::Number(speed_mps), Some("m/s"), AgeBasis::Received);
    station.hub.signal(signal(unit, "speed", sample, value, observed, source.max_age_ms));
}

fn on_force(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    let force = match state::decode_force(sample, source.codec) {
        Ok(force) => force,
        Err(reason) => return station.rejects.note(unit.id(), "force", reason),
    };
    let Some(observed) = observed_at(sample, force.stamp_ms, &ages(station, unit, source, sample)) else {
        return station.rejects.note_old(unit.id(), "force");
    };
    unit.watch(StateSample::Force(&Measured { value: force.value, observed }), sample.received);
    unit.measure(|measured| measured.last_heard = Some(sample.received));
}

fn on_joints(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    let joints = match state::decode_joints(sample, source.codec) {
        Ok(joints) => joints,
        Err(reason) => return station.rejects.note(unit.id(), "joints", reason),
    };
    let Some(observed) = observed_at(sample, joints.stamp_ms, &ages(station, unit, source, sample)) else {
        return station.rejects.note_old(unit.id(), "joints");
    };
    let joints = Measured { value: joints.value, observed };
    unit.watch(StateSample::Joints(&joints), sample.received);
    unit.measure(|measured| {
        measured.joints = Some(joints.clone());
        measured.last_heard = Some(sample.received);
    });
}

fn on_frame(station: &Arc<Station>, unit: &Arc<RobotUnit>, source: &StateSource, sample: &Sample) {
    let frame = match state::decode_frame(sample, source.codec, source.max_age_ms) {
        Ok(frame) => frame,
        Err(reason) => return station.rejects.note(unit.id(), "frame", reason),
    };
    let Some(observed) = observed_at(sample, frame.stamp_ms, &ages(station, unit, source, sample)) else {
        return station.rejects.note_old(unit.id(), "frame");
    };
    let transform = Measured { value: frame.value, observed };
    let sources = unit.manifest.state.iter().filter(|source| source.kind == StateKind::Frame).count();
    unit.measure(|measured| {
        measured.keep_transform(transform.clone(), sources);
        measured.last_heard = Some(sample.received);
    });
}

fn on_battery(station: &Arc<Station>, unit: &Arc<RobotUnit>, sample: &Sample) {
    match state::decode_battery(sample, Codec::Auto) {
        Ok(percent) => {
            let value = (SignalValue::Number(percent.value), Some("%"), AgeBasis::Received);
            station.hub.signal(signal(unit, "battery", sample, value, sample.received, STATUS_MAX_AGE_MS));
        }
        Err(reason) => station.rejects.note(unit.id(), "battery", reason),
    }
}

fn on_beat_answer(station: &Arc<Station>, unit: &Arc<RobotUnit>, message: &SignedSample) {
    let answer = match unit.link.hear_beat_answer(message) {
        Ok(answer) => answer,
        Err(misheard) => return on_misheard(station, unit, misheard),
    };
    if !unit.link.note_beat_answer(&answer) {
        return;
    }
    let changes = unit.control().beats.answered(&answer, message.sample.received);
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
        match stop.by {
            StoppedBy::Station(other) if other != station.id => crate::stops::take_over(station, unit, other),
            // Ours is known here; what the gate has latched by itself is released by the next claim.
            StoppedBy::Station(_) | StoppedBy::Restart | StoppedBy::Deadman => {}
        }
    }
}

fn on_ack(station: &Arc<Station>, unit: &Arc<RobotUnit>, message: &SignedSample) {
    match unit.link.hear_ack(message) {
        Ok(ack) => station.note_ack(unit, &ack, message.sample.received),
        Err(misheard) => on_misheard(station, unit, misheard),
    }
}

/// Whoever spoke on the keys of the gate was not the gate, or the gate is out of order.
fn on_misheard(station: &Arc<Station>, unit: &Arc<RobotUnit>, misheard: Misheard) {
    let is_told = station.rejects.note_misheard(unit.id(), misheard);
    if misheard == Misheard::OtherRobot {
        let sentence = format!("What {} signs speaks for another robot.", unit.id());
        station.alarms.note_forged(unit.id(), sentence.clone());
        if is_told {
            station.hub.event("identity_disagreement", sentence);
        }
    } else {
        station.alarms.note_forged(unit.id(), format!("A message of the gate of {} is not its own.", unit.id()));
    }
    match misheard {
        Misheard::OtherRobot => {
            supervision::step(station, unit, [SafetyCause::IdentityMismatch].into_iter().collect(), None);
        }
        Misheard::BadSignature | Misheard::Schema => gate_fault(station, unit),
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
}

fn ages(station: &Station, unit: &RobotUnit, source: &StateSource, sample: &Sample) -> Ages {
    Ages {
        max_ms: source.max_age_ms,
        ahead_ms: unit.settings.future_stamp_ms,
        steady_ms: station.clock.steady_wall_ms(sample.received),
    }
}

/// When a sample's value was true: its own stamp, or its arrival if it has none or the stamp lies ahead. A sample
/// whose stamp is too old tells nothing about now and gives `None`. It is too old if it is so by the wall clock and by
/// the one that nobody sets: the robot may follow either, so a wall clock that jumps makes nothing stale.
fn observed_at(sample: &Sample, stamp_ms: Option<i64>, ages: &Ages) -> Option<Instant> {
    let Some(stamp_ms) = stamp_ms else { return Some(sample.received) };
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

    const AGES: Ages = Ages { max_ms: 500, ahead_ms: 100, steady_ms: 1_000_000 };

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
