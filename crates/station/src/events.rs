//! Loads the events of earlier runs and writes those of this one.

use std::sync::Arc;
use std::time::Duration;

use memory::MemoryError;
use tokio::time::MissedTickBehavior;

use crate::station::Station;

/// Time between two writes of new events: at most 250 ms are lost with the process.
const SAVE_EVERY: Duration = Duration::from_millis(100);

/// Takes up what earlier runs have left, before anything else is told.
pub(crate) async fn load(station: &Station) -> Result<(), MemoryError> {
    let events = station.runtime.bus.events();
    events.take_up(None, station.runtime.db.events().await?);
    for agent in station.runner.agents.all() {
        events.take_up(Some(&agent.id), agent.db.events().await?);
    }
    Ok(())
}

/// Starts writing what happens, until the station ends.
pub(crate) fn start(station: &Arc<Station>) {
    let task_station = Arc::clone(station);
    station.runtime.tasks.spawn(async move {
        let station = task_station;
        let mut ticks = tokio::time::interval(SAVE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = station.runtime.ended.cancelled() => return,
                _ = ticks.tick() => save(&station).await,
            }
        }
    });
}

/// Writes what happened since the last time.
pub(crate) async fn save(station: &Station) {
    let db_of = |agent: &robot::AgentId| station.runner.agents.get(agent).ok().map(|agent| agent.db.clone());
    station.runtime.bus.events().save(&station.runtime.db, db_of).await;
}
