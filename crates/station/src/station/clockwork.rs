//! Periodic work of the station: beats, freshness, expiries, overdue acknowledgements.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use robot::{GateKind, Instant, RobotId};
use safety::machine::{CauseSet, SafetyCause};
use tokio::time::MissedTickBehavior;
use world::arousal::Boost;

use crate::commands::CONFIRM_WITHIN_MS;
use crate::control_handover;
use crate::station::Station;
use crate::supervision::{self, SUSPENDED_MS};
use crate::ui_watchdog;
use crate::unconstrained_grants;
use runtime::config::ms;
use runtime::wire::{Fact, LinkState, Tag};

/// Time between two looks at expiries, freshness and overdue acknowledgements.
const SWEEP_EVERY: Duration = Duration::from_millis(100);
/// A goal that is reported as reached and not measured is told within a second.
const _: () = assert!(CONFIRM_WITHIN_MS + SWEEP_EVERY.as_millis() as u64 <= 1_000, "a look comes too late");
/// Time between two ticks of the worlds, which show what has changed: well within the 50 ms a snapshot may be old.
const PUBLISH_EVERY: Duration = Duration::from_millis(20);
/// Time between two updates of the list of topics, after which waiting contexts are tried again.
const REFRESH_EVERY: Duration = Duration::from_secs(1);
/// Sweeps from one report of the round trip to the next.
const ROUND_TRIP_EVERY: u32 = 10;

/// Starts the periodic tasks; they end with the station.
pub(super) fn start(station: &Arc<Station>) {
    let beats = Arc::clone(station);
    station.runtime.tasks.spawn(async move { every(&beats, beats.settings.beat_every(), beat).await });
    let moving = Arc::clone(station);
    station.runtime.tasks.spawn(async move { every(&moving, ms(moving.settings.lease_renewal_ms), renew).await });
    let worlds = Arc::clone(station);
    station.runtime.tasks.spawn(async move { every(&worlds, PUBLISH_EVERY, publish).await });
    let feeds = Arc::clone(station);
    station.runtime.tasks.spawn(async move { every(&feeds, REFRESH_EVERY, refresh).await });
    let sweeps = Arc::clone(station);
    let mut links = Links::default();
    station.runtime.tasks.spawn(async move { every(&sweeps, SWEEP_EVERY, |station| sweep(station, &mut links)).await });
}

async fn every(station: &Arc<Station>, period: Duration, mut act: impl FnMut(&Arc<Station>)) {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = station.runtime.ended.cancelled() => return,
            _ = ticks.tick() => act(station),
        }
    }
}

fn publish(station: &Arc<Station>) {
    let now = station.runtime.clock.now();
    station.agents.all().iter().for_each(|agent| agent.ingest.tick(station, agent, now));
}

fn refresh(station: &Arc<Station>) {
    station.feeds.refresh(station.runtime.clock.now().station);
    let retrying = Arc::clone(station);
    station.runtime.spawn(async move {
        for agent in retrying.agents.all() {
            agent.ingest.retry_waiting(&retrying, &agent).await;
        }
    });
}

fn beat(station: &Arc<Station>) {
    for unit in station.units() {
        if unit.manifest.gate != GateKind::Reference {
            continue;
        }
        let at = station.runtime.clock.now().station;
        match unit.link.beat() {
            Ok(n) => unit.control().beats.sent(n, at),
            Err(error) => tracing::debug!(robot = %unit.id(), %error, "no beat"),
        }
    }
}

/// Renews leases, and holds the robots that move under one that has run out: its owner was silent.
fn renew(station: &Arc<Station>) {
    let expired = station.commands.renew_leases();
    for unit in expired.iter().filter_map(|robot| station.unit(robot).ok()) {
        supervision::step(station, &unit, [SafetyCause::LeaseExpired].into_iter().collect(), None);
    }
}

/// The last told state of every link.
#[derive(Debug, Default)]
struct Links {
    told: BTreeMap<RobotId, LinkState>,
    sweeps: u32,
    last_sweep: Option<Instant>,
}

fn sweep(station: &Arc<Station>, links: &mut Links) {
    let now = station.runtime.clock.now();
    let gap_ms = links.last_sweep.replace(now.station).map_or(0, |last| now.station.ms_since(last));
    supervise(station, gap_ms);
    control_handover::sweep(station, now.station);
    unconstrained_grants::sweep(station, now.station);
    ui_watchdog::sweep(station, now.station);
    tell_links(station, links);
    station.note_steps(station.commands.sweep(now.station, &station.signs_of_life()));
    station.confirm_goals();
    station.stops.sweep(station, now.station);
    station.fallbacks.sweep(station);
    station.proposals.sweep(station);
    station.agents.all().iter().for_each(|agent| agent.turns.tick(now.station));
}

fn supervise(station: &Arc<Station>, gap_ms: u64) {
    let mut events = CauseSet::EMPTY;
    let suspended = gap_ms > SUSPENDED_MS;
    events.set(SafetyCause::ProcessSuspended, suspended);
    if suspended {
        control_handover::void(station);
        station.presence.note_resumed(station.runtime.clock.now().station);
    }
    for unit in station.units() {
        supervision::step(station, &unit, events, None);
    }
}

fn tell_links(station: &Arc<Station>, links: &mut Links) {
    links.sweeps = links.sweeps.wrapping_add(1);
    let now = station.runtime.clock.now().station;
    for unit in station.units() {
        let link = unit.link_state(now);
        let told = links.told.insert(unit.id().clone(), link);
        let changed = told != Some(link);
        if changed || links.sweeps.is_multiple_of(ROUND_TRIP_EVERY) {
            let rtt_ms = unit.control().beats.rtt_ms_median();
            let tag = changed.then_some(Tag::Robots);
            station.runtime.bus.fact(Fact::Link { robot: unit.id().clone(), link, rtt_ms }, tag);
        }
        if changed {
            let gone = link == LinkState::Lost;
            if gone {
                station.note_steps(station.commands.link_lost(unit.id()));
                station.agents.all().iter().for_each(|agent| agent.turns.stir(Boost::LinkLost));
            }
            station.runtime.bus.source_lost(&format!("robot/{}/", unit.id()), gone);
            let prefix = format!("{}/{}/", unit.manifest.site, unit.id());
            for agent in station.agents.all() {
                agent.ingest.source_alive(station, &agent, &prefix, !gone);
            }
            station.tell_safety(&[unit]);
        }
    }
}
