//! Commissioning at the gate: what it leaves of motion, and whose wishes count.

use robot::{Instant, Reason};
use safety::Commissioning;

use super::{Admit, GateState};
use crate::commissioning::{CommissionAct, CommissionMessage};

impl GateState {
    /// Sets the motion that the robot's commissioning leaves; a gate without this call has and needs no
    /// commissioning.
    pub fn set_commissioning(&mut self, commissioning: Commissioning) {
        self.commissioning = Some(commissioning);
    }

    /// The motion that a claim for ordinary work is left.
    #[must_use]
    pub fn commissioning(&self) -> Commissioning {
        self.commissioning.unwrap_or_default()
    }

    /// True if the robot is claimed for commissioning.
    #[must_use]
    pub fn is_commissioned_now(&self) -> bool {
        self.claimant.as_ref().is_some_and(|claimant| claimant.for_commissioning)
    }

    /// The motion that is left under the present claim.
    pub(super) fn left(&self) -> Commissioning {
        if self.is_commissioned_now() { Commissioning::UnderWay } else { self.commissioning() }
    }

    /// The purpose of the claim that was just taken.
    pub(super) fn set_purpose(&mut self, commissioning: bool) {
        self.claimant.iter_mut().for_each(|claimant| claimant.for_commissioning = commissioning);
    }

    /// True if a claim of this purpose can be had of this gate.
    pub(super) const fn has_purpose(&self, commissioning: bool) -> bool {
        !commissioning || self.commissioning.is_some()
    }

    pub(super) fn admit_commission(&mut self, message: CommissionMessage, now: Instant) -> Result<Admit, Reason> {
        let (epoch, latched) = (self.memory.epoch, !self.memory.stops.is_empty());
        let claimant = self.claimant.as_mut().filter(|claimant| {
            claimant.station == message.station && claimant.for_commissioning && claimant.holds(now)
        });
        let claimant = claimant.filter(|_| message.epoch == epoch).ok_or(Reason::Lease)?;
        if claimant.last_commission.is_some_and(|last| message.n <= last) {
            return Err(Reason::Replay);
        }
        // Used up even if it is refused below, as the number of a command is.
        claimant.last_commission = Some(message.n);
        match message.act {
            // Letting go and accepting begin no motion, so a latch does not forbid them.
            CommissionAct::Run(_) if latched => Err(Reason::Latched),
            CommissionAct::Run(_) | CommissionAct::LetGo | CommissionAct::Accept(_) => {
                Ok(Admit::Commission(Box::new(message)))
            }
        }
    }
}
