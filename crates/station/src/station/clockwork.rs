//! Periodic work of the station: the worlds, the fleet, proposals and turns.

use std::sync::Arc;
use std::time::Duration;

use crate::station::Station;
use fleet::Links;
use fleet::commands::CONFIRM_WITHIN_MS;

/// Time between two looks at expiries, freshness and overdue acknowledgements.
const SWEEP_EVERY: Duration = Duration::from_millis(100);
/// A goal that is reported as reached and not measured is told within a second.
const _: () = assert!(CONFIRM_WITHIN_MS + SWEEP_EVERY.as_millis() as u64 <= 1_000, "a look comes too late");
/// Time between two ticks of the worlds, which show what has changed: well within the 50 ms a snapshot may be old.
const PUBLISH_EVERY: Duration = Duration::from_millis(20);
/// Time between two updates of the list of topics, after which waiting contexts are tried again.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

/// Starts the periodic tasks; they end with the station.
pub(super) fn start(station: &Arc<Station>) {
    let worlds = Arc::clone(station);
    station.runtime.spawn_every(PUBLISH_EVERY, move || publish(&worlds));
    let feeds = Arc::clone(station);
    station.runtime.spawn_every(REFRESH_EVERY, move || refresh(&feeds));
    let (sweeps, mut links) = (Arc::clone(station), Links::default());
    station.runtime.spawn_every(SWEEP_EVERY, move || sweep(&sweeps, &mut links));
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

fn sweep(station: &Arc<Station>, links: &mut Links) {
    station.fleet.sweep(links);
    station.proposals.sweep(station);
    let now = station.runtime.clock.now().station;
    station.agents.all().iter().for_each(|agent| agent.turns.tick(now));
}
