//! Messages that arrived in a room and were not let in: each is counted, none is dropped silently.

use std::collections::BTreeMap;
use std::sync::Mutex;

use agent::IngressStep;

use runtime::lock::lock;
use runtime::wire::{RoomDrop, RoomDropRow};

/// Counters by reason.
#[derive(Debug, Default)]
pub(super) struct Drops(Mutex<BTreeMap<RoomDrop, u64>>);

impl Drops {
    /// Counts one more. True at the first of its kind and at each power of two: a flood does not fill the log.
    pub fn count(&self, why: RoomDrop) -> bool {
        let mut counts = lock(&self.0);
        let count = counts.entry(why).or_default();
        *count = count.saturating_add(1);
        count.is_power_of_two()
    }

    pub fn rows(&self) -> Vec<RoomDropRow> {
        lock(&self.0).iter().map(|(why, count)| RoomDropRow { why: *why, count: *count }).collect()
    }
}

/// The step of the ingress at which such a message was stopped.
pub(super) const fn step_of(why: RoomDrop) -> IngressStep {
    match why {
        RoomDrop::TooLarge | RoomDrop::Unreadable | RoomDrop::BadText => IngressStep::Sanitise,
        RoomDrop::BadSignature => IngressStep::Envelope,
        RoomDrop::Repeated => IngressStep::Dedupe,
        RoomDrop::Policy => IngressStep::Policy,
        RoomDrop::TooMany | RoomDrop::Rate => IngressStep::Rate,
    }
}

/// The same the other way round.
pub(super) const fn drop_of(step: IngressStep) -> RoomDrop {
    match step {
        IngressStep::Dedupe => RoomDrop::Repeated,
        IngressStep::Policy | IngressStep::Hook | IngressStep::Mention => RoomDrop::Policy,
        IngressStep::Debounce | IngressStep::Rate => RoomDrop::Rate,
        IngressStep::Sanitise => RoomDrop::BadText,
        IngressStep::Envelope => RoomDrop::BadSignature,
    }
}
