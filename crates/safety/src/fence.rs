//! The last test before a command leaves the station: latch, set version, epoch and validity, without a lock.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::SeqCst};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use robot::{Command, Instant, Reason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Approved;

/// Set while a stop is in force.
const LATCHED: u64 = 1 << 63;
/// One put inside the fence; fifteen bits count them.
const PUT: u64 = 1 << 48;
/// All bits of the count of puts.
const PUTS: u64 = (1 << 63) - PUT;
/// All bits of the generation: 2^48 stops outlive any robot.
const GENERATION: u64 = PUT - 1;

/// No claim has this epoch: nothing passes until there is one.
const NO_EPOCH: u64 = u64::MAX;

/// The fence that every send to one robot must pass, shared by the threads that send and those that stop.
#[derive(Debug)]
pub struct Fence {
    /// Latched bit, count of puts inside, generation: one word, so that entering and latching have one order.
    latch: AtomicU64,
    set_version: AtomicU64,
    epoch: AtomicU64,
}

/// The reason that an approved command was not sent. Final: the owner may submit anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum RefusedAtSend {
    /// A stop came after the judgement.
    #[error("a stop came after the command was approved")]
    Latched,
    /// The constraint set changed after the judgement.
    #[error("the constraints changed after the command was approved")]
    StaleSet,
    /// The claim on the robot changed after the judgement.
    #[error("control of the robot changed after the command was approved")]
    Lease,
    /// Too much time passed since the judgement.
    #[error("the approval expired before the command was sent")]
    Expired,
}

impl RefusedAtSend {
    /// The frozen code.
    #[must_use]
    pub fn reason(self) -> Reason {
        match self {
            Self::Latched => Reason::Latched,
            Self::StaleSet => Reason::StaleSet,
            Self::Lease => Reason::Lease,
            Self::Expired => Reason::Expired,
        }
    }
}

impl Fence {
    /// An open fence at generation 0.
    #[must_use]
    pub fn new(set_version: u64, epoch: u64) -> Self {
        Self { latch: AtomicU64::new(0), set_version: AtomicU64::new(set_version), epoch: AtomicU64::new(epoch) }
    }

    /// Latches and returns the new generation. A [`Fence::pass`] that starts after this returned puts nothing. It
    /// waits for nobody: a put already inside carries the old generation, which the robot-side gate refuses.
    pub fn engage(&self) -> u64 {
        self.turn(|word| Some(word | LATCHED)).unwrap_or_default()
    }

    /// Unlatches and returns the new generation, unless a stop has come since the caller saw generation `seen`: that
    /// stop stays in force. What was approved before is refused for ever.
    pub fn release(&self, seen: u64) -> Option<u64> {
        self.turn(|word| (word & GENERATION == seen).then_some(word & !LATCHED))
    }

    /// True while a stop is in force.
    #[must_use]
    pub fn is_latched(&self) -> bool {
        self.latch.load(SeqCst) & LATCHED != 0
    }

    /// Rises with every stop and every release.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.latch.load(SeqCst) & GENERATION
    }

    /// The number of puts inside right now; a release waits until there is none.
    #[must_use]
    pub fn puts_inside(&self) -> u64 {
        (self.latch.load(SeqCst) & PUTS) / PUT
    }

    /// The version of the constraint set in force.
    #[must_use]
    pub fn set_version(&self) -> u64 {
        self.set_version.load(SeqCst)
    }

    /// Puts another constraint set in force.
    pub fn set_set_version(&self, version: u64) {
        self.set_version.store(version, SeqCst);
    }

    /// The station's claim on the robot.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch.load(SeqCst)
    }

    /// Ends the claim: nothing passes until another is in force. Control of the robot changes hands.
    pub fn void_epoch(&self) {
        self.epoch.store(NO_EPOCH, SeqCst);
    }

    /// True while a claim is in force.
    #[must_use]
    pub fn has_epoch(&self) -> bool {
        self.epoch() != NO_EPOCH
    }

    /// Puts another claim in force.
    pub fn set_epoch(&self, epoch: u64) {
        self.epoch.store(epoch, SeqCst);
    }

    /// True if no stop, release or other claim has ended the approvals of `generation` under `epoch`.
    #[must_use]
    pub fn admits(&self, generation: u64, epoch: u64) -> bool {
        is_open(self.latch.load(SeqCst), generation) && self.epoch() == epoch
    }

    /// Tests latch, generation, set version, epoch and validity, then runs `put` inside the fence.
    pub fn pass<R>(
        &self,
        approved: Approved<Command>,
        now: Instant,
        put: impl FnOnce(Command) -> R,
    ) -> Result<R, RefusedAtSend> {
        let generation = approved.latch_generation();
        let _inside = self.enter(generation)?;
        if approved.set_version() != self.set_version() {
            return Err(RefusedAtSend::StaleSet);
        }
        if approved.epoch() != self.epoch() {
            return Err(RefusedAtSend::Lease);
        }
        if now > approved.valid_until() {
            return Err(RefusedAtSend::Expired);
        }
        // Asked again because the thread may have been suspended since it entered.
        if !is_open(self.latch.load(SeqCst), generation) {
            return Err(RefusedAtSend::Latched);
        }
        Ok(put(approved.into_command()))
    }

    /// Counts one put in, unless the latch is set, has moved on, or the count is full.
    fn enter(&self, generation: u64) -> Result<Inside<'_>, RefusedAtSend> {
        let entered = self.latch.fetch_update(SeqCst, SeqCst, |word| {
            // A full count would carry into the latched bit, so one put too many is refused.
            (is_open(word, generation) && word & PUTS != PUTS).then_some(word + PUT)
        });
        entered.map(|_| Inside(self)).map_err(|_| RefusedAtSend::Latched)
    }

    /// Changes the latched bit by `change` and moves to the next generation; the count of puts stays.
    fn turn(&self, change: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        let mut word = self.latch.load(SeqCst);
        loop {
            // Masked, because an overflow would count in a put that nothing counts out again.
            let generation = (word + 1) & GENERATION;
            let next = (change(word)? & !GENERATION) | generation;
            match self.latch.compare_exchange_weak(word, next, SeqCst, SeqCst) {
                Ok(_) => return Some(generation),
                Err(now) => word = now,
            }
        }
    }
}

fn is_open(word: u64, generation: u64) -> bool {
    word & (LATCHED | GENERATION) == generation
}

/// Counts a put out again, also when it panicked.
struct Inside<'a>(&'a Fence);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        // Borrows from no other field: this put was counted in, and only its own drop counts it out.
        self.0.latch.fetch_sub(PUT, SeqCst);
    }
}

#[cfg(test)]
#[cfg(loom)]
mod interleavings;
#[cfg(test)]
#[cfg(not(loom))]
mod tests;
