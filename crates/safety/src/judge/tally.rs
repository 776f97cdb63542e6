//! Keeps, of all items, those a verdict has room for; which ones does not depend on the order they come in.

use std::cmp::Ordering;

use arrayvec::ArrayVec;
use robot::Reason;

use crate::Item;
use crate::verdict::{Bearing, ITEMS_MAX, VIOLATIONS_MAX};

/// The worst violations, the tightest held limit of each kind, and what must be known about all items.
#[derive(Default)]
pub(super) struct Tally {
    violations: ArrayVec<Item, VIOLATIONS_MAX>,
    tightest: ArrayVec<Item, { ITEMS_MAX - VIOLATIONS_MAX }>,
    violations_total: u32,
    other_than_speed: bool,
    speed_allowed_mps: Option<f64>,
}

impl Tally {
    pub(super) fn add(&mut self, item: Item) {
        if let Some(speed_mps) = item.reason.args.speed_allowed_mps {
            self.speed_allowed_mps = Some(self.speed_allowed_mps.map_or(speed_mps, |known| known.min(speed_mps)));
        }
        if item.is_violated() {
            self.violations_total = self.violations_total.saturating_add(1);
            let slower_helps = [Reason::Velocity, Reason::StoppingDistance, Reason::ApproachSpeed];
            // A suggested speed must make the whole command pass, not cure one of several violations.
            self.other_than_speed |= !slower_helps.contains(&item.reason.code);
            insert_violation(&mut self.violations, item);
        } else {
            insert_tightest(&mut self.tightest, item);
        }
    }

    pub(super) fn violations_total(&self) -> u32 {
        self.violations_total
    }

    /// The speed every limit would allow, if speed is all that is wrong.
    pub(super) fn speed_allowed_mps(&self) -> Option<f64> {
        self.speed_allowed_mps.filter(|_| self.violations_total > 0 && !self.other_than_speed)
    }

    /// The worst violations first, then the tightest of each kind.
    pub(super) fn into_items(self) -> ArrayVec<Item, ITEMS_MAX> {
        self.violations.into_iter().chain(self.tightest).collect()
    }
}

fn insert_violation(violations: &mut ArrayVec<Item, VIOLATIONS_MAX>, item: Item) {
    let place = violations.iter().position(|known| compare(&item, known) == Ordering::Less).unwrap_or(violations.len());
    // Full, and all that are kept are worse: the item is still counted in `violations_total`.
    if place == VIOLATIONS_MAX {
        return;
    }
    if violations.is_full() {
        violations.pop();
    }
    violations.insert(place, item);
}

fn insert_tightest(tightest: &mut ArrayVec<Item, { ITEMS_MAX - VIOLATIONS_MAX }>, item: Item) {
    match tightest.iter_mut().find(|known| known.kind == item.kind) {
        Some(known) if compare(&item, known) == Ordering::Less => *known = item,
        Some(_) => {}
        None => {
            let place = tightest.iter().position(|known| item.kind < known.kind).unwrap_or(tightest.len());
            // Cannot overflow: there are fewer kinds of limits than places.
            tightest.insert(place, item);
        }
    }
}

/// Worst first; equal margins in order of constraint id.
fn compare(a: &Item, b: &Item) -> Ordering {
    severity(a).total_cmp(&severity(b)).then_with(|| a.constraint.cmp(&b.constraint))
}

/// The margin; what has none, or explains all other violations, comes before every margin.
fn severity(item: &Item) -> f64 {
    let first = item.kind.bearing() == Bearing::Explains && item.is_violated();
    if first || item.margin.is_nan() { f64::NEG_INFINITY } else { item.margin }
}
