//! State of a robot with a key is believed only under its signature and under a stamp that rises; whatever else comes
//! on its keys is counted and told of by name.

use bridge::signing::SignedSample;
use bridge::state::decode_stamp;
use robot::{Codec, RejectReason, Sample};

use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use runtime::stamps::{Ages, NotNew, STATUS_MAX_AGE_MS, Stamps};

/// The reason for which state of a robot with a key is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unbelieved {
    /// The robot has not signed it.
    Unsigned,
    /// It is signed, and whether it has a stamp cannot be read.
    Unreadable(RejectReason),
    /// It is signed, and says nothing about now.
    NotNew(NotNew),
}

impl Unbelieved {
    /// The code of the event that tells of it, and the rest of the sentence behind the key expression.
    const fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Unsigned => ("unsigned_state", "has not signed"),
            Self::Unreadable(_) => ("unstamped_state", "has signed and whose stamp cannot be read"),
            Self::NotNew(NotNew::NoStamp) => ("unstamped_state", "has signed without a stamp_ms"),
            Self::NotNew(NotNew::TooOld) => ("replayed_state", "has signed too long ago"),
            Self::NotNew(NotNew::Ahead) => ("replayed_state", "has signed with a stamp that lies ahead"),
            Self::NotNew(NotNew::Repeated) => ("replayed_state", "has signed before what was already heard"),
            Self::NotNew(NotNew::TooManyKeys) => ("unread_state", "has signed beside more keys than are read"),
        }
    }
}

/// The bounds of the stamps of `sample`, which `unit` has sent and which may be `max_ms` old.
pub(super) fn ages_of(fleet: &Fleet, unit: &RobotHandle, max_ms: u64, sample: &Sample) -> Ages {
    Ages {
        max_ms,
        ahead_ms: unit.settings.future_stamp_ms,
        steady_ms: fleet.runtime.clock.steady_wall_ms(sample.received),
        signed: unit.link.signs(),
        boot: unit.control().beats.boot(),
    }
}

impl Fleet {
    /// True if a sample may be taken for true now by a listener that has taken `stamps`. State that a robot with a key
    /// did not sign, or has signed earlier, may not: it is counted, and people are told.
    pub fn believes(&self, message: &SignedSample, stamps: &Stamps) -> bool {
        let sample = &message.sample;
        // No robot has promised to sign what comes on other keys, so there is nothing to hold against it.
        let Some(unit) = self.signer_of(&sample.key_expr) else { return true };
        let Err(why) = self.check(&unit, message, stamps) else { return true };
        if self.rejects.note_unread(unit.id(), &sample.key_expr, why) {
            let (code, what) = why.told();
            let (key_expr, robot) = (&sample.key_expr, unit.id());
            let sentence = format!("{key_expr} brings state that {robot} {what}; no context reads it.");
            self.runtime.bus.event(code, sentence);
        }
        false
    }

    fn check(&self, unit: &RobotHandle, message: &SignedSample, stamps: &Stamps) -> Result<(), Unbelieved> {
        if !unit.has_signed(message) {
            return Err(Unbelieved::Unsigned);
        }
        let sample = &message.sample;
        let source = unit.manifest.state.iter().find(|source| source.key == *sample.key_expr);
        let (codec, max_ms) =
            // A robot may publish below `out/state/` what its manifest
            // does not declare; such a key has no codec or age of its own.
            source.map_or((Codec::Auto, STATUS_MAX_AGE_MS), |source| (source.codec, source.max_age_ms));
        let stamp_ms = decode_stamp(sample, codec).map_err(Unbelieved::Unreadable)?;
        let ages = ages_of(self, unit, max_ms, sample);
        stamps.observed(&unit.stamps, sample, stamp_ms, &ages).map_err(Unbelieved::NotNew)?;
        Ok(())
    }
}
