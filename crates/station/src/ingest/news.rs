//! News: the samples that contexts may read. State of a robot with a key is news only under its signature and under a
//! stamp that rises; whatever else comes on its keys is counted and told of by name.

use bridge::signing::SignedSample;
use bridge::state::decode_stamp;
use robot::{Codec, RejectReason, Sample};

use crate::station::Station;
use fleet::robot_handle::RobotHandle;
use fleet::robot_handle::stamps::{Ages, NotNew, STATUS_MAX_AGE_MS, Stamps};

/// A sample that readers of the world may take for true now. Only [`Station::news`] makes one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct News<'m>(&'m Sample);

/// The reason for which state of a robot with a key is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoNews {
    /// The robot has not signed it.
    Unsigned,
    /// It is signed, and whether it has a stamp cannot be read.
    Unreadable(RejectReason),
    /// It is signed, and says nothing about now.
    NotNew(NotNew),
}

impl<'m> News<'m> {
    /// The sample itself.
    pub(crate) const fn sample(self) -> &'m Sample {
        self.0
    }
}

impl NoNews {
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

impl Station {
    /// A sample as news for a listener that has taken `stamps`. What a robot with a key did not sign, or has signed
    /// earlier, is none: it is counted, and people are told.
    pub(crate) fn news<'m>(&self, message: &'m SignedSample, stamps: &Stamps) -> Option<News<'m>> {
        let sample = &message.sample;
        let Some(unit) = self.fleet.signer_of(&sample.key_expr) else { return Some(News(sample)) };
        match self.check(&unit, message, stamps) {
            Ok(()) => Some(News(sample)),
            Err(why) => {
                if self.fleet.rejects.note_unread(unit.id(), &sample.key_expr, why) {
                    let (code, what) = why.told();
                    let (key_expr, robot) = (&sample.key_expr, unit.id());
                    self.runtime
                        .bus
                        .event(code, format!("{key_expr} brings state that {robot} {what}; no context reads it."));
                }
                None
            }
        }
    }

    fn check(&self, unit: &RobotHandle, message: &SignedSample, stamps: &Stamps) -> Result<(), NoNews> {
        if !unit.has_signed(message) {
            return Err(NoNews::Unsigned);
        }
        let sample = &message.sample;
        let source = unit.manifest.state.iter().find(|source| source.key == *sample.key_expr);
        let (codec, max_ms) =
            source.map_or((Codec::Auto, STATUS_MAX_AGE_MS), |source| (source.codec, source.max_age_ms));
        let stamp_ms = decode_stamp(sample, codec).map_err(NoNews::Unreadable)?;
        let ages = Ages::of(&self.fleet, unit, max_ms, sample);
        stamps.observed(&unit.stamps, sample, stamp_ms, &ages).map_err(NoNews::NotNew)?;
        Ok(())
    }
}
