//! Periodic work of the station: fleet, sensing, proposals and turns.

use std::sync::Arc;
use std::time::Duration;

use crate::operations::end_expired;
use crate::station::Station;
use fleet::Links;
use fleet::state::commands::CONFIRM_WITHIN_MS;

/// Time between two looks at expiries, freshness and overdue acknowledgements.
const SWEEP_EVERY: Duration = Duration::from_millis(100);
/// People hear within a second of a goal that is reported as reached and was not measured there.
const _: () = assert!(CONFIRM_WITHIN_MS + SWEEP_EVERY.as_millis() as u64 <= 1_000, "a look comes too late");

/// Starts the periodic tasks; they end with the station.
pub(super) fn start(station: &Arc<Station>) {
    station.fleet.start_clockwork();
    station.sensing.start_clockwork();
    let (sweeps, mut links) = (Arc::clone(station), Links::default());
    station.runtime.spawn_every(SWEEP_EVERY, move || sweep(&sweeps, &mut links));
}

fn sweep(station: &Arc<Station>, links: &mut Links) {
    station.fleet.sweep(links);
    station.proposals.sweep(station);
    end_expired(station);
    let now = station.runtime.clock.now().station;
    station.runner.agents.all().iter().for_each(|agent| agent.turns.tick(now));
}
