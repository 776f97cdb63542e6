//! Periodic work of the fleet: beats, lease renewals, freshness, expiries, overdue acknowledgements.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{GateKind, Instant, RobotId};
use safety::machine::{CauseSet, SafetyCause};

use crate::fleet::Fleet;
use crate::limit_sets::LimitSets;
use crate::supervision::{self, SUSPENDED_MS};
use crate::{control::control_handover, control::ui_watchdog, control::unconstrained_grants};
use runtime::config::ms;
use runtime::wire::{Fact, LinkState, Tag};

/// Sweeps from one report of the round trip to the next.
const ROUND_TRIP_EVERY: u32 = 10;

/// The last reported state of every link.
#[derive(Debug, Default)]
pub struct Links {
    told: BTreeMap<RobotId, LinkState>,
    sweeps: u32,
    last_sweep: Option<Instant>,
}

impl Fleet {
    /// Starts the periodic tasks; they end with the station.
    pub fn start_clockwork(self: &Arc<Self>) {
        let fleet = Arc::clone(self);
        self.runtime.spawn_every(self.settings.beat_every(), move || beat(&fleet));
        let fleet = Arc::clone(self);
        self.runtime.spawn_every(ms(self.settings.lease_renewal_ms), move || renew(&fleet));
        LimitSets::watch(self);
    }

    /// Looks at freshness, expiries and overdue acknowledgements; called at 10 Hz.
    pub fn sweep(self: &Arc<Self>, links: &mut Links) {
        let now = self.runtime.clock.now();
        let gap_ms = links.last_sweep.replace(now.station).map_or(0, |last| now.station.ms_since(last));
        supervise(self, gap_ms);
        control_handover::sweep(self, now.station);
        unconstrained_grants::sweep(self, now.station);
        ui_watchdog::sweep(self, now.station);
        tell_links(self, links);
        self.note_steps(self.commands.sweep(now.station, &self.signs_of_life()));
        self.confirm_goals();
        self.stops.sweep(self, now.station);
        self.fallbacks.sweep(self);
    }
}

fn beat(fleet: &Arc<Fleet>) {
    for unit in fleet.units() {
        // Other gates answer no beats; their state samples are the sign of life.
        if unit.manifest.gate != GateKind::Reference {
            continue;
        }
        let at = fleet.runtime.clock.now().station;
        match unit.link.beat() {
            Ok(n) => unit.control().beats.sent(n, at),
            // A missing beat shows in the link's state; a warning ten times a second would fill the log.
            Err(error) => tracing::debug!(robot = %unit.id(), %error, "no beat"),
        }
    }
}

/// Renews leases, and holds the robots that move under one that has run out: its owner was silent.
fn renew(fleet: &Arc<Fleet>) {
    let expired = fleet.commands.renew_leases();
    for unit in expired.iter().filter_map(|robot| fleet.unit(robot).ok()) {
        supervision::step(fleet, &unit, [SafetyCause::LeaseExpired].into_iter().collect(), None);
    }
}

fn supervise(fleet: &Arc<Fleet>, gap_ms: u64) {
    let mut events = CauseSet::EMPTY;
    let suspended = gap_ms > SUSPENDED_MS;
    events.set(SafetyCause::ProcessSuspended, suspended);
    if suspended {
        // Before the robots are stepped: none of them may go on under control from before the suspension.
        control_handover::void(fleet);
        fleet.presence.note_resumed(fleet.runtime.clock.now().station);
    }
    for unit in fleet.units() {
        supervision::step(fleet, &unit, events, None);
    }
}

fn tell_links(fleet: &Arc<Fleet>, links: &mut Links) {
    links.sweeps = links.sweeps.wrapping_add(1);
    let now = fleet.runtime.clock.now().station;
    let units = fleet.units();
    // A robot that left and was added again has its link told anew.
    links.told.retain(|robot, _| units.iter().any(|unit| unit.id() == robot));
    for unit in units {
        let link = unit.link_state(now);
        let told = links.told.insert(unit.id().clone(), link);
        let changed = told != Some(link);
        if changed || links.sweeps.is_multiple_of(ROUND_TRIP_EVERY) {
            let rtt_ms = unit.control().beats.rtt_ms_median();
            let tag = changed.then_some(Tag::Robots);
            fleet.runtime.bus.fact(Fact::Link { robot: unit.id().clone(), link, rtt_ms }, tag);
        }
        if changed {
            let gone = link == LinkState::Lost;
            if gone {
                // Its reports are lost with the link, so nothing would ever end these commands.
                fleet.note_steps(fleet.commands.link_lost(unit.id()));
            }
            fleet.runtime.bus.source_lost(&format!("robot/{}/", unit.id()), gone);
            fleet.observer.note_link(&unit, link);
            fleet.tell_safety(&[unit]);
        }
    }
}
